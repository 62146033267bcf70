// A server with sessions that tests play. WebSocket and fetch are the network's edge.
import { flushPromises } from "@vue/test-utils";
import { vi } from "vitest";

import type { HistoryPage, Session } from "@/protocol/types";

class PlayedConnection extends EventTarget {
  static readonly CONNECTING = 0;
  static newest: PlayedConnection;
  readyState = 1;

  constructor() {
    super();
    PlayedConnection.newest = this;
    queueMicrotask(() => this.dispatchEvent(new Event("open")));
  }

  send() {
    return undefined;
  }

  close() {
    this.dispatchEvent(new Event("close"));
  }
}

export interface PlayedSessions {
  sessions: Session[];
  pageSize: number;
  /** The next request that changes something, or with `every` each request, is refused with this. */
  refusal: { status: number; code: string; message: string; every?: boolean } | null;
  /** Every request that is no reading: method, path, body. */
  changes: [string, string, unknown][];
  /** Every reading of the list: its query. */
  readings: string[];
}

/** Return a session, with what a test does not care about filled in. */
export const aSession = (id: number, over: Partial<Session> = {}): Session => ({
  id,
  title: `Session ${id}`,
  agentId: 1,
  activeLeafId: null,
  revision: 0,
  createdAt: "2026-12-01T08:00:00Z",
  updatedAt: new Date().toISOString(),
  isCompacted: false,
  compactionCount: 0,
  state: "idle",
  ...over,
});

/** Take the place of the browser's `fetch` and `WebSocket`; everything but sessions is empty. */
export function playSessions(sessions: Session[], given: Partial<PlayedSessions> = {}): PlayedSessions {
  const server: PlayedSessions = { sessions, pageSize: 50, refusal: null, changes: [], readings: [], ...given };
  vi.stubGlobal("WebSocket", PlayedConnection);
  vi.stubGlobal("fetch", (address: string, { method = "GET", body }: { method?: string; body?: string } = {}) => {
    const sent: unknown = body ? JSON.parse(body) : null;
    if (method !== "GET") server.changes.push([method, address, sent]);
    return Promise.resolve(refused(server, method) ?? answer(server, method, new URL(address, "http://page"), sent));
  });
  return server;
}

/** Say something to the page over the connection. */
export async function say(frame: object) {
  PlayedConnection.newest.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  await flushPromises();
}

/** Break the connection: the page builds another one soon. */
export function breakConnection() {
  PlayedConnection.newest.close();
}

function refused(server: PlayedSessions, method: string): Response | null {
  const { refusal } = server;
  if (!refusal || (method === "GET" && !refusal.every)) return null;
  if (!refusal.every) server.refusal = null;
  return Response.json({ code: refusal.code, message: refusal.message }, { status: refusal.status });
}

function answer(server: PlayedSessions, method: string, { pathname, searchParams }: URL, sent: unknown): Response {
  if (pathname === "/api/sessions") return list(server, searchParams);
  const [, id = "", action] = /^\/api\/sessions\/(\d+)(?:\/(\w+))?$/.exec(pathname) ?? [];
  if (action === "history") return Response.json(emptyHistory(Number(id), searchParams.get("view") === "full"));
  if (id) return one(server, method, Number(id), sent);
  if (pathname === "/api/dictionary") return Response.json({ types: [] });
  if (pathname === "/api/openapi.json") return Response.json({ info: { version: "1.2.3" } });
  return Response.json({ agents: [], channels: [], models: [], tools: [] });
}

function list(server: PlayedSessions, searchParams: URLSearchParams): Response {
  server.readings.push(searchParams.toString());
  const words = (searchParams.get("query") ?? "").toLowerCase();
  const before = Number(searchParams.get("before"));
  const found = server.sessions.filter(({ title }) => title.toLowerCase().includes(words));
  const start = before ? found.findIndex(({ id }) => id === before) + 1 : 0;
  const end = start + server.pageSize;
  return Response.json({ sessions: found.slice(start, end), hasMore: found.length > end });
}

function one(server: PlayedSessions, method: string, id: number, sent: unknown): Response {
  const session = server.sessions.find((candidate) => candidate.id === id);
  if (!session) return Response.json({ code: "not_found", message: `There is no session ${id}` }, { status: 404 });
  if (method === "GET") return Response.json(session);
  if (method === "DELETE") {
    server.sessions = server.sessions.filter((candidate) => candidate !== session);
    return new Response(null, { status: 204 });
  }
  const changed = { ...session, ...(sent as object) };
  server.sessions = server.sessions.map((candidate) => (candidate === session ? changed : candidate));
  return Response.json(changed);
}

function emptyHistory(sessionId: number, isFull: boolean): HistoryPage {
  const view = isFull ? "full" : "compacted";
  return { sessionId, view, revision: 0, activeLeafId: null, isCompacted: true, messages: [], hasMore: false };
}
