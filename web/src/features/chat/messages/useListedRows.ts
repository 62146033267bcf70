// The rows of the list: those of the session, then what is under way. The list measures by place, so a reply that ends gives its
// height on to the row that it becomes, and nothing moves.
import { computed } from "vue";

import { useChatStore } from "../chatStore";
import type { Outgoing } from "../outbox";
import type { Row } from "../rows";

export type ListedRow = Row | { kind: "outgoing"; key: string; message: Outgoing } | { kind: "reply"; key: string };

const REPLY: ListedRow = { kind: "reply", key: "reply" };

export function useListedRows() {
  const chat = useChatStore();
  const isReplying = computed(() => chat.activity === "running");
  return computed((): ListedRow[] => [
    ...chat.rows,
    ...chat.outgoing.map((message): ListedRow => ({ kind: "outgoing", key: message.requestId, message })),
    ...(isReplying.value ? [REPLY] : []),
  ]);
}
