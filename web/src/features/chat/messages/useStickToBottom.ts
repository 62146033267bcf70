// Keeps the end in sight as long as the reader is there, and leaves a reader who has scrolled up alone.
import { useEventListener, useResizeObserver } from "@vueuse/core";
import { nextTick, onScopeDispose, shallowRef, type Ref } from "vue";

const NEAR_PX = 24;
/** Rows are measured as they come into sight, so one jump may end above the end. */
const FRAMES = 5;
/** How long after a turn of the wheel a scroll may be its effect. */
const WHEEL_MS = 500;
const KEYS_UP = ["ArrowUp", "PageUp", "Home"];

const nextFrame = () => new Promise(requestAnimationFrame);

/** `content` is what grows inside the scroller. */
export function useStickToBottom(scroller: Ref<HTMLElement | null>, content: Ref<HTMLElement | null>) {
  const isAtBottom = shallowRef(true);
  let lastTop = 0;
  let framesLeft = 0;
  let isHeld = false;
  let isGone = false;
  let isDragging = false;
  let movedUpAt = -WHEEL_MS;

  const gap = (box: HTMLElement) => box.scrollHeight - box.scrollTop - box.clientHeight;
  const isReaderMoving = () => isDragging || performance.now() - movedUpAt < WHEEL_MS;

  /**
   * A scroll upwards lets go. While the end is followed, only one of the reader's own does: the list moves, too, where rows turn out
   * to be smaller than expected.
   */
  function onScroll() {
    const box = scroller.value;
    if (!box) return;
    if (gap(box) <= NEAR_PX) isAtBottom.value = true;
    else if (box.scrollTop < lastTop && (framesLeft <= 0 || isReaderMoving())) isAtBottom.value = false;
    lastTop = box.scrollTop;
  }

  async function toBottom() {
    isAtBottom.value = true;
    const isOnItsWay = framesLeft > 0;
    framesLeft = FRAMES;
    if (isOnItsWay) return;
    await nextTick();
    for (; framesLeft > 0 && isAtBottom.value && !isGone; framesLeft -= 1) {
      if (scroller.value) scroller.value.scrollTop = scroller.value.scrollHeight;
      await nextFrame();
    }
    framesLeft = 0;
  }

  function follow() {
    if (isAtBottom.value && !isHeld) void toBottom();
  }

  /** The reader folds something out: what they have clicked on must stay under the pointer, even at the bottom. */
  async function hold() {
    isHeld = true;
    framesLeft = 0;
    await nextFrame();
    await nextFrame();
    isHeld = false;
    if (scroller.value && gap(scroller.value) > NEAR_PX) isAtBottom.value = false;
  }

  const moveUp = () => (movedUpAt = performance.now());
  useEventListener(scroller, "wheel", (event: WheelEvent) => event.deltaY < 0 && moveUp(), { passive: true });
  useEventListener(scroller, "touchmove", moveUp, { passive: true });
  useEventListener(scroller, "keydown", (event: KeyboardEvent) => KEYS_UP.includes(event.key) && moveUp());
  useEventListener(scroller, "pointerdown", () => (isDragging = true));
  useEventListener(window, ["pointerup", "pointercancel"], () => (isDragging = false));
  useResizeObserver([scroller, content], follow);
  onScopeDispose(() => (isGone = true));
  return { isAtBottom, onScroll, toBottom, hold };
}
