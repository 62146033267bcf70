// What is written and not yet sent, for each session, over reloads.
import { useLocalStorage } from "@vueuse/core";
import { computed } from "vue";

/** Return the draft of a session, null for the new conversation; setting it to "" removes it. */
export function useDraft(sessionId: number | null) {
  const drafts = useLocalStorage<Record<string, string>>("netaclaw.drafts", {}, { writeDefaults: false });
  const key = String(sessionId ?? "new");
  return computed({
    get: () => drafts.value[key] ?? "",
    set: (text: string) => {
      const others = Object.fromEntries(Object.entries(drafts.value).filter(([name]) => name !== key));
      drafts.value = text ? { ...others, [key]: text } : others;
    },
  });
}
