// Language and theme: what the user chose, else what the browser prefers. Choices are remembered in localStorage.
import { useLocalStorage, usePreferredDark } from "@vueuse/core";
import { defineStore } from "pinia";
import { computed } from "vue";

import { isLanguage, preferredLanguage, type Language } from "@/i18n/languages";

export type Theme = "light" | "dark";

/** `system` is no choice: the page follows the browser's theme, also when that changes. */
export type ThemeChoice = Theme | "system";

export const usePreferencesStore = defineStore("preferences", () => {
  const chosenLanguage = useLocalStorage("netaclaw.language", "", { writeDefaults: false });
  const chosenTheme = useLocalStorage("netaclaw.theme", "", { writeDefaults: false });
  const prefersDark = usePreferredDark();

  // What stands in localStorage may come from another version of the page: an unknown value counts as no choice.
  const language = computed<Language>(() =>
    isLanguage(chosenLanguage.value) ? chosenLanguage.value : preferredLanguage(navigator.languages),
  );
  const themeChoice = computed<ThemeChoice>(() =>
    chosenTheme.value === "light" || chosenTheme.value === "dark" ? chosenTheme.value : "system",
  );
  const theme = computed<Theme>(() => {
    if (themeChoice.value !== "system") return themeChoice.value;
    return prefersDark.value ? "dark" : "light";
  });

  function chooseLanguage(choice: Language) {
    chosenLanguage.value = choice;
  }

  function chooseTheme(choice: ThemeChoice) {
    chosenTheme.value = choice === "system" ? "" : choice;
  }

  return { language, theme, themeChoice, chooseLanguage, chooseTheme };
});
