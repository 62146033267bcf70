// Messages that were sent and not yet acknowledged. They stand in localStorage, so that a reload in the wrong moment loses nothing.
import { useLocalStorage } from "@vueuse/core";

export interface Outgoing {
  requestId: string;
  sessionId: number;
  text: string;
}

/** Return the outbox; what another page of the same browser adds appears in it, too. */
export function useOutbox() {
  const messages = useLocalStorage<Outgoing[]>("netaclaw.outbox", [], {
    writeDefaults: false,
    serializer: { read: readOutgoing, write: JSON.stringify },
  });

  function add(message: Outgoing) {
    messages.value = [...messages.value, message];
  }

  function remove(requestId: string) {
    messages.value = messages.value.filter((message) => message.requestId !== requestId);
  }

  return { messages, add, remove };
}

/** What stands in localStorage may come from anywhere: what is no message is dropped. */
function readOutgoing(raw: string): Outgoing[] {
  try {
    const found: unknown = JSON.parse(raw);
    return Array.isArray(found) ? found.filter(isOutgoing) : [];
  } catch {
    return [];
  }
}

function isOutgoing(found: unknown): found is Outgoing {
  const { requestId, sessionId, text } = (found ?? {}) as Partial<Outgoing>;
  return typeof requestId === "string" && requestId !== "" && Number.isSafeInteger(sessionId) && typeof text === "string";
}
