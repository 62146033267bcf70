// Language and theme, and what is remembered of them.
import { createPinia, setActivePinia } from "pinia";
import { nextTick } from "vue";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { usePreferencesStore } from "./preferencesStore";

/** The system's theme, as the browser tells it. */
class PlayedTheme extends EventTarget {
  constructor(public matches: boolean) {
    super();
  }
  become(isDark: boolean) {
    this.matches = isDark;
    this.dispatchEvent(Object.assign(new Event("change"), { matches: isDark }));
  }
}

function open(system = new PlayedTheme(false)) {
  vi.stubGlobal("matchMedia", () => system);
  setActivePinia(createPinia());
  return usePreferencesStore();
}

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr", "en-GB"]);
});

describe("the theme", () => {
  it("follows the system until one is chosen", async () => {
    const system = new PlayedTheme(false);
    const preferences = open(system);
    expect([preferences.themeChoice, preferences.theme]).toEqual(["system", "light"]);
    system.become(true);
    await nextTick();
    expect(preferences.theme).toBe("dark");
    preferences.chooseTheme("light");
    expect([preferences.themeChoice, preferences.theme]).toEqual(["light", "light"]);
    preferences.chooseTheme("system");
    expect([preferences.themeChoice, preferences.theme]).toEqual(["system", "dark"]);
  });

  it("is remembered, and an unknown one counts as no choice", async () => {
    open().chooseTheme("dark");
    await nextTick();
    expect(open().themeChoice).toBe("dark");
    localStorage.setItem("netaclaw.theme", "sepia");
    expect(open().themeChoice).toBe("system");
  });
});

describe("the language", () => {
  it("is the browser's until one is chosen, and is remembered", async () => {
    expect(open().language).toBe("en");
    open().chooseLanguage("zh");
    await nextTick();
    expect(open().language).toBe("zh");
    localStorage.setItem("netaclaw.language", "tlh");
    expect(open().language).toBe("en");
  });
});
