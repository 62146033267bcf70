// What the page that is open is called: in the document's title and, on phones, in the top bar.
import { computed, watchEffect } from "vue";
import { useRoute } from "vue-router";

import { useTexts, type TextKey } from "@/i18n/translator";

const TITLES: Record<string, TextKey> = {
  agents: "app.agents",
  agent: "app.agents",
  channels: "app.channels",
  settings: "app.settings",
};

/** Return the title of the page and keep the document's title in step with it. */
export function usePageTitle(conversationTitle: () => string | null) {
  const { t } = useTexts();
  const route = useRoute();
  const title = computed(() => {
    const key = TITLES[String(route.name)];
    if (key) return t(key);
    if (!route.params.id) return t("sessions.new");
    return conversationTitle() ?? "";
  });
  watchEffect(() => {
    document.title = [title.value, t("app.title")].filter(Boolean).join(" · ");
  });
  return title;
}
