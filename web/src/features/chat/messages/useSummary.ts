// Which summary the drawer shows, and whether it is open: it keeps its content while it slides out.
import { shallowReadonly, shallowRef } from "vue";

import type { CompactionEntry } from "@/protocol/types";

const shown = shallowRef<CompactionEntry | null>(null);
const isOpen = shallowRef(false);

function open(entry: CompactionEntry) {
  shown.value = entry;
  isOpen.value = true;
}

function close() {
  isOpen.value = false;
}

export function useSummary() {
  return { shown: shallowReadonly(shown), isOpen: shallowReadonly(isOpen), open, close };
}
