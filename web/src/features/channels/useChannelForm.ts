// One channel in the form: what is typed, what the server holds, and the way between them.
import { computed, reactive, ref, shallowRef, watch } from "vue";

import { changesOf, draftOf, emptyDraft, faultsOf, freeName, newChannelOf, type ChannelDraft, type ChannelFaults } from "./channelDraft";
import { useChannelStore } from "./channelStore";
import { knownModel, offeredVendors, vendorFacts } from "./vendors";
import type { Channel } from "@/protocol/types";

/** Begin with a stored channel, or with null for a new one. */
export function useChannelForm(first: Channel | null) {
  const store = useChannelStore();
  const stored = shallowRef(first);
  const before = shallowRef(first ? draftOf(first, store.models) : firstDraft());
  const draft = reactive({ ...before.value });
  const isChecked = ref(false);
  const isSaving = ref(false);
  const isSaved = ref(false);
  const refusal = shallowRef<unknown>(null);

  const isDirty = computed(() => Object.keys(changesOf(draft, before.value)).length > 0);
  const faults = computed<ChannelFaults>(() => (isChecked.value ? faultsOf(draft, stored.value) : {}));
  const known = computed(() => knownModel(draft.model, store.models));
  const test = computed(() => (stored.value && !isDirty.value ? store.tests.get(stored.value.id) : undefined));

  function firstDraft() {
    return emptyDraft(offeredVendors(true)[0] ?? "openai_compatible", takenNames());
  }

  function takenNames() {
    return store.channels.map(({ name }) => name);
  }

  watch(
    () => draft.vendor,
    (vendor, previous) => {
      if (!stored.value && draft.name === freeName(previous, takenNames())) draft.name = freeName(vendor, takenNames());
      if (vendor === "offline") draft.model = "offline";
      else if (known.value ? !vendorFacts(vendor).hasModel(known.value.name) : draft.model === "offline") draft.model = "";
    },
  );

  /** Another model was chosen: limits of the old one do not hold for it, back at the old one they do. */
  function followModel() {
    const { model, windowTokens, maxOutputTokens } = before.value;
    const isSame = draft.model.trim() === model;
    if (!isSame && draft.windowTokens === windowTokens) draft.windowTokens = null;
    else if (isSame && draft.windowTokens === null) draft.windowTokens = windowTokens;
    if (!isSame && draft.maxOutputTokens === maxOutputTokens) draft.maxOutputTokens = null;
    else if (isSame && draft.maxOutputTokens === null) draft.maxOutputTokens = maxOutputTokens;
  }

  /** Return whether the server took it; what was typed stays in any case. */
  async function save(): Promise<boolean> {
    isChecked.value = true;
    if (isSaving.value || Object.keys(faultsOf(draft, stored.value)).length > 0) return false;
    isSaving.value = true;
    isSaved.value = false;
    refusal.value = null;
    const sent = { ...draft };
    try {
      const changes = changesOf(draft, before.value);
      const saved = stored.value ? await store.change(stored.value.id, changes) : await store.add(newChannelOf(draft));
      stored.value = saved;
      before.value = draftOf(saved, store.models);
      takeOver(sent);
      isChecked.value = false;
      isSaved.value = true;
      return true;
    } catch (error) {
      refusal.value = error;
      return false;
    } finally {
      isSaving.value = false;
    }
  }

  /** Show what the server holds now, except where the user typed on while it was asked. */
  function takeOver(sent: ChannelDraft) {
    const names = Object.keys(sent) as (keyof ChannelDraft)[];
    const settled = names.filter((name) => draft[name] === sent[name]);
    Object.assign(draft, Object.fromEntries(settled.map((name) => [name, before.value[name]])));
  }

  /** Test what is typed; it is saved first, because the server asks with what it holds. */
  async function saveAndTest() {
    if ((!stored.value || isDirty.value) && !(await save())) return;
    if (stored.value) await store.test(stored.value.id);
  }

  return { stored, draft, faults, known, isDirty, isSaving, isSaved, refusal, test, followModel, save, saveAndTest };
}
