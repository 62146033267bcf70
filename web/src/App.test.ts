// The first page as a user meets it, in a DOM without a server.
import { mount, type VueWrapper } from "@vue/test-utils";
import axe from "axe-core";
import { createPinia } from "pinia";
import { nextTick } from "vue";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import App from "./App.vue";
import { createTranslator } from "@/i18n/translator";

// Rules that measure drawn text: jsdom draws nothing.
const needsLayout = { "color-contrast": { enabled: false }, "label-content-name-mismatch": { enabled: false } };

let page: VueWrapper | undefined;

function openPage() {
  page?.unmount();
  page = mount(App, { attachTo: document.body, global: { plugins: [createPinia(), createTranslator()] } });
  return page;
}

async function press(testId: string) {
  await page?.get(`[data-testid=${testId}]`).trigger("click");
  await nextTick();
}

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["en-GB"]);
});

afterEach(() => {
  page?.unmount();
  page = undefined;
});

describe("the first page", () => {
  it("shows the two commands to try", () => {
    expect(
      openPage()
        .findAll("code")
        .map((code) => code.text()),
    ).toEqual(["netaclaw compact FILE", "netaclaw inspect FILE"]);
  });

  it("opens in Chinese for a Chinese browser", async () => {
    vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr", "zh-TW", "en"]);
    openPage();
    await nextTick();
    expect(page?.get("h1").text()).toBe("智能体对话，不再止于上下文窗口");
    expect(document.documentElement.lang).toBe("zh-CN");
  });

  it("changes the language of text, title and document, and remembers it", async () => {
    openPage();
    expect(document.documentElement.lang).toBe("en");
    await press("language-switch");
    const seen = () => [page?.get("h1").text(), document.title, document.documentElement.lang];
    const chinese = ["智能体对话，不再止于上下文窗口", "NetaClaw · 智能体对话，不再止于上下文窗口", "zh-CN"];
    expect(seen()).toEqual(chinese);
    openPage();
    await nextTick();
    expect(seen()).toEqual(chinese);
  });

  it("changes the theme and remembers it", async () => {
    openPage();
    const isDark = () => document.documentElement.classList.contains("dark");
    expect(isDark()).toBe(false);
    await press("theme-switch");
    expect(isDark()).toBe(true);
    openPage();
    expect(isDark()).toBe(true);
    await press("theme-switch");
    expect(isDark()).toBe(false);
  });

  it("takes an unknown remembered value for no choice", () => {
    localStorage.setItem("netaclaw.language", "tlh");
    localStorage.setItem("netaclaw.theme", "sepia");
    openPage();
    expect(document.documentElement.lang).toBe("en");
    expect(document.documentElement.classList.contains("dark")).toBe(false);
  });

  it("breaks no accessibility rule in either language", async () => {
    openPage();
    for (const language of ["en", "zh-CN"]) {
      expect(document.documentElement.lang).toBe(language);
      const { violations } = await axe.run(document, { rules: needsLayout });
      expect(violations.map((violation) => violation.help)).toEqual([]);
      await press("language-switch");
    }
  });
});
