// How a channel is named in a list to choose from: name, model, window, and what is wrong with it.
import { useTexts } from "@/i18n/translator";
import type { Channel } from "@/protocol/types";

export function useChannelText(): (channel: Channel) => string {
  const { t, n } = useTexts();
  return (channel) => {
    const isOffline = channel.vendor === "offline";
    const model = isOffline || channel.model === channel.name ? [] : [channel.model];
    const window = channel.windowTokens ? t("agents.windowOf", { tokens: n(channel.windowTokens) }) : t("agents.windowNotKnown");
    const marks = [isOffline ? t("agents.markOffline") : "", channel.isEnabled ? "" : t("agents.markDisabled")].filter(Boolean);
    return [channel.name, ...model, window, ...marks].join(" · ");
  };
}
