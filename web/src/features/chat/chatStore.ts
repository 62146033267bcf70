// The session that is open: its state, and what the user can do to it.
import { defineStore } from "pinia";
import { computed, shallowRef, watch } from "vue";

import { applyEvent, type LocalEvent } from "./applyEvent";
import { activityOf, emptyState, type ChatState } from "./chatState";
import { useOutbox, type Outgoing } from "./outbox";
import { liveRows, rowsOf, textOf } from "./rows";
import { ApiError } from "@/api/http";
import { createSession, readHistory } from "@/api/sessions";
import { newRequestId, useSocket } from "@/api/socket";
import type { Command, ServerFrame, View } from "@/protocol/types";

/** Whoever goes back goes far: few large pages are quicker than many small ones. */
const EARLIER_ENTRIES = 400;

interface Returned {
  /** Null for a message that was to begin a session. */
  sessionId: number | null;
  text: string;
}

/** Of one view in a row: each change of the tree meanwhile may need another one. */
const MOST_READINGS = 8;
/** A message that was taken and appears nowhere for so long is not on its way any more. */
const SHOWN_WITHIN_MS = 15_000;
const OTHERS_WITHIN_MS = 5_000;

export const useChatStore = defineStore("chat", () => {
  const socket = useSocket();
  const outbox = useOutbox();
  const state = shallowRef<ChatState | null>(null);
  /** The newest refusal; the page shows it and sets it to null. */
  const fault = shallowRef<ApiError | null>(null);
  const isMissing = shallowRef(false);
  /** Messages that could not be sent; the composer of their session takes them back. */
  const returned = shallowRef<readonly Returned[]>([]);
  let unsubscribe: (() => void) | undefined;
  /** Ids of the messages that this page is sending. */
  const underWay = new Set<string>();
  let isReading = false;
  let isCreating = false;

  const activity = computed(() => (state.value ? activityOf(state.value) : "idle"));
  // Each depends on its own part of the state alone: a delta of the reply makes no row anew.
  const entries = computed(() => state.value?.entries ?? []);
  const view = computed(() => state.value?.view ?? "compacted");
  const rowKeys = computed(() => state.value?.rowKeys ?? {});
  const failures = computed(() => state.value?.unstoredFailures ?? []);
  const compaction = computed(() => state.value?.compaction ?? null);
  const storedRows = computed(() => rowsOf(entries.value, view.value, rowKeys.value));
  const rows = computed(() => [...storedRows.value, ...liveRows(failures.value, compaction.value)]);
  /** Acknowledged, and not yet seen among the entries or in the queue. */
  const taken = shallowRef<readonly Outgoing[]>([]);
  /** Request ids of messages that an event has shown: they are not being sent any more. */
  const shown = shallowRef<ReadonlySet<string>>(new Set());
  const outgoing = computed(() =>
    [...outbox.messages.value, ...taken.value].filter(
      ({ sessionId, requestId }) => sessionId === state.value?.sessionId && !shown.value.has(requestId),
    ),
  );

  socket.onFrame(hear);
  deliverAll();
  // Another page of this browser may have been closed before its message went out.
  watch(socket.state, (now) => now === "open" && setTimeout(deliverAll, OTHERS_WITHIN_MS));

  function open(sessionId: number, view: View) {
    if (state.value?.sessionId === sessionId) return setView(view);
    close();
    state.value = emptyState(sessionId, view);
    unsubscribe = socket.subscribe({
      sessionId,
      revision: () => (state.value?.isLoaded ? (state.value.revision ?? undefined) : undefined),
      onResume: () => apply({ type: "resumed" }),
    });
  }

  function close() {
    unsubscribe?.();
    unsubscribe = undefined;
    state.value = null;
    isMissing.value = false;
  }

  function setView(view: View) {
    apply({ type: "view_chosen", view });
  }

  function hear(frame: ServerFrame) {
    if (frame.type === "error") {
      if (frame.sessionId != null && frame.sessionId !== state.value?.sessionId) return;
      if (frame.code === "not_found") isMissing.value = true;
      fault.value = new ApiError(frame.code, frame.message);
    }
    noteShown(frame);
    apply(frame);
  }

  function apply(event: ServerFrame | LocalEvent) {
    if (!state.value) return;
    state.value = applyEvent(state.value, event, Date.now());
    if (state.value.isStale) void readAnew();
  }

  /** Read the view until it fits the tree; events go on arriving meanwhile. An answer that does not help is not asked for without end. */
  async function readAnew() {
    if (isReading) return;
    isReading = true;
    try {
      for (let attempt = 0; state.value?.isStale && attempt < MOST_READINGS; attempt += 1) {
        const { sessionId, view, entries } = state.value;
        const page = await readHistory(sessionId, view, undefined, Math.min(500, Math.max(100, entries.length)));
        if (state.value?.sessionId === sessionId) {
          state.value = applyEvent(state.value, { type: "history_read", page, isEarlier: false }, Date.now());
        }
      }
    } catch (error) {
      report(error); // the snapshot after the next connection tries again
    } finally {
      isReading = false;
    }
  }

  async function loadEarlier() {
    const now = state.value;
    const first = now?.entries[0];
    if (!now?.hasEarlier || now.isStale || !first || isReading) return;
    isReading = true;
    try {
      const page = await readHistory(now.sessionId, now.view, first.id, EARLIER_ENTRIES);
      const isSame = state.value?.view === now.view && state.value.entries[0]?.id === first.id;
      if (isSame) apply({ type: "history_read", page, isEarlier: true });
    } catch (error) {
      report(error);
    } finally {
      isReading = false;
    }
    if (state.value?.isStale) void readAnew(); // the view was switched, or the context changed, meanwhile
  }

  /** Send a message; without an open session make one and return its id. */
  async function send(text: string, agentId?: number): Promise<number | null> {
    const openId = state.value?.sessionId ?? null;
    if (openId === null && isCreating) {
      giveBack(null, text); // one conversation is on its way; a second Enter must not make another
      return null;
    }
    isCreating = openId === null;
    try {
      const sessionId = openId ?? (await createSession(agentId)).id;
      const message = { requestId: newRequestId(), sessionId, text };
      outbox.add(message);
      void deliver(message);
      return sessionId;
    } catch (error) {
      giveBack(openId, text);
      report(error);
      return null;
    } finally {
      isCreating = false;
    }
  }

  function deliverAll() {
    for (const message of outbox.messages.value) if (!underWay.has(message.requestId)) void deliver(message);
  }

  async function deliver({ requestId, sessionId, text }: Outgoing) {
    underWay.add(requestId);
    try {
      await socket.send({ type: "chat", sessionId, text, images: [] }, requestId);
      taken.value = [...taken.value, { requestId, sessionId, text }];
      setTimeout(() => (taken.value = taken.value.filter((message) => message.requestId !== requestId)), SHOWN_WITHIN_MS);
    } catch (error) {
      giveBack(sessionId, text);
      report(error);
    }
    outbox.remove(requestId);
  }

  /** Note which messages an event shows, each text once: in the queue by their request ids, among the entries by their words. */
  function noteShown(frame: ServerFrame) {
    const queue = "queue" in frame ? frame.queue : [];
    const entries = frame.type === "tree_patch" ? frame.appended : frame.type === "session_snapshot" ? frame.visibleEntries : [];
    const ids = new Set([...shown.value, ...queue.map(({ requestId }) => requestId)]);
    for (const entry of entries) {
      if (entry.type !== "message" || entry.payload.message.role !== "user") continue;
      const text = textOf(entry.payload.message);
      const sent = outgoing.value.find((message) => message.text === text && !ids.has(message.requestId));
      if (sent) ids.add(sent.requestId);
    }
    if (ids.size > shown.value.size) shown.value = ids;
  }

  function giveBack(sessionId: number | null, text: string) {
    returned.value = [...returned.value, { sessionId, text }];
  }

  /** Return what came back for a session, null for the new conversation, and forget it. */
  function takeBack(sessionId: number | null): string[] {
    const mine = returned.value.filter((message) => message.sessionId === sessionId);
    if (mine.length) returned.value = returned.value.filter((message) => message.sessionId !== sessionId);
    return mine.map(({ text }) => text);
  }

  /** Send a command for the open session; a refusal becomes `fault`. */
  async function command(wanted: DistributiveOmit<Command, "sessionId">): Promise<boolean> {
    if (!state.value) return false;
    try {
      await socket.send({ ...wanted, sessionId: state.value.sessionId } as Command);
      return true;
    } catch (error) {
      report(error);
      return false;
    }
  }

  function report(error: unknown) {
    fault.value = error instanceof ApiError ? error : new ApiError("internal", String(error));
  }

  return {
    state,
    rows,
    activity,
    outgoing,
    fault,
    isMissing,
    returned,
    giveBack,
    takeBack,
    connection: socket.state,
    open,
    close,
    setView,
    loadEarlier,
    send,
    stop: () => command({ type: "stop" }),
    retry: () => command({ type: "retry" }),
    compact: (focus?: string) => command({ type: "compact", ...(focus ? { focus } : {}) }),
    cancelCompaction: () => command({ type: "cancel_compaction" }),
    editQueued: (queueId: number, text: string) => command({ type: "edit_queued", queueId, text }),
    removeQueued: (queueId: number) => command({ type: "remove_queued", queueId }),
  };
});

type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;
