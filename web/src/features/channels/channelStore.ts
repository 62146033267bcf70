// The model channels, and the agents and settings that depend on them.
import { defineStore } from "pinia";
import { ref, shallowRef } from "vue";

import {
  changeAgent,
  changeChannel,
  createChannel,
  deleteChannel,
  listAgents,
  listChannels,
  listModels,
  readDefaultAuxiliary,
  setDefaultAuxiliary,
  testChannel,
} from "@/api/configuration";
import type { Agent, Channel, ChannelChange, ChannelTest, KnownModel, NewChannel } from "@/protocol/types";

/** A test that runs, or how it went; `error` is set where the server itself could not be asked. */
export interface TestState {
  isRunning: boolean;
  outcome?: ChannelTest;
  error?: unknown;
}

export const useChannelStore = defineStore("channels", () => {
  const channels = shallowRef<Channel[]>([]);
  const agents = shallowRef<Agent[]>([]);
  const models = shallowRef<KnownModel[]>([]);
  const defaultAuxiliaryId = ref<number | null>(null);
  const isLoaded = ref(false);
  const failure = shallowRef<unknown>(null);
  const tests = ref(new Map<number, TestState>());

  async function load() {
    failure.value = null;
    try {
      [channels.value, agents.value, models.value, defaultAuxiliaryId.value] = await Promise.all([
        listChannels(),
        listAgents(),
        listModels(),
        readDefaultAuxiliary(),
      ]);
      isLoaded.value = true;
    } catch (error) {
      failure.value = error;
    }
  }

  async function add(channel: NewChannel): Promise<Channel> {
    const added = await createChannel(channel);
    channels.value = [...channels.value, added];
    return added;
  }

  async function change(id: number, changes: ChannelChange): Promise<Channel> {
    const changed = await changeChannel(id, changes);
    channels.value = channels.value.map((channel) => (channel.id === id ? changed : channel));
    tests.value.delete(id);
    return changed;
  }

  async function remove(id: number) {
    await deleteChannel(id);
    channels.value = channels.value.filter((channel) => channel.id !== id);
    tests.value.delete(id);
  }

  async function test(id: number) {
    if (tests.value.get(id)?.isRunning) return;
    tests.value.set(id, { isRunning: true });
    try {
      tests.value.set(id, { isRunning: false, outcome: await testChannel(id) });
    } catch (error) {
      tests.value.set(id, { isRunning: false, error });
    }
  }

  async function useFor(agent: Agent, channelId: number) {
    const changed = await changeAgent(agent.id, { channelId });
    agents.value = agents.value.map((each) => (each.id === agent.id ? changed : each));
  }

  async function makeDefaultAuxiliary(channelId: number) {
    await setDefaultAuxiliary(channelId);
    defaultAuxiliaryId.value = channelId;
  }

  return {
    channels,
    agents,
    models,
    defaultAuxiliaryId,
    isLoaded,
    failure,
    tests,
    load,
    add,
    change,
    remove,
    test,
    useFor,
    makeDefaultAuxiliary,
  };
});
