// What is written and not yet sent, for each session, over reloads.
import { useLocalStorage } from "@vueuse/core";
import { computed } from "vue";

/** Return the draft of a session, null for the new conversation; setting it to "" removes it. */
export function useDraft(sessionId: number | null) {
  const drafts = useLocalStorage<Record<string, string>>(
    "netaclaw.drafts",
    {},
    { writeDefaults: false, serializer: { read: readDrafts, write: JSON.stringify } },
  );
  const key = String(sessionId ?? "new");
  return computed({
    get: () => drafts.value[key] ?? "",
    set: (text: string) => {
      const others = Object.fromEntries(Object.entries(drafts.value).filter(([name]) => name !== key));
      drafts.value = text ? { ...others, [key]: text } : others;
    },
  });
}

/** What stands in localStorage may come from anywhere: what is no text is dropped. */
function readDrafts(raw: string): Record<string, string> {
  try {
    const found: unknown = JSON.parse(raw);
    const entries = typeof found === "object" && found !== null ? Object.entries(found) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return {};
  }
}
