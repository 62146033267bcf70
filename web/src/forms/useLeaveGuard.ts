// Keeps what was typed but not saved from being lost by a link, the back button or a closed tab.
import { useEventListener } from "@vueuse/core";
import { shallowRef } from "vue";
import { onBeforeRouteLeave, onBeforeRouteUpdate, useRouter, type RouteLocationNormalized } from "vue-router";

/**
 * Hold back every way out while `isDirty`. `wanted` is where the user was about to go; `leave` lets it happen, `stay` forgets it.
 * A change of the query alone is no way out.
 */
export function useLeaveGuard(isDirty: () => boolean) {
  const router = useRouter();
  const wanted = shallowRef<RouteLocationNormalized | null>(null);
  let isAllowed = false;

  function guard(to: RouteLocationNormalized): boolean {
    if (isAllowed || !isDirty()) return true;
    wanted.value = to;
    return false;
  }

  function stay() {
    wanted.value = null;
  }

  async function leave() {
    const target = wanted.value;
    wanted.value = null;
    if (!target) return;
    isAllowed = true;
    await router.push(target);
    isAllowed = false;
  }

  onBeforeRouteLeave(guard);
  onBeforeRouteUpdate((to, from) => to.path === from.path || guard(to));
  useEventListener(window, "beforeunload", (event) => {
    if (isDirty()) event.preventDefault();
  });
  return { wanted, stay, leave };
}
