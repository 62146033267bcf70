// A card that opens by pointing at it, by focus and by a press, stays while the pointer is on it, and closes by Escape.
import { onClickOutside } from "@vueuse/core";
import { computed, onScopeDispose, shallowRef, type Ref } from "vue";

/** The pointer may cross the gap between the button and its card. */
const LEAVE_MS = 250;

/** Return whether the card is open, and what its root element listens to; a press on the button keeps it open until the next one. */
export function useHoverCard(root: Readonly<Ref<HTMLElement | null>>) {
  const isHovered = shallowRef(false);
  const hasFocus = shallowRef(false);
  const isPinned = shallowRef(false);
  const isOpen = computed(() => isHovered.value || hasFocus.value || isPinned.value);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function close() {
    clearTimeout(timer);
    isHovered.value = hasFocus.value = isPinned.value = false;
  }

  function press() {
    if (isPinned.value) close();
    else isPinned.value = true;
  }

  const listeners = {
    pointerenter(event: PointerEvent) {
      clearTimeout(timer);
      if (event.pointerType !== "touch") isHovered.value = true;
    },
    pointerleave() {
      timer = setTimeout(() => (isHovered.value = false), LEAVE_MS);
    },
    focusin: () => (hasFocus.value = true),
    focusout(event: FocusEvent) {
      if (event.relatedTarget instanceof Node && root.value?.contains(event.relatedTarget)) return;
      hasFocus.value = isPinned.value = false;
    },
    keydown(event: KeyboardEvent) {
      if (event.key === "Escape") close();
    },
  };

  onClickOutside(root, close);
  onScopeDispose(() => clearTimeout(timer));
  return { isOpen, press, listeners };
}
