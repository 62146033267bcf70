// From entries to the rows of the message list: results join their calls, a compaction stands where it happened.
import type { LiveCompaction, UnstoredFailure } from "./chatState";
import type { CompactionEntry, Entry, Message, MessageEntry, NoticeEntry, ToolCallPart, View } from "@/protocol/types";

/** One tool call with what came of it. */
export interface ToolUse {
  call: ToolCallPart;
  /** The entry that holds the result; undefined while there is none. */
  result?: MessageEntry;
}

export type Row =
  | { kind: "message"; key: string; entry: MessageEntry; tools: ToolUse[] }
  /** The summary as the model reads it, in its place in the context. */
  | { kind: "summary"; key: string; entry: CompactionEntry }
  /** A compaction that has ended, where it happened. */
  | { kind: "compaction"; key: string; entry: CompactionEntry }
  | { kind: "compaction_failed"; key: string; entry?: NoticeEntry; failure: Failure }
  | { kind: "compaction_running"; key: string; compaction: LiveCompaction }
  | { kind: "compaction_undone"; key: string; entry: Entry }
  | { kind: "notice"; key: string; entry: NoticeEntry };

export interface Failure {
  trigger: string | null;
  reason: string;
  error: string;
}

/** Return the rows of the entries, in the order of the view. */
export function rowsOf(entries: readonly Entry[], view: View, rowKeys: Readonly<Record<number, string>>): Row[] {
  const results = resultsByCall(entries);
  const used = new Set<number>();
  const rows: Row[] = [];
  for (const entry of view === "compacted" ? withSummaryFirst(entries) : entries) {
    const row = rowOf(entry, results, used, rowKeys);
    if (row) rows.push(row);
  }
  return rows;
}

/** Return the rows that belong to no entry: failures that could not be stored, and the compaction that runs. */
export function liveRows(failures: readonly UnstoredFailure[], compaction: LiveCompaction | null): Row[] {
  const failed = failures.map(({ key, ...failure }): Row => ({ kind: "compaction_failed", key, failure }));
  return compaction ? [...failed, { kind: "compaction_running", key: compaction.key, compaction }] : failed;
}

interface SummaryPlace {
  type: "summary_place";
  entry: CompactionEntry;
}

/**
 * The compacted view has the governing compaction where its summary stands: after the head. Its row goes where it happened,
 * before the first entry that was written after it.
 */
function withSummaryFirst(entries: readonly Entry[]): (Entry | SummaryPlace)[] {
  const at = entries.findIndex((entry) => entry.isCompactionSummary);
  const governing = entries[at];
  if (governing?.type !== "compaction") return [...entries];
  const after = entries.slice(at + 1);
  const later = after.findIndex((entry) => entry.depth > governing.depth);
  const place = later < 0 ? after.length : later;
  return [...entries.slice(0, at), { type: "summary_place", entry: governing }, ...after.slice(0, place), governing, ...after.slice(place)];
}

type Results = Map<string, MessageEntry[]>;

function resultsByCall(entries: readonly Entry[]): Results {
  const results: Results = new Map();
  for (const entry of entries) {
    const callId = entry.type === "message" && entry.payload.message.role === "tool" ? entry.payload.message.toolCallId : undefined;
    if (callId && entry.type === "message") results.set(callId, [...(results.get(callId) ?? []), entry]);
  }
  return results;
}

function rowOf(entry: Entry | SummaryPlace, results: Results, used: Set<number>, rowKeys: Readonly<Record<number, string>>): Row | null {
  switch (entry.type) {
    case "summary_place":
      return { kind: "summary", key: `summary-${entry.entry.id}`, entry: entry.entry };
    case "message":
      if (used.has(entry.id)) return null;
      return { kind: "message", key: `entry-${entry.id}`, entry, tools: toolUses(entry, results, used) };
    case "compaction":
      return { kind: "compaction", key: rowKeys[entry.id] ?? `entry-${entry.id}`, entry };
    case "compaction_undo":
      return { kind: "compaction_undone", key: `entry-${entry.id}`, entry };
    case "notice": {
      const { systemType, reason, text, details } = entry.payload;
      const key = rowKeys[entry.id] ?? `entry-${entry.id}`;
      if (systemType !== "compaction_event") return { kind: "notice", key, entry };
      const trigger = typeof details?.trigger === "string" ? details.trigger : null;
      return { kind: "compaction_failed", key, entry, failure: { trigger, reason: reason ?? "", error: text } };
    }
    default:
      return null;
  }
}

/** The nearest later result of each call; ids may be used again by another request. */
function toolUses(entry: MessageEntry, results: Results, used: Set<number>): ToolUse[] {
  return callsOf(entry.payload.message).map((call) => {
    const result = results.get(call.id)?.find((found) => found.depth > entry.depth && !used.has(found.id));
    if (result) used.add(result.id);
    return { call, result };
  });
}

export function callsOf(message: Message): ToolCallPart[] {
  return message.parts.filter((part) => part.type === "tool_call");
}

/** Return all text of a message. */
export function textOf(message: Message): string {
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
