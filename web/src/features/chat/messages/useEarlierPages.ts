// Reads earlier pages as the reader comes near the start of what is loaded.
import { nextTick, shallowRef, watch, type Ref } from "vue";

import type { ListedRow } from "./useListedRows";
import { useChatStore } from "../chatStore";

const NEAR_TOP_PX = 400;

export function useEarlierPages(scroller: Ref<HTMLElement | null>, rows: Ref<readonly ListedRow[]>) {
  const chat = useChatStore();
  const isLoading = shallowRef(false);
  /** True only for the change that puts earlier rows before the present ones: then the list keeps its place from the end. */
  const isPrepending = shallowRef(false);

  async function load() {
    if (isLoading.value || !chat.state?.hasEarlier || !chat.state.isLoaded) return;
    isLoading.value = true;
    await chat.loadEarlier();
    isLoading.value = false;
  }

  function onScroll() {
    if (scroller.value && scroller.value.scrollTop < NEAR_TOP_PX) void load();
  }

  watch(
    rows,
    (now, before) => {
      const isSameEnd = now.at(-1)?.key === before.at(-1)?.key;
      isPrepending.value = isSameEnd && now.length > before.length && now[0]?.key !== before[0]?.key;
    },
    { flush: "sync" },
  );

  /** A first page that does not fill the window can never be scrolled. */
  watch(rows, async () => {
    await nextTick();
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const box = scroller.value;
    if (box && box.clientHeight > 0 && box.scrollHeight <= box.clientHeight) void load();
  });

  return { isLoading, isPrepending, load, onScroll };
}
