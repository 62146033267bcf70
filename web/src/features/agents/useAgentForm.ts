// One agent in the form: what is typed, what the server holds, and the way between them.
import { computed, reactive, ref, shallowRef } from "vue";

import { changesOf, draftOf, emptyDraft, faultsOf, newAgentOf, type AgentDraft, type AgentFaults } from "./agentDraft";
import { useAgentStore } from "./agentStore";
import type { Agent } from "@/protocol/types";

/** Begin with a stored agent, or with null for a new one. */
export function useAgentForm(first: Agent | null) {
  const store = useAgentStore();
  const stored = shallowRef(first);
  const before = shallowRef(
    first
      ? draftOf(first)
      : emptyDraft(
          store.channels,
          store.tools.map(({ name }) => name),
        ),
  );
  const draft = reactive<AgentDraft>({ ...before.value });
  const isChecked = ref(false);
  const isSaving = ref(false);
  const isSaved = ref(false);
  const refusal = shallowRef<unknown>(null);

  const isDirty = computed(() => Object.keys(changesOf(draft, before.value)).length > 0);
  const faults = computed<AgentFaults>(() => (isChecked.value ? faultsOf(draft) : {}));

  /** Return the saved agent, or null if it was refused; what was typed stays in any case. */
  async function save(): Promise<Agent | null> {
    isChecked.value = true;
    if (isSaving.value || Object.keys(faultsOf(draft)).length > 0) return null;
    isSaving.value = true;
    isSaved.value = false;
    refusal.value = null;
    const sent = { ...draft };
    try {
      const saved = stored.value ? await store.change(stored.value.id, changesOf(sent, before.value)) : await store.add(newAgentOf(sent));
      stored.value = saved;
      before.value = draftOf(saved);
      takeOver(sent);
      isSaved.value = true;
      return saved;
    } catch (error) {
      refusal.value = error;
      return null;
    } finally {
      isSaving.value = false;
    }
  }

  /** Show what the server holds now, except where the user typed on while it was asked. */
  function takeOver(sent: AgentDraft) {
    const names = Object.keys(sent) as (keyof AgentDraft)[];
    const settled = names.filter((name) => draft[name] === sent[name]);
    Object.assign(draft, Object.fromEntries(settled.map((name) => [name, before.value[name]])));
  }

  return { stored, draft, faults, isDirty, isSaving, isSaved, refusal, save };
}
