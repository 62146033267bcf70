// The size of the context in the words of the status line.
import type { Level } from "./contextLevel";
import { useTexts } from "@/i18n/translator";
import type { ContextUsage } from "@/protocol/types";

/** Return functions that put the size of a context in words; a `~` says that a figure is an estimate. */
export function useContextWords() {
  const { t, n } = useTexts();

  function used(context: ContextUsage): string {
    return `${context.estimated ? "~" : ""}${n(context.usedTokens)}`;
  }

  function levelWord(context: ContextUsage, level: Level): string {
    if (level === "warn") return t("context.nearLimit");
    if (level !== "danger") return "";
    return (context.percent ?? 0) > 100 ? t("context.overWindow") : t("context.almostFull");
  }

  /** Return the pieces of the status line; on a narrow screen it breaks between them. */
  function pieces(context: ContextUsage, level: Level): string[] {
    const count = context.compactionCount;
    const threshold = t("context.threshold", { percent: n(context.thresholdPercent) });
    const size = context.maxTokens
      ? [t("context.size", { used: used(context), max: n(context.maxTokens) }), threshold]
      : [t("context.usedOnly", { used: used(context) }), t("context.unknownWindow")];
    const automatic = context.isAutomatic ? "" : t("context.automaticOff");
    return [...size, automatic, t("context.compacted", { count: n(count) }, count), levelWord(context, level)].filter(Boolean);
  }

  /** Return what the threshold's mark says. */
  function tick(context: ContextUsage): string {
    const label = t("context.tick", { percent: n(context.thresholdPercent), tokens: n(context.thresholdTokens) });
    const share = Math.floor((context.thresholdPercent * (context.maxTokens ?? 0)) / 100);
    const limited = context.thresholdTokens < share ? t("context.limited") : "";
    return [label, limited, context.isAutomatic ? "" : t("context.automaticOff")].filter(Boolean).join(" · ");
  }

  return { levelWord, pieces, tick };
}
