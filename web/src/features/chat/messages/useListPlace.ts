// Where the list stands: each view keeps its place while the other one is shown, and an address like `#entry-7` leads to that message.
import { nextTick, shallowRef, watch, type Ref } from "vue";
import { useRoute, useRouter } from "vue-router";
import type { VirtualizerHandle } from "virtua/vue";

import type { ListedRow } from "./useListedRows";
import { useChatStore } from "../chatStore";
import type { View } from "@/protocol/types";

/** A row and how far its top is above the window's, or the end of the list. */
type Place = "bottom" | { key: string; offset: number; isJump?: boolean };

interface List {
  scroller: Ref<HTMLElement | null>;
  /** Height of what stands before the rows. */
  startPx: number;
  rows: Ref<readonly ListedRow[]>;
  handle: Ref<VirtualizerHandle | null>;
  isAtBottom: Ref<boolean>;
  toBottom: () => void;
  onScroll: () => void;
  /** Called with the row that an address has led to. */
  onJump: (key: string) => void;
}

/** Rows above are measured as they come near, which moves the wanted one. */
const FRAMES = 10;

export function useListPlace({ scroller, startPx, rows, handle, isAtBottom, toBottom, onScroll, onJump }: List) {
  const chat = useChatStore();
  const route = useRoute();
  const router = useRouter();
  const places = new Map<View, Place>();
  const wanted = shallowRef<Place | null>("bottom");
  /** The rows as the list shows them now. */
  let shown = rows.value;

  function here(): Place {
    const [list, box] = [handle.value, scroller.value];
    if (isAtBottom.value || !list || !box) return "bottom";
    const index = Math.min(list.findItemIndex(box.scrollTop), shown.length - 1);
    const key = shown[index]?.key;
    return key ? { key, offset: box.scrollTop - startPx - list.getItemOffset(index) } : "bottom";
  }

  /** Go to the wanted place; where its row is in an earlier page, read that first: the rows change and this is called again. */
  async function settle() {
    const place = wanted.value;
    if (!place || !chat.state?.isLoaded || chat.state.isStale) return;
    if (place === "bottom") {
      wanted.value = null;
      return toBottom();
    }
    const index = rows.value.findIndex((row) => row.key === place.key);
    if (index < 0 && chat.state.hasEarlier) return chat.loadEarlier();
    wanted.value = null;
    if (index < 0) return toBottom();
    await show(index, place.offset);
    if (!place.isJump) return;
    onJump(place.key);
    await router.replace({ query: route.query, hash: "" });
  }

  async function show(index: number, offset: number) {
    await nextTick();
    for (let frame = 0; frame < FRAMES && !wanted.value; frame += 1) {
      const [list, box] = [handle.value, scroller.value];
      isAtBottom.value = false;
      if (list && box) box.scrollTop = startPx + list.getItemOffset(index) + offset;
      await new Promise(requestAnimationFrame);
    }
    onScroll();
  }

  watch(
    () => chat.state?.view,
    (view, before) => {
      if (!view || !before) return;
      const place = here();
      places.set(before, place);
      wanted.value = places.get(view) ?? place;
      isAtBottom.value = wanted.value === "bottom";
    },
    { flush: "sync" },
  );
  watch(
    () => route.hash,
    (hash) => {
      const id = /^#entry-(\d+)$/.exec(hash)?.[1];
      if (!id) return;
      wanted.value = { key: `entry-${id}`, offset: 0, isJump: true };
      isAtBottom.value = false;
    },
    { immediate: true },
  );
  watch([wanted, rows, () => chat.state?.isLoaded, () => chat.state?.isStale], settle, { flush: "post", immediate: true });
  watch(rows, (now) => (shown = now), { flush: "post" });
}
