// Carries language and theme to where they take effect: the translator and the document's root element.
import { watchEffect } from "vue";

import { usePreferencesStore } from "./preferencesStore";
import { documentLanguage } from "@/i18n/languages";
import { useTexts } from "@/i18n/translator";

/** Keep translator, `lang` attribute and theme class in step with the preferences, as long as the calling component lives. */
export function useDocumentPreferences() {
  const preferences = usePreferencesStore();
  const { locale } = useTexts();

  watchEffect(() => {
    locale.value = preferences.language;
    document.documentElement.lang = documentLanguage[preferences.language];
  });
  watchEffect(() => {
    document.documentElement.classList.toggle("dark", preferences.theme === "dark");
  });
}
