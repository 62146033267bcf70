// Reasons, triggers and stages of compactions and runs in words of the page's language.
import { useTexts, type TextKey } from "@/i18n/translator";

const REASONS: Record<string, TextKey> = {
  no_auxiliary_model: "chat.reasonNoAuxiliaryModel",
  auxiliary_unavailable: "chat.reasonAuxiliaryUnavailable",
  auxiliary_auth: "chat.reasonAuxiliaryAuth",
  auxiliary_timeout: "chat.reasonAuxiliaryTimeout",
  auxiliary_error: "chat.reasonAuxiliaryError",
  auxiliary_overflow: "chat.reasonAuxiliaryOverflow",
  empty_summary: "chat.reasonEmptySummary",
  short_summary: "chat.reasonShortSummary",
  truncated_summary: "chat.reasonTruncatedSummary",
  refused_summary: "chat.reasonRefusedSummary",
  inflated_summary: "chat.reasonInflatedSummary",
  ineffective: "chat.reasonIneffective",
  busy: "chat.reasonBusy",
  cancelled: "chat.reasonCancelled",
  stale: "chat.reasonStale",
  storage_error: "chat.reasonStorageError",
  nothing_to_compact: "chat.reasonNothingToCompact",
  message_too_large: "chat.reasonMessageTooLarge",
  system_prompt_too_large: "chat.reasonSystemPromptTooLarge",
};

const RUN_REASONS: Record<string, TextKey> = {
  interrupted: "chat.runInterrupted",
  stopped: "chat.runStopped",
  cancelled: "chat.runStopped",
  step_limit: "chat.runStepLimit",
  no_channel: "chat.runNoChannel",
  provider_auth: "chat.runAuth",
  provider_busy: "chat.runBusy",
  provider_rejected: "chat.runRejected",
  context_overflow: "chat.runOverflow",
  message_too_large: "chat.runOverflow",
  system_prompt_too_large: "chat.runSystemPrompt",
  storage_error: "chat.runStorage",
};

const TRIGGERS: Record<string, TextKey> = {
  auto: "chat.triggerAuto",
  manual: "chat.triggerManual",
  overflow: "chat.triggerOverflow",
  model_switch: "chat.triggerModelSwitch",
  background: "chat.triggerBackground",
};

const STAGES: Record<string, TextKey> = {
  count: "chat.stageCount",
  read: "chat.stageRead",
  summarise: "chat.stageSummarise",
  audit: "chat.stageAudit",
};

export interface Remedy {
  to: string;
  text: TextKey;
}

const SETTINGS: Remedy = { to: "/settings", text: "chat.openSettings" };
const CHANNELS: Remedy = { to: "/channels", text: "chat.openChannels" };
const AGENTS: Remedy = { to: "/agents", text: "chat.openAgents" };

const REMEDIES: Record<string, Remedy> = {
  no_auxiliary_model: SETTINGS,
  auxiliary_unavailable: SETTINGS,
  auxiliary_auth: CHANNELS,
  auxiliary_timeout: CHANNELS,
  auxiliary_error: CHANNELS,
  auxiliary_overflow: CHANNELS,
  no_channel: AGENTS,
  provider_auth: CHANNELS,
  provider_rejected: CHANNELS,
  system_prompt_too_large: AGENTS,
};

/** Return where one mends what has gone wrong, null where there is no such place. */
export function remedyOf(reason: string | null | undefined): Remedy | null {
  return (reason && REMEDIES[reason]) || null;
}

export function useCompactionWords() {
  const { t } = useTexts();
  const word = (words: Record<string, TextKey>, key: string | null | undefined) => {
    const text = key ? words[key] : undefined;
    return text ? t(text) : (key ?? "");
  };
  return {
    reason: (key: string) => word(REASONS, key),
    runReason: (key: string | null | undefined) => (key && RUN_REASONS[key] ? t(RUN_REASONS[key]) : t("chat.runFailed")),
    trigger: (key: string | null) => word(TRIGGERS, key),
    stage: (key: string | null) => word(STAGES, key),
  };
}
