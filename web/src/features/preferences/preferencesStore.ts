// Language and theme: what the user chose, else what the browser prefers. Choices are remembered in localStorage.
import { useLocalStorage, usePreferredDark } from "@vueuse/core";
import { defineStore } from "pinia";
import { computed } from "vue";

import { isLanguage, preferredLanguage, type Language } from "@/i18n/languages";

export type Theme = "light" | "dark";

export const usePreferencesStore = defineStore("preferences", () => {
  const chosenLanguage = useLocalStorage("netaclaw.language", "", { writeDefaults: false });
  const chosenTheme = useLocalStorage("netaclaw.theme", "", { writeDefaults: false });
  const prefersDark = usePreferredDark();

  // What stands in localStorage may come from another version of the page: an unknown value counts as no choice.
  const language = computed<Language>(() =>
    isLanguage(chosenLanguage.value) ? chosenLanguage.value : preferredLanguage(navigator.languages),
  );
  const theme = computed<Theme>(() => {
    if (chosenTheme.value === "light" || chosenTheme.value === "dark") return chosenTheme.value;
    return prefersDark.value ? "dark" : "light";
  });

  function toggleLanguage() {
    chosenLanguage.value = language.value === "zh" ? "en" : "zh";
  }

  function toggleTheme() {
    chosenTheme.value = theme.value === "dark" ? "light" : "dark";
  }

  return { language, theme, toggleLanguage, toggleTheme };
});
