// The languages of the page, and the one to begin with.

export const languages = ["zh", "en"] as const;

export type Language = (typeof languages)[number];

/** Value of the document's `lang` attribute for each language. */
export const documentLanguage: Record<Language, string> = { zh: "zh-CN", en: "en" };

/** What each language calls itself. */
export const languageNames: Record<Language, string> = { zh: "中文", en: "English" };

export function isLanguage(value: string): value is Language {
  return languages.some((language) => language === value);
}

/** Chinese if the browser's user prefers any Chinese to English, else English. */
export function preferredLanguage(browserLanguages: readonly string[]): Language {
  const known = browserLanguages.map((tag) => tag.toLowerCase().split("-")[0] ?? "").filter(isLanguage);
  return known[0] ?? "en";
}
