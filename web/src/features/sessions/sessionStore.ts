// The list of sessions, kept in step with what happens in them, and the one that is open.
import { useDebounceFn, useEventListener, useIntervalFn } from "@vueuse/core";
import { defineStore } from "pinia";
import { computed, shallowRef, watch } from "vue";

import { changeSession, deleteSession, listSessions, readSession } from "@/api/sessions";
import { useSocket } from "@/api/socket";
import type { ServerFrame, Session } from "@/protocol/types";

const CHANGES_LIST: ServerFrame["type"][] = ["run_start", "run_end", "compaction_start", "compaction_done", "compaction_failed"];
const SEARCH_PAUSE_MS = 250;
const REFRESH_PAUSE_MS = 150;
/** Frames come of the open session alone: while another one works, the list asks. */
const GLANCE_MS = 4_000;

export const useSessionStore = defineStore("sessions", () => {
  const socket = useSocket();
  const listed = shallowRef<Session[]>([]);
  const hasMore = shallowRef(false);
  const words = shallowRef("");
  const isLoaded = shallowRef(false);
  const isLoadingMore = shallowRef(false);
  /** Why the list could not be read. */
  const fault = shallowRef<unknown>(null);
  const currentId = shallowRef<number | null>(null);
  /** The open session where it stands on no page that was read. */
  const unlisted = shallowRef<Session | null>(null);
  let listedWords = "";
  let newest = 0;

  const sessions = computed(() => {
    const isSearch = words.value.trim() !== "";
    return unlisted.value && !isSearch ? [...listed.value, unlisted.value].sort(newestFirst) : listed.value;
  });
  const current = computed(() => [...listed.value, unlisted.value].find((session) => session?.id === currentId.value) ?? null);

  /** Say which session is open, null for none. The list is read when it has not been yet, or does not have that session. */
  function open(id: number | null) {
    currentId.value = id;
    if (unlisted.value?.id !== id) unlisted.value = null;
    if (!isLoaded.value || (id !== null && !current.value)) void refresh();
  }

  /** Read the list anew, as long as it was. An answer that a newer one has overtaken is dropped. */
  async function refresh() {
    const number = (newest += 1);
    const wantedWords = words.value.trim();
    const wantedCount = wantedWords === listedWords ? listed.value.length : 1;
    try {
      let page = await listSessions(wantedWords);
      let read = page.sessions;
      while (read.length < wantedCount && page.hasMore) {
        page = await listSessions(wantedWords, read.at(-1)?.id);
        read = joined(read, page.sessions);
      }
      const open = await readUnlisted(read);
      if (number !== newest) return;
      listed.value = read;
      listedWords = wantedWords;
      unlisted.value = open?.id === currentId.value ? open : null;
      hasMore.value = page.hasMore;
      isLoaded.value = true;
      fault.value = null;
    } catch (error) {
      if (number === newest) fault.value = error;
    }
  }

  async function readUnlisted(read: Session[]): Promise<Session | null> {
    const id = currentId.value;
    if (id === null || read.some((session) => session.id === id)) return null;
    return readSession(id).catch(() => null); // the chat page says it when a session does not exist
  }

  async function loadMore() {
    const last = listed.value.at(-1);
    if (!last || !hasMore.value || isLoadingMore.value) return;
    const number = newest;
    isLoadingMore.value = true;
    try {
      const page = await listSessions(listedWords, last.id);
      if (number !== newest) return;
      listed.value = joined(listed.value, page.sessions);
      hasMore.value = page.hasMore;
      if (page.sessions.some(({ id }) => id === unlisted.value?.id)) unlisted.value = null;
      fault.value = null;
    } catch (error) {
      fault.value = error;
    } finally {
      isLoadingMore.value = false;
    }
  }

  /** Throws ApiError. */
  async function rename(id: number, title: string) {
    const changed = await changeSession(id, { title });
    listed.value = listed.value.map((session) => (session.id === id ? changed : session)).sort(newestFirst);
    if (unlisted.value?.id === id) unlisted.value = changed;
  }

  /** Throws ApiError. */
  async function remove(id: number) {
    await deleteSession(id);
    newest += 1; // what is being read may still have it
    listed.value = listed.value.filter((session) => session.id !== id);
    if (unlisted.value?.id === id) unlisted.value = null;
  }

  const refreshSoon = useDebounceFn(refresh, REFRESH_PAUSE_MS);
  const isSeen = () => document.visibilityState === "visible";
  socket.onFrame((frame) => CHANGES_LIST.includes(frame.type) && void refreshSoon());
  watch(socket.state, (state) => state === "open" && void refreshSoon());
  watch(words, useDebounceFn(refresh, SEARCH_PAUSE_MS));
  useEventListener(window, "focus", () => void refreshSoon());
  useIntervalFn(() => isSeen() && sessions.value.some(({ state }) => state !== "idle") && void refreshSoon(), GLANCE_MS);

  return { sessions, current, currentId, hasMore, words, isLoaded, isLoadingMore, fault, open, refresh, loadMore, rename, remove };
});

/** A session that changed between two pages comes on both. */
function joined(before: Session[], page: Session[]): Session[] {
  return [...before, ...page.filter(({ id }) => !before.some((session) => session.id === id))];
}

function newestFirst(one: Session, other: Session): number {
  return Date.parse(other.updatedAt) - Date.parse(one.updatedAt) || other.id - one.id;
}
