// Figures of a finished compaction, as row and drawer show them.
import { computed } from "vue";

import { useCompactionWords } from "./compactionWords";
import { useTexts } from "@/i18n/translator";
import type { CompactionEntry } from "@/protocol/types";

/** Return the share of the tokens that a compaction saved, in whole percent, never below 0. */
export function savedPercent(before: number, after: number): number {
  return before > 0 ? Math.max(0, Math.round((100 * (before - after)) / before)) : 0;
}

export function useFigures(entry: () => CompactionEntry) {
  const { t, n } = useTexts();
  const words = useCompactionWords();
  return computed(() => {
    const { tokensBefore, tokensAfter, mode, details } = entry().payload;
    const { audit, removedCount } = details;
    const isSummary = mode === "summary";
    const model = details.model ?? details.channel;
    return {
      /** What the row says first. */
      headline: isSummary
        ? t("chat.compacted", { count: n(removedCount), percent: n(savedPercent(tokensBefore, tokensAfter)) }, removedCount)
        : t("chat.pruned", { tokens: n(Math.max(0, tokensBefore - tokensAfter)) }),
      trigger: words.trigger(details.trigger),
      tokens: t("chat.tokensFromTo", { before: n(tokensBefore), after: n(tokensAfter) }),
      messages: t("chat.messageCount", { count: n(removedCount) }, removedCount),
      duration: t("chat.seconds", { seconds: n(details.durationMs / 1_000, { maximumFractionDigits: 1 }) }),
      model: isSummary ? (model ?? "") : "",
      audit: isSummary && audit ? t("chat.audit", { checked: n(audit.checked), repaired: n(audit.repaired) }) : "",
    };
  });
}
