// Which channel would write an agent's summaries, and what is wrong with it. The server's `runtime/auxiliary.py` decides in earnest.
import type { AuxiliaryChoice } from "./agentDraft";
import type { TextKey } from "@/i18n/translator";
import type { Channel } from "@/protocol/types";

export interface Auxiliary {
  channel: Channel | null;
  /** Why it cannot write summaries; null if it can. */
  fault: TextKey | null;
}

/** Return the auxiliary channel of a choice. */
export function auxiliaryOf(
  choice: AuxiliaryChoice,
  chatChannelId: number | null,
  channels: readonly Channel[],
  defaultId: number | null,
): Auxiliary {
  const find = (id: number | null) => channels.find((channel) => channel.id === id) ?? null;
  if (choice === "same") return { channel: find(chatChannelId), fault: null };
  if (choice !== "inherit") return checked(find(choice));
  return defaultId === null ? { channel: null, fault: "agents.auxiliaryNone" } : checked(find(defaultId));
}

/** Return the channels that may be chosen, and the chosen one even where it may not any more. */
export function offeredAuxiliaries(choice: AuxiliaryChoice, channels: readonly Channel[]): Channel[] {
  return channels.filter((channel) => (channel.isAuxiliary && channel.isEnabled) || channel.id === choice);
}

function checked(channel: Channel | null): Auxiliary {
  if (!channel) return { channel, fault: "agents.auxiliaryMissing" };
  if (!channel.isEnabled) return { channel, fault: "agents.auxiliaryDisabled" };
  if (!channel.isAuxiliary) return { channel, fault: "agents.auxiliaryUnticked" };
  return { channel, fault: null };
}
