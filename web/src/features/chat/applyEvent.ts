// The only place where something that happened changes what the page knows: a pure reducer. Hearing an event twice changes nothing.
import { emptyState, type ChatState, type LiveCall, type LiveCompaction, type Reply } from "./chatState";
import type { Entry, HistoryPage, ServerFrame, SessionSnapshot, TreePatch, View } from "@/protocol/types";

/** What the page itself does to its state, beside the frames of the server. */
export type LocalEvent =
  /** The connection is back: the reply in flight comes anew, as one piece. */
  | { type: "resumed" }
  /** A page of history was read; `earlier` goes before what is there, else it replaces that. */
  | { type: "history_read"; page: HistoryPage; isEarlier: boolean }
  | { type: "view_chosen"; view: View };

/** Return the state after an event; the same object where it changes nothing. `now` is Unix milliseconds. */
export function applyEvent(state: ChatState, event: ServerFrame | LocalEvent, now: number): ChatState {
  if ("sessionId" in event && event.sessionId !== state.sessionId) return state;
  switch (event.type) {
    case "session_snapshot":
      return afterSnapshot(state, event, now);
    case "tree_patch":
      return afterPatch(state, event);
    case "run_start":
      return state.reply?.runId === event.runId ? state : { ...state, reply: newReply(event.runId) };
    case "delta": {
      const reply = state.reply?.runId === event.runId ? state.reply : newReply(event.runId);
      return {
        ...state,
        reply: {
          ...reply,
          text: reply.text + (event.text ?? ""),
          thinking: reply.thinking + (event.thinking ?? ""),
          calls: event.toolCall ? afterCallPiece(reply.calls, event.toolCall) : reply.calls,
        },
      };
    }
    case "tool_start":
    case "tool_end": {
      const reply = state.reply ?? newReply(event.runId);
      return { ...state, reply: { ...reply, tools: { ...reply.tools, [event.callId]: event.type === "tool_end" } } };
    }
    case "run_end":
      return state.reply && state.reply.runId !== event.runId ? state : { ...state, reply: null };
    case "message_queued":
      return { ...state, queue: event.queue };
    case "compaction_start":
      return withLiveCompaction(state, event.trigger, now);
    case "compaction_progress":
      return { ...state, compaction: afterProgress(state.compaction, event) };
    case "compaction_done":
      return { ...state, compaction: null };
    case "compaction_failed":
      return afterFailure(state, event.reason, event.error);
    case "token_update":
      return {
        ...state,
        context: event.context,
        usage: event.current?.apiCalls ? event.current : state.usage,
        blockedReason: event.blockedReason ?? null,
      };
    case "resumed":
      return { ...state, reply: state.reply && { ...state.reply, text: "", thinking: "", calls: [] } };
    case "history_read":
      return afterHistory(state, event.page, event.isEarlier);
    case "view_chosen":
      return event.view === state.view ? state : { ...state, view: event.view, isStale: true };
    case "ack":
    case "pong":
    case "error":
      return state;
  }
}

function afterSnapshot(state: ChatState, snapshot: SessionSnapshot, now: number): ChatState {
  const isMine = state.view === "compacted";
  const fresh = emptyState(state.sessionId, state.view);
  const startedAt = snapshot.compactionStartedAt;
  const compaction = snapshot.state === "compacting" ? newCompaction(state, "auto", startedAt ? startedAt * 1_000 : now) : null;
  return {
    ...fresh,
    isLoaded: isMine || state.isLoaded,
    revision: snapshot.revision,
    activeLeafId: snapshot.activeLeafId ?? null,
    entries: isMine ? snapshot.visibleEntries : state.entries,
    hasEarlier: isMine ? snapshot.visibleEntries.length >= SNAPSHOT_ENTRIES : state.hasEarlier,
    isStale: !isMine,
    reply: null, // the start of a run that goes on comes right after the snapshot
    compaction,
    compactionsSeen: state.compactionsSeen + (compaction ? 1 : 0),
    rowKeys: state.rowKeys,
    queue: snapshot.queue,
    context: snapshot.context,
    usage: state.usage,
    isCompacted: snapshot.isCompacted ?? false,
    blockedReason: snapshot.blockedReason ?? null,
  };
}

/** A server that sends so many entries with its snapshot may have more. */
const SNAPSHOT_ENTRIES = 200;

function afterPatch(state: ChatState, patch: TreePatch): ChatState {
  const appended = patch.appended;
  if (state.revision !== null && patch.revision <= state.revision) return withoutWhatEnded(state, appended);
  const moved = { ...withoutWhatEnded(state, appended), revision: patch.revision, activeLeafId: patch.activeLeafId ?? state.activeLeafId };
  return {
    ...moved,
    entries: [...state.entries, ...appended],
    isStale: state.isStale || !continuesPath(state, appended) || appended.some(changesContext),
    isCompacted: state.isCompacted || appended.some((entry) => entry.isCompactionSummary),
  };
}

/** What was shown while it was made goes when the whole of it has come: the reply, the compaction that runs. */
function withoutWhatEnded(state: ChatState, appended: readonly Entry[]): ChatState {
  const { reply, compaction, rowKeys } = state;
  const hasReply = reply !== null && appended.some(isReply);
  const ended = compaction ? appended.find(endsCompaction) : undefined;
  if (!hasReply && !ended) return state;
  return {
    ...state,
    reply: hasReply ? { ...newReply(reply.runId), tools: reply.tools } : reply,
    compaction: ended ? null : compaction,
    rowKeys: ended && compaction ? { ...rowKeys, [ended.id]: compaction.key } : rowKeys,
  };
}

function continuesPath(state: ChatState, appended: readonly Entry[]): boolean {
  return appended.length > 0 && appended[0]?.parentId === state.activeLeafId;
}

function changesContext(entry: Entry): boolean {
  return entry.type === "compaction" || entry.type === "compaction_undo";
}

function endsCompaction(entry: Entry): boolean {
  return entry.type === "compaction" || (entry.type === "notice" && entry.payload.systemType === "compaction_event");
}

function isReply(entry: Entry): boolean {
  return entry.type === "message" && entry.payload.message.role === "assistant";
}

function afterHistory(state: ChatState, page: HistoryPage, isEarlier: boolean): ChatState {
  if (page.view !== state.view || page.sessionId !== state.sessionId) return state;
  if (isEarlier) {
    const known = new Set(state.entries.map((entry) => entry.id));
    const entries = [...page.messages.filter((entry) => !known.has(entry.id)), ...state.entries];
    return { ...state, entries, hasEarlier: page.hasMore };
  }
  return {
    ...state,
    isLoaded: true,
    isStale: state.revision !== null && page.revision < state.revision,
    revision: Math.max(page.revision, state.revision ?? 0),
    activeLeafId: page.activeLeafId,
    entries: page.messages,
    hasEarlier: page.hasMore,
    isCompacted: page.isCompacted,
  };
}

function newReply(runId: number): Reply {
  return { runId, text: "", thinking: "", calls: [], tools: {} };
}

function afterCallPiece(calls: readonly LiveCall[], piece: Record<string, unknown>): readonly LiveCall[] {
  const number = Number(piece.number ?? 0);
  const before = calls.find((call) => call.number === number) ?? { number, name: "", arguments: "" };
  const after = { number, name: before.name || String(piece.name ?? ""), arguments: before.arguments + String(piece.arguments ?? "") };
  return [...calls.filter((call) => call.number !== number), after].sort((one, other) => one.number - other.number);
}

function newCompaction(state: ChatState, trigger: LiveCompaction["trigger"], startedAt: number): LiveCompaction {
  return { key: `compaction-live-${state.compactionsSeen + 1}`, trigger, stage: null, done: 0, total: 0, text: "", startedAt };
}

function withLiveCompaction(state: ChatState, trigger: LiveCompaction["trigger"], now: number): ChatState {
  if (state.compaction) return { ...state, compaction: { ...state.compaction, trigger } };
  return { ...state, compaction: newCompaction(state, trigger, now), compactionsSeen: state.compactionsSeen + 1 };
}

function afterProgress(
  compaction: LiveCompaction | null,
  event: { stage: string; done?: number; total?: number; text?: string | null; restart?: boolean | null },
): LiveCompaction | null {
  if (!compaction) return null;
  const text = event.restart ? "" : compaction.text;
  if (event.text != null) return { ...compaction, stage: event.stage, text: text + event.text };
  return { ...compaction, stage: event.stage, done: event.done ?? 0, total: event.total ?? 0, text };
}

/** The notice of a stored failure has come before; without one the row must still end. */
function afterFailure(state: ChatState, reason: string, error: string): ChatState {
  if (!state.compaction) return state;
  const { key, trigger } = state.compaction;
  return { ...state, compaction: null, unstoredFailures: [...state.unstoredFailures, { key, trigger, reason, error }] };
}
