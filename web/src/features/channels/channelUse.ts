// Who depends on a channel. Pure.
import type { Agent, Channel } from "@/protocol/types";

export interface ChannelUse {
  /** Agents that answer with it. */
  chat: Agent[];
  /** Agents that name it for their summaries. */
  auxiliary: Agent[];
  isDefault: boolean;
  /** Agents that have their summaries from it because it is the default. */
  inheriting: Agent[];
}

/** What is about to happen to a channel. */
export type ChannelLoss = "deleted" | "disabled" | "unticked";

/** Return who uses a channel. */
export function useOf(channelId: number, agents: readonly Agent[], defaultAuxiliaryId: number | null): ChannelUse {
  const isDefault = channelId === defaultAuxiliaryId;
  return {
    chat: agents.filter((agent) => agent.channelId === channelId),
    auxiliary: agents.filter((agent) => agent.auxiliaryMode !== "same" && agent.auxiliaryModelChannelId === channelId),
    isDefault,
    inheriting: isDefault ? agents.filter((agent) => agent.auxiliaryMode === "inherit" && !agent.auxiliaryModelChannelId) : [],
  };
}

/** Whether a loss of this kind touches anybody. */
export function isTouched(use: ChannelUse, loss: ChannelLoss): boolean {
  return use.auxiliary.length > 0 || use.isDefault || (loss !== "unticked" && use.chat.length > 0);
}

/** Return the agents that no language model answers for: their channel is the offline one, or is gone. */
export function agentsWithoutModel(agents: readonly Agent[], channels: readonly Channel[]): Agent[] {
  return agents.filter((agent) => {
    const channel = channels.find(({ id }) => id === agent.channelId);
    return !channel || channel.vendor === "offline";
  });
}

/** Whether summaries have no language model yet: no default is set, or it is the offline one, or it may not write any more. */
export function needsDefaultAuxiliary(channels: readonly Channel[], defaultAuxiliaryId: number | null): boolean {
  const channel = channels.find(({ id }) => id === defaultAuxiliaryId);
  return !channel || channel.vendor === "offline" || !channel.isAuxiliary || !channel.isEnabled;
}
