// The column as a drawer, on phones: it holds the focus while it is open, and closes by Escape and on the way to another page.
import { useEventListener, useMediaQuery } from "@vueuse/core";
import { computed, nextTick, onScopeDispose, shallowRef, watch, type Ref } from "vue";
import { isNavigationFailure, NavigationFailureType, useRouter } from "vue-router";

type Place = Readonly<Ref<HTMLElement | null>>;

/** `opener` gets the focus back when the drawer is closed; after a change of page `main` has it, unless something in there took it. */
export function useDrawer(column: Place, main: Place, opener: () => HTMLElement | undefined) {
  const isPhone = useMediaQuery("(max-width: 768px)");
  const wantsOpen = shallowRef(false);
  const isOpen = computed(() => isPhone.value && wantsOpen.value);

  async function open() {
    wantsOpen.value = true;
    await nextTick();
    column.value?.querySelector<HTMLElement>("a, button")?.focus();
  }

  async function close() {
    if (!isOpen.value) return;
    wantsOpen.value = false;
    await nextTick();
    opener()?.focus();
  }

  /** Keys pressed in the drawer: Tab goes round in it, Escape closes it. */
  function onKeydown(event: KeyboardEvent) {
    if (!isOpen.value || event.defaultPrevented) return;
    if (event.key === "Escape") void close();
    if (event.key !== "Tab" || !column.value) return;
    const stops = [...column.value.querySelectorAll<HTMLElement>("a, button, input")].filter(({ offsetParent }) => offsetParent);
    const leaving = event.shiftKey ? stops[0] : stops.at(-1);
    if (document.activeElement !== leaving) return;
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
  }

  // A click on the link of the page that is open is the navigation that fails as duplicated: that closes the drawer, too.
  const router = useRouter();
  const stopHearing = router.afterEach(async (to, from, failure) => {
    const wasOpen = isOpen.value;
    wantsOpen.value = false;
    if (failure && !isNavigationFailure(failure, NavigationFailureType.duplicated)) return;
    if (!wasOpen && (to.path === from.path || from.matched.length === 0)) return;
    await nextTick();
    if (!main.value?.contains(document.activeElement)) main.value?.focus({ preventScroll: true });
  });
  onScopeDispose(stopHearing);
  watch(isPhone, () => (wantsOpen.value = false));
  useEventListener(column, "keydown", onKeydown);

  return { isPhone, isOpen, open, close };
}
