// vue-i18n with our texts, and a `t` that knows its keys: a misspelt one does not compile.
import { createI18n, useI18n } from "vue-i18n";

import en, { type Messages } from "./en";
import { documentLanguage, isLanguage } from "./languages";
import zh from "./zh";

/** `section.text`, for every text of the page. */
export type TextKey = { [Section in keyof Messages]: `${Section}.${keyof Messages[Section] & string}` }[keyof Messages];

/** Return a translator that starts in English; the preferences feature sets the language. */
export function createTranslator() {
  return createI18n({ legacy: false, locale: "en", fallbackLocale: "en", messages: { en, zh } });
}

/**
 * Return the current language and the functions that give its texts: `t` fills `{name}` from `values` and takes the plural form
 * for `count`, `n` writes a number and `time` a moment as the language does.
 */
export function useTexts() {
  const { locale, t: translate } = useI18n();
  const t = (key: TextKey, values: Record<string, string | number> = {}, count?: number) =>
    count === undefined ? translate(key, values) : translate(key, values, count);
  const tag = () => (isLanguage(locale.value) ? documentLanguage[locale.value] : locale.value);
  const n = (value: number, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag(), options).format(value);
  const time = (value: string | number, options: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" }) =>
    new Intl.DateTimeFormat(tag(), options).format(new Date(value));
  return { locale, t, n, time };
}
