// Entries and frames as tests write them.
import type { CompactionEntry, Entry, HistoryPage, Message, MessageEntry, NoticeEntry, TreePatch, View } from "@/protocol/types";

type Placed = Partial<Pick<Entry, "parentId" | "depth" | "compactedIntoId" | "replacement">>;

const base = (id: number, placed: Placed = {}) => ({
  id,
  parentId: id > 1 ? id - 1 : null,
  seq: id,
  depth: id - 1,
  tokens: 10,
  createdAt: "2026-12-01T08:00:00+00:00",
  isCompactionSummary: false,
  compactedAt: null,
  compactedIntoId: null,
  ...placed,
});

export function messageEntry(id: number, message: Message, placed?: Placed): MessageEntry {
  return { ...base(id, placed), type: "message", payload: { message } };
}

export function user(id: number, text: string, placed?: Placed): MessageEntry {
  return messageEntry(id, { role: "user", parts: [{ type: "text", text }] }, placed);
}

export function assistant(id: number, text: string, callIds: string[] = [], placed?: Placed): MessageEntry {
  const calls = callIds.map((callId) => ({ type: "tool_call" as const, id: callId, name: "read_file", arguments: '{"path": "a.py"}' }));
  return messageEntry(id, { role: "assistant", parts: [{ type: "text", text }, ...calls] }, placed);
}

export function result(id: number, callId: string, text: string, placed?: Placed): MessageEntry {
  return messageEntry(id, { role: "tool", toolCallId: callId, name: "read_file", parts: [{ type: "text", text }] }, placed);
}

export function compaction(id: number, mode: "summary" | "prune" = "summary", placed?: Placed): CompactionEntry {
  const details = {
    trigger: "auto" as const,
    headEntryIds: [],
    keptEntryIds: [],
    state: {},
    pruned: {},
    prunedArguments: {},
    removedCount: 2,
    previousCompactionId: null,
    focus: null,
    facts: {},
    audit: null,
    channel: null,
    model: null,
    usage: null,
    durationMs: 1_200,
    isIneffective: false,
    language: "en" as const,
    settings: {},
  };
  return {
    ...base(id, placed),
    type: "compaction",
    isCompactionSummary: mode === "summary",
    payload: {
      mode,
      summary: mode === "summary" ? "## Goal\nFind the fault" : null,
      firstKeptEntryId: 3,
      tokensBefore: 900,
      tokensAfter: 300,
      details,
    },
  };
}

export function failure(id: number, reason: string): NoticeEntry {
  return {
    ...base(id),
    type: "notice",
    payload: { systemType: "compaction_event", text: "It failed", reason, details: { trigger: "auto" } },
  };
}

export function patch(revision: number, ...appended: Entry[]): TreePatch {
  return { type: "tree_patch", sessionId: 1, revision, appended, activeLeafId: appended.at(-1)?.id };
}

export function historyPage(revision: number, view: View, messages: Entry[], hasMore = false): HistoryPage {
  return { sessionId: 1, view, revision, activeLeafId: messages.at(-1)?.id ?? null, isCompacted: false, messages, hasMore };
}
