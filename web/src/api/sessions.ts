// Sessions over HTTP; what happens in one comes over the socket.
import { query, request } from "./http";
import type { HistoryPage, Session, View } from "@/protocol/types";

export function listSessions(words?: string, before?: number): Promise<{ sessions: Session[]; hasMore: boolean }> {
  return request("GET", `/api/sessions${query({ query: words, before, limit: 50 })}`);
}

export function readSession(id: number): Promise<Session> {
  return request("GET", `/api/sessions/${id}`);
}

export function createSession(agentId?: number): Promise<Session> {
  return request("POST", "/api/sessions", agentId === undefined ? {} : { agentId });
}

export function changeSession(id: number, change: { title?: string; agentId?: number }): Promise<Session> {
  return request("PATCH", `/api/sessions/${id}`, change);
}

export function deleteSession(id: number): Promise<void> {
  return request("DELETE", `/api/sessions/${id}`);
}

/** Return the newest `limit` entries before the entry `before`, oldest first. */
export function readHistory(id: number, view: View, before?: number, limit = 100): Promise<HistoryPage> {
  return request("GET", `/api/sessions/${id}/history${query({ view, before, limit })}`);
}
