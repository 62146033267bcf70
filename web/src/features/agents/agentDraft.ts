// An agent while it is edited: from the server's form and back, and what is wrong with it. Pure.
import type { TextKey } from "@/i18n/translator";
import type { Agent, AgentChange, Channel, NewAgent } from "@/protocol/types";

/** Who writes the summaries: the system's default, the chat model, or the channel with this id. */
export type AuxiliaryChoice = "inherit" | "same" | number;

export interface AgentDraft {
  name: string;
  prompt: string;
  channelId: number | null;
  thinkingLevel: NonNullable<NewAgent["thinkingLevel"]>;
  tools: string[];
  workspace: string;
  maxSteps: number;
  auxiliary: AuxiliaryChoice;
  /** Null inherits. */
  thresholdPercent: number | null;
  /** Null inherits. */
  protectFirstN: number | null;
  isAutoCompaction: boolean;
  usesMainModel: boolean;
}

export type AgentField = "name" | "prompt" | "workspace";
export type AgentFaults = Partial<Record<AgentField, TextKey>>;

export const DEFAULT_THRESHOLD_PERCENT = 70;
export const DEFAULT_PROTECT_FIRST_N = 3;
const DEFAULT_MAX_STEPS = 50;

/** Return the draft of a new agent: all tools, and a language model where there is one. */
export function emptyDraft(channels: readonly Channel[], tools: readonly string[]): AgentDraft {
  const usable = channels.filter(({ isEnabled }) => isEnabled);
  const channel = usable.find(({ vendor }) => vendor !== "offline") ?? usable[0];
  return draftOf({ id: 0, name: "", channelId: channel?.id ?? null, tools: [...tools] });
}

/** Return the draft of a stored agent. */
export function draftOf(agent: Agent): AgentDraft {
  return {
    name: agent.name,
    prompt: agent.prompt ?? "",
    channelId: agent.channelId ?? null,
    thinkingLevel: agent.thinkingLevel ?? "off",
    tools: [...(agent.tools ?? [])],
    workspace: agent.workspace ?? "",
    maxSteps: agent.maxSteps ?? DEFAULT_MAX_STEPS,
    auxiliary: auxiliaryOf(agent),
    thresholdPercent: agent.compactionThresholdPercent ?? null,
    protectFirstN: agent.compactionProtectFirstN ?? null,
    isAutoCompaction: agent.isAutoCompaction ?? true,
    usesMainModel: agent.useMainModelWhenAuxiliaryFails ?? false,
  };
}

function auxiliaryOf({ auxiliaryMode, auxiliaryModelChannelId }: Agent): AuxiliaryChoice {
  if (auxiliaryMode === "same") return "same";
  return auxiliaryModelChannelId ?? "inherit";
}

/** Return the body that makes this agent. */
export function newAgentOf(draft: AgentDraft): NewAgent {
  const isChannel = typeof draft.auxiliary === "number";
  return {
    name: draft.name.trim(),
    prompt: draft.prompt,
    channelId: draft.channelId,
    thinkingLevel: draft.thinkingLevel,
    tools: draft.tools,
    workspace: draft.workspace.trim() || null,
    maxSteps: draft.maxSteps,
    auxiliaryMode: isChannel ? "channel" : (draft.auxiliary as "inherit" | "same"),
    auxiliaryModelChannelId: isChannel ? (draft.auxiliary as number) : null,
    compactionThresholdPercent: draft.thresholdPercent,
    compactionProtectFirstN: draft.protectFirstN,
    isAutoCompaction: draft.isAutoCompaction,
    useMainModelWhenAuxiliaryFails: draft.usesMainModel,
  };
}

/** Return only what differs from `before`. */
export function changesOf(draft: AgentDraft, before: AgentDraft): AgentChange {
  const now = newAgentOf(draft);
  const then = newAgentOf(before);
  const names = (Object.keys(now) as (keyof NewAgent)[]).filter((name) => !isSame(now[name], then[name]));
  return Object.fromEntries(names.map((name) => [name, now[name]]));
}

function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return [...one].sort().join(" ") === [...other].sort().join(" ");
  return one === other;
}

/** Return what the server would refuse, by field; whether the folder exists only the server knows. */
export function faultsOf(draft: AgentDraft): AgentFaults {
  const faults: AgentFaults = {};
  if (!draft.name.trim()) faults.name = "agents.nameMissing";
  else if (draft.name.length > 200) faults.name = "agents.nameTooLong";
  if (draft.prompt.length > 400_000) faults.prompt = "agents.promptTooLong";
  const workspace = draft.workspace.trim();
  if (workspace && !/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(workspace)) faults.workspace = "agents.workspaceNotFull";
  return faults;
}
