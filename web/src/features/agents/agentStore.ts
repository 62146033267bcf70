// The agents, and the channels and tools that can be chosen for them.
import { defineStore } from "pinia";
import { ref, shallowRef } from "vue";

import { changeAgent, createAgent, deleteAgent, listAgents, listChannels, listTools, readDefaultAuxiliary } from "@/api/configuration";
import type { Agent, AgentChange, Channel, NewAgent, Tool } from "@/protocol/types";

export const useAgentStore = defineStore("agents", () => {
  const agents = shallowRef<Agent[]>([]);
  const channels = shallowRef<Channel[]>([]);
  const tools = shallowRef<Tool[]>([]);
  const defaultAuxiliaryId = ref<number | null>(null);
  const isLoaded = ref(false);
  const failure = shallowRef<unknown>(null);

  async function load() {
    failure.value = null;
    try {
      [agents.value, channels.value, tools.value, defaultAuxiliaryId.value] = await Promise.all([
        listAgents(),
        listChannels(),
        listTools(),
        readDefaultAuxiliary(),
      ]);
      isLoaded.value = true;
    } catch (error) {
      failure.value = error;
    }
  }

  async function add(agent: NewAgent): Promise<Agent> {
    const added = await createAgent(agent);
    agents.value = [...agents.value, added];
    return added;
  }

  async function change(id: number, changes: AgentChange): Promise<Agent> {
    const changed = await changeAgent(id, changes);
    agents.value = agents.value.map((agent) => (agent.id === id ? changed : agent));
    return changed;
  }

  async function remove(id: number) {
    await deleteAgent(id);
    agents.value = agents.value.filter((agent) => agent.id !== id);
  }

  return { agents, channels, tools, defaultAuxiliaryId, isLoaded, failure, load, add, change, remove };
});
