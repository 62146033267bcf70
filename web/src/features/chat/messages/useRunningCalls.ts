// Which tool calls of a message are at work, or wait for their turn.
import { computed } from "vue";

import { useChatStore } from "../chatStore";
import type { Entry } from "@/protocol/types";

/** Return a function that tells whether a call without a result may still get one. */
export function useRunningCalls(entryId: () => number) {
  const chat = useChatStore();
  /** Only the newest reply of an active run can still get results. */
  const isAtWork = computed(() => {
    return chat.state?.reply ? newestReply(chat.state.entries)?.id === entryId() : false;
  });
  return (callId: string) => isAtWork.value && chat.state?.reply?.tools[callId] !== true;
}

function newestReply(entries: readonly Entry[]): Entry | undefined {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.type === "message" && entry.payload.message.role === "assistant") return entry;
  }
  return undefined;
}
