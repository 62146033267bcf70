// Who answers in the open session, and what should be said about it: is it a language model at all?
import { defineStore } from "pinia";
import { computed, shallowRef } from "vue";

import { listAgents, listChannels, readDefaultAuxiliary } from "@/api/configuration";
import { readSession } from "@/api/sessions";
import type { Agent, Channel } from "@/protocol/types";

export const useModelStore = defineStore("chatModel", () => {
  const agents = shallowRef<Agent[]>([]);
  const channels = shallowRef<Channel[]>([]);
  const defaultAuxiliaryId = shallowRef<number | null>(null);
  const sessionAgentId = shallowRef<number | null>(null);
  /** The agent of the next new conversation; null takes the first. */
  const chosenAgentId = shallowRef<number | null>(null);
  const isLoaded = shallowRef(false);

  const agent = computed(() => agents.value.find(({ id }) => id === sessionAgentId.value) ?? null);
  const channel = computed(() => channels.value.find(({ id }) => id === agent.value?.channelId) ?? null);
  const isOffline = computed(() => channel.value?.vendor === "offline");
  const hasRealChannel = computed(() => channels.value.some(({ vendor, isEnabled }) => vendor !== "offline" && isEnabled));
  /** How the summaries of an agent that takes the system's default are written. */
  const auxiliary = computed<"own" | "unset" | "offline" | "real">(() => {
    if (agent.value && agent.value.auxiliaryMode !== "inherit") return "own";
    const found = channels.value.find(({ id }) => id === defaultAuxiliaryId.value);
    if (!found) return "unset";
    return found.vendor === "offline" ? "offline" : "real";
  });
  let newest = 0;

  /** Read all anew; `sessionId` null means the new conversation. After a failure nothing is claimed: the socket says that the server is away. */
  async function refresh(sessionId: number | null) {
    const mine = ++newest;
    try {
      const session = sessionId === null ? null : readSession(sessionId);
      const read = await Promise.all([listAgents(), listChannels(), readDefaultAuxiliary(), session]);
      if (mine !== newest) return;
      [agents.value, channels.value, defaultAuxiliaryId.value] = read;
      const isKnown = agents.value.some(({ id }) => id === chosenAgentId.value);
      if (!isKnown) chosenAgentId.value = null;
      sessionAgentId.value = read[3] ? read[3].agentId : (chosenAgentId.value ?? agents.value[0]?.id ?? null);
      isLoaded.value = true;
    } catch {
      if (mine === newest) isLoaded.value = false;
    }
  }

  function choose(agentId: number) {
    chosenAgentId.value = agentId;
    sessionAgentId.value = agentId;
  }

  return {
    agents,
    agent,
    channel,
    isOffline,
    hasRealChannel,
    auxiliary,
    chosenAgentId,
    sessionAgentId,
    isLoaded,
    refresh,
    choose,
  };
});
