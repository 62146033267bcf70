// What the reader has folded out. Rows out of sight leave the DOM; this stays, so that they come back as they were.
import { computed, shallowReactive } from "vue";

const unfolded = shallowReactive(new Set<string>());

/** `key` names the card or block within the session. */
export function useUnfolded(key: () => string) {
  return computed({
    get: () => unfolded.has(key()),
    set: (isUnfolded) => {
      if (isUnfolded) unfolded.add(key());
      else unfolded.delete(key());
    },
  });
}

export function foldAll() {
  unfolded.clear();
}
