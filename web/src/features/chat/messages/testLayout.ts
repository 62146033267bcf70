// jsdom lays nothing out: this says how large things are, so that the list knows what is in sight. Layout is the browser's edge.
import { vi } from "vitest";

const WINDOW_PX = 600;
const ROW_PX = 60;

class PlayedResizeObserver {
  constructor(private readonly callback: (entries: { target: Element; contentRect: { width: number; height: number } }[]) => void) {}

  observe(target: Element) {
    const height = target.getAttribute("role") === "log" ? WINDOW_PX : ROW_PX;
    queueMicrotask(() => this.callback([{ target, contentRect: { width: 800, height } }]));
  }

  unobserve() {
    // nothing changes its size
  }

  disconnect() {
    // nothing changes its size
  }
}

/** A window of ten rows that scrolls as far as the rows reach. */
export function playLayout() {
  vi.stubGlobal("ResizeObserver", PlayedResizeObserver);
  vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => setTimeout(() => callback(0)));
  const define = (name: string, get: (this: HTMLElement) => unknown) =>
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get });
  define("offsetParent", function () {
    return this.parentElement;
  });
  define("clientHeight", () => WINDOW_PX);
  define("scrollHeight", function () {
    const sized = [...this.querySelectorAll<HTMLElement>("[style*='height']")].map((node) => parseFloat(node.style.height) || 0);
    return Math.max(WINDOW_PX, ...sized);
  });
  const tops = new WeakMap<Element, number>();
  Object.defineProperty(HTMLElement.prototype, "scrollTop", {
    configurable: true,
    get(this: HTMLElement) {
      return tops.get(this) ?? 0;
    },
    set(this: HTMLElement, top: number) {
      const before = this.scrollTop;
      tops.set(this, Math.max(0, Math.min(top, this.scrollHeight - this.clientHeight)));
      if (this.scrollTop !== before) queueMicrotask(() => this.dispatchEvent(new Event("scroll")));
    },
  });
  Element.prototype.scrollTo = function (this: Element, to: ScrollToOptions) {
    this.scrollTop = to.top ?? 0;
  } as typeof Element.prototype.scrollTo;
  Element.prototype.scrollBy = function (this: Element, by: ScrollToOptions) {
    this.scrollTop += by.top ?? 0;
  } as typeof Element.prototype.scrollBy;
}

/** Let what waits for frames and measurements come to rest. */
export async function settled() {
  for (let step = 0; step < 12; step += 1) await new Promise((done) => setTimeout(done, 4));
}
