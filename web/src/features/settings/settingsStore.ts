// System settings: which channel writes summaries where an agent names none; and the server's version.
import { defineStore } from "pinia";
import { computed, shallowRef } from "vue";

import { readVersion } from "@/api/about";
import { listChannels, readDefaultAuxiliary, setDefaultAuxiliary } from "@/api/configuration";
import type { Channel } from "@/protocol/types";

/** Why the channel that is set cannot write summaries. */
export type Trouble = "none" | "missing" | "disabled" | "unticked";

export const useSettingsStore = defineStore("settings", () => {
  const channels = shallowRef<Channel[]>([]);
  const auxiliaryId = shallowRef<number | null>(null);
  const version = shallowRef("");
  const isLoaded = shallowRef(false);
  const isSaved = shallowRef(false);
  /** Why the settings could not be read; why the newest choice was not saved. */
  const loadFault = shallowRef<unknown>(null);
  const saveFault = shallowRef<unknown>(null);

  const choices = computed(() => channels.value.filter(({ isAuxiliary, isEnabled }) => isAuxiliary && isEnabled));
  const auxiliary = computed(() => channels.value.find(({ id }) => id === auxiliaryId.value) ?? null);
  const trouble = computed<Trouble | null>(() => {
    if (auxiliaryId.value === null) return "none";
    if (!auxiliary.value) return "missing";
    if (!auxiliary.value.isEnabled) return "disabled";
    return auxiliary.value.isAuxiliary ? null : "unticked";
  });

  async function load() {
    isSaved.value = false;
    saveFault.value = null;
    try {
      [channels.value, auxiliaryId.value, version.value] = await Promise.all([listChannels(), readDefaultAuxiliary(), readVersion()]);
      isLoaded.value = true;
      loadFault.value = null;
    } catch (error) {
      loadFault.value = error;
    }
  }

  async function chooseAuxiliary(id: number | null) {
    isSaved.value = false;
    saveFault.value = null;
    try {
      await setDefaultAuxiliary(id);
      auxiliaryId.value = id;
      isSaved.value = true;
    } catch (error) {
      saveFault.value = error;
    }
  }

  return { channels, auxiliaryId, auxiliary, version, isLoaded, isSaved, loadFault, saveFault, choices, trouble, load, chooseAuxiliary };
});
