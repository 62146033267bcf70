// vue-i18n with our texts, and a `t` that knows its keys: a misspelt one does not compile.
import { createI18n, useI18n } from "vue-i18n";

import en, { type Messages } from "./en";
import zh from "./zh";

/** `section.text`, for every text of the page. */
export type TextKey = { [Section in keyof Messages]: `${Section}.${keyof Messages[Section] & string}` }[keyof Messages];

/** Return a translator that starts in English; the preferences feature sets the language. */
export function createTranslator() {
  return createI18n({ legacy: false, locale: "en", fallbackLocale: "en", messages: { en, zh } });
}

/** Return the current language and the function that gives its texts, `{name}` filled from `values`. */
export function useTexts() {
  const { locale, t: translate } = useI18n();
  const t = (key: TextKey, values: Record<string, string | number> = {}) => translate(key, values);
  return { locale, t };
}
