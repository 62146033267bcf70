// What the page knows of the session that is open. Everything in it was said by the server; `applyEvent.ts` alone changes it.
import type { CompactionTrigger, ContextUsage, Entry, QueuedMessage, Usage, View } from "@/protocol/types";

/** The reply that is being written. */
export interface Reply {
  runId: number;
  text: string;
  thinking: string;
  calls: readonly LiveCall[];
  /** Ids of the calls whose tool has begun, true once it has ended. */
  tools: Readonly<Record<string, boolean>>;
}

/** A tool call that is being written. */
export interface LiveCall {
  number: number;
  name: string;
  arguments: string;
}

/** The compaction that runs. */
export interface LiveCompaction {
  /** Key of its row: the row stays the same one when the compaction has ended. */
  key: string;
  trigger: CompactionTrigger;
  stage: string | null;
  done: number;
  total: number;
  /** The summary as far as it is written. */
  text: string;
  /** Unix milliseconds. */
  startedAt: number;
}

/** A failed compaction that the server could not store. */
export interface UnstoredFailure {
  key: string;
  trigger: CompactionTrigger;
  reason: string;
  error: string;
}

export interface ChatState {
  sessionId: number;
  view: View;
  /** Whether the first entries have come. */
  isLoaded: boolean;
  revision: number | null;
  activeLeafId: number | null;
  /** Oldest first, as the view orders them. */
  entries: readonly Entry[];
  hasEarlier: boolean;
  /** Whether the entries do not fit the tree any more and must be read anew. */
  isStale: boolean;
  reply: Reply | null;
  compaction: LiveCompaction | null;
  compactionsSeen: number;
  /** Row keys of compactions that were seen running, by entry id. */
  rowKeys: Readonly<Record<number, string>>;
  unstoredFailures: readonly UnstoredFailure[];
  queue: readonly QueuedMessage[];
  context: ContextUsage | null;
  /** Of the newest run. */
  usage: Usage;
  isCompacted: boolean;
  blockedReason: string | null;
}

export type Activity = "idle" | "running" | "compacting";

export function emptyState(sessionId: number, view: View): ChatState {
  return {
    sessionId,
    view,
    isLoaded: false,
    revision: null,
    activeLeafId: null,
    entries: [],
    hasEarlier: false,
    isStale: false,
    reply: null,
    compaction: null,
    compactionsSeen: 0,
    rowKeys: {},
    unstoredFailures: [],
    queue: [],
    context: null,
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0, apiCalls: 0 },
    isCompacted: false,
    blockedReason: null,
  };
}

export function activityOf(state: ChatState): Activity {
  if (state.compaction) return "compacting";
  return state.reply ? "running" : "idle";
}
