// What the page knows after each kind of event.
import { describe, expect, it } from "vitest";

import { applyEvent, type LocalEvent } from "./applyEvent";
import { activityOf, emptyState, type ChatState } from "./chatState";
import { liveRows, rowsOf } from "./rows";
import { assistant, compaction, failure, historyPage, patch, result, user } from "./testEntries";
import type { ContextUsage, ServerFrame, SessionSnapshot } from "@/protocol/types";

const NOW = 1_000_000;
const context: ContextUsage = {
  usedTokens: 70,
  maxTokens: 100,
  percent: 70,
  thresholdPercent: 70,
  thresholdTokens: 70,
  estimated: true,
  source: "estimate",
  breakdown: {},
  compactionCount: 0,
} as ContextUsage;

function snapshot(over: Partial<SessionSnapshot> = {}): SessionSnapshot {
  return {
    type: "session_snapshot",
    sessionId: 1,
    revision: 1,
    activeLeafId: 1,
    visibleEntries: [user(1, "hi")],
    context,
    queue: [],
    state: "idle",
    isCompacted: false,
    ...over,
  };
}

function after(events: (ServerFrame | LocalEvent)[], state: ChatState = emptyState(1, "compacted")): ChatState {
  return events.reduce((before, event) => applyEvent(before, event, NOW), state);
}

const ids = (state: ChatState) => state.entries.map((entry) => entry.id);
const delta = (text: string): ServerFrame => ({ type: "delta", sessionId: 1, runId: 5, text });

describe("applyEvent", () => {
  it("shows a snapshot in the compacted view at once, and asks for the full view", () => {
    expect(ids(after([snapshot()]))).toEqual([1]);
    const full = after([snapshot()], emptyState(1, "full"));
    expect([full.isLoaded, full.isStale, ids(full)]).toEqual([false, true, []]);
  });

  it("knows from the start that follows a snapshot that a run goes on", () => {
    expect(activityOf(after([snapshot({ state: "running" })]))).toBe("idle");
    const run: ServerFrame = { type: "run_start", sessionId: 1, runId: 5 };
    expect(activityOf(after([snapshot({ state: "running" }), run]))).toBe("running");
  });

  it("leaves the state alone for another session's events", () => {
    const state = after([snapshot()]);
    expect(applyEvent(state, { ...patch(2, user(2, "no")), sessionId: 9 }, NOW)).toBe(state);
  });

  it("appends each patch once", () => {
    const state = after([snapshot(), patch(2, assistant(2, "hello")), patch(2, assistant(2, "hello"))]);
    expect([ids(state), state.revision, state.isStale]).toEqual([[1, 2], 2, false]);
  });

  it("reads the view anew when the leaf has moved to another branch", () => {
    expect(after([snapshot(), patch(2, user(7, "edited", { parentId: null }))]).isStale).toBe(true);
    expect(after([snapshot(), { ...patch(2), activeLeafId: 4 }]).isStale).toBe(true);
  });

  it("joins the pieces of a reply and drops them when the whole message has come", () => {
    const run: ServerFrame = { type: "run_start", sessionId: 1, runId: 5 };
    const call = (piece: object): ServerFrame => ({ type: "delta", sessionId: 1, runId: 5, toolCall: { number: 0, ...piece } });
    const writing = after([
      snapshot(),
      run,
      delta("Hel"),
      delta("lo"),
      call({ name: "read_file", arguments: "" }),
      call({ arguments: "{}" }),
    ]);
    expect(writing.reply).toEqual({
      runId: 5,
      text: "Hello",
      thinking: "",
      calls: [{ number: 0, name: "read_file", arguments: "{}" }],
      tools: {},
    });
    expect(activityOf(writing)).toBe("running");
    const written = after([patch(2, assistant(2, "Hello", ["c1"]))], writing);
    expect([written.reply?.text, written.reply?.calls]).toEqual(["", []]);
    const ended = after([{ type: "run_end", sessionId: 1, runId: 5, state: "done" }], written);
    expect(activityOf(ended)).toBe("idle");
  });

  it("hears the start of a run twice without losing what was written", () => {
    const run: ServerFrame = { type: "run_start", sessionId: 1, runId: 5 };
    expect(after([snapshot(), run, delta("Hello"), run]).reply?.text).toBe("Hello");
  });

  it("takes the reply in flight anew after a break", () => {
    expect(after([snapshot(), delta("Hel"), { type: "resumed" }, delta("Hello")]).reply?.text).toBe("Hello");
  });

  it("keeps the row of a compaction from its start to its end", () => {
    const start: ServerFrame = { type: "compaction_start", sessionId: 1, reason: "auto", trigger: "auto" };
    const running = after([snapshot(), start]);
    const [row] = liveRows(running.unstoredFailures, running.compaction);
    expect([row?.kind, activityOf(running), running.compaction?.startedAt]).toEqual(["compaction_running", "compacting", NOW]);
    const done = after([patch(2, compaction(2))], running);
    expect([activityOf(done), done.isStale, done.isCompacted]).toEqual(["idle", true, true]);
    expect(rowsOf(done.entries, "full", done.rowKeys).find(({ kind }) => kind === "compaction")?.key).toBe(row?.key);
  });

  it("ends the row of a compaction whose end a page of history has already shown", () => {
    const start: ServerFrame = { type: "compaction_start", sessionId: 1, reason: "manual", trigger: "manual" };
    const failed: ServerFrame = { type: "compaction_failed", sessionId: 1, reason: "empty_summary", error: "nothing" };
    const page = historyPage(2, "compacted", [user(1, "hi"), failure(2, "empty_summary")]);
    const read: LocalEvent = { type: "history_read", page, isEarlier: false };
    const state = after([snapshot(), start, read, patch(2, failure(2, "empty_summary")), failed]);
    expect([state.compaction, state.unstoredFailures, ids(state)]).toEqual([null, [], [1, 2]]);
  });

  it("keeps the figures of the newest run when a frame has none", () => {
    const current = { inputTokens: 5, outputTokens: 2, totalTokens: 7, apiCalls: 1 };
    const none = { inputTokens: 0, outputTokens: 0, totalTokens: 0, apiCalls: 0 };
    const update = (usage: typeof none): ServerFrame => ({ type: "token_update", sessionId: 1, current: usage, context });
    expect(after([snapshot(), update(current), update(none)]).usage).toEqual(current);
  });

  it("gives the next compaction a row of its own", () => {
    const start: ServerFrame = { type: "compaction_start", sessionId: 1, reason: "manual", trigger: "manual" };
    const first = after([snapshot(), start]);
    const second = after([patch(2, failure(2, "empty_summary")), start], first);
    expect(second.compaction?.key).not.toBe(first.compaction?.key);
    expect(second.rowKeys[2]).toBe(first.compaction?.key);
  });

  it("ends the row of a failed compaction, stored or not", () => {
    const start: ServerFrame = { type: "compaction_start", sessionId: 1, reason: "manual", trigger: "manual" };
    const failed: ServerFrame = { type: "compaction_failed", sessionId: 1, reason: "storage_error", error: "disk full" };
    const unstored = after([snapshot(), start, failed]);
    expect([unstored.compaction, unstored.unstoredFailures.map(({ reason }) => reason)]).toEqual([null, ["storage_error"]]);
    const stored = after([snapshot(), start, patch(2, failure(2, "storage_error")), failed]);
    expect([stored.compaction, stored.unstoredFailures]).toEqual([null, []]);
  });

  it("drops the text of a refused summary when the next one begins", () => {
    const progress = (over: object): ServerFrame => ({
      type: "compaction_progress",
      sessionId: 1,
      stage: "summarise",
      done: 0,
      total: 0,
      ...over,
    });
    const start: ServerFrame = { type: "compaction_start", sessionId: 1, reason: "manual", trigger: "manual" };
    const state = after([snapshot(), start, progress({ text: "bad" }), progress({ restart: true } as object), progress({ text: "good" })]);
    expect(state.compaction?.text).toBe("good");
  });

  it("takes over a page of history, and reads again when the tree has moved on meanwhile", () => {
    const stale = after([snapshot({ revision: 4 })], emptyState(1, "full"));
    const old = applyEvent(stale, { type: "history_read", page: historyPage(3, "full", [user(1, "hi")]), isEarlier: false }, NOW);
    expect([old.isStale, old.revision]).toEqual([true, 4]);
    const page = historyPage(4, "full", [user(1, "hi"), assistant(2, "ho")], true);
    const read = applyEvent(stale, { type: "history_read", page, isEarlier: false }, NOW);
    expect([read.isStale, ids(read), read.hasEarlier]).toEqual([false, [1, 2], true]);
  });

  it("puts earlier pages before what is there, each entry once", () => {
    const state = after([snapshot({ visibleEntries: [user(3, "c")], activeLeafId: 3 })]);
    const page = historyPage(1, "compacted", [user(1, "a"), user(2, "b"), user(3, "c")]);
    expect(ids(applyEvent(state, { type: "history_read", page, isEarlier: true }, NOW))).toEqual([1, 2, 3]);
  });

  it("ignores a page of the view that was left", () => {
    const state = after([snapshot(), { type: "view_chosen", view: "full" }]);
    expect(applyEvent(state, { type: "history_read", page: historyPage(9, "compacted", []), isEarlier: false }, NOW)).toBe(state);
  });

  it("shows the size that the server says, and nothing of its own", () => {
    const current = { inputTokens: 5, outputTokens: 2, totalTokens: 7, apiCalls: 1 };
    const state = after([snapshot(), { type: "token_update", sessionId: 1, current, context: { ...context, usedTokens: 12 } }]);
    expect([state.context?.usedTokens, state.usage]).toEqual([12, current]);
  });

  it("has no tool left running after the results have come", () => {
    const start: ServerFrame = { type: "tool_start", sessionId: 1, runId: 5, callId: "c1", name: "read_file", arguments: "{}" };
    const end: ServerFrame = { type: "tool_end", sessionId: 1, runId: 5, callId: "c1", isError: false };
    expect(after([snapshot(), start]).reply?.tools).toEqual({ c1: false });
    expect(after([snapshot(), start, patch(2, result(2, "c1", "x")), end]).reply?.tools).toEqual({ c1: true });
  });
});
