// The whole page in a DOM, with a server that the test plays: fetch and WebSocket are the network's edge.
import { flushPromises, mount, type VueWrapper } from "@vue/test-utils";
import axe from "axe-core";
import { createPinia } from "pinia";
import { createMemoryHistory } from "vue-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import App from "./App.vue";
import { aSession, playSessions } from "@/features/sessions/playedSessions";
import { createTranslator } from "@/i18n/translator";
import { createPageRouter } from "./router";
// The router loads these when they are opened: here their loading shall not count as the test's time.
import "@/features/agents/AgentPage.vue";
import "@/features/agents/AgentsPage.vue";
import "@/features/channels/ChannelsPage.vue";
import "@/features/settings/SettingsPage.vue";

// Rules that measure drawn text: jsdom draws nothing.
const needsLayout = { "color-contrast": { enabled: false }, "label-content-name-mismatch": { enabled: false } };

/** The message list asks the browser for sizes; jsdom has none. */
class SilentObserver {
  observe() {
    return undefined;
  }
  unobserve() {
    return undefined;
  }
  disconnect() {
    return undefined;
  }
}
Object.assign(document.defaultView ?? {}, { ResizeObserver: SilentObserver });

let page: VueWrapper | undefined;

async function openPage(path = "/chat") {
  page?.unmount();
  const router = createPageRouter(createMemoryHistory());
  await router.push(path);
  page = mount(App, { attachTo: document.body, global: { plugins: [createPinia(), createTranslator(), router] } });
  await vi.waitFor(() => expect(page?.find("[data-testid=session-item]").exists()).toBe(true));
  return router;
}

const element = (testId: string) => document.querySelector<HTMLElement>(`[data-testid=${testId}]`);
const text = (testId: string) => element(testId)?.textContent?.trim();

async function press(testId: string) {
  element(testId)?.click();
  await flushPromises();
}

/** The width of a phone, as far as style sheets are concerned. */
function playPhone() {
  const query = (media: string) => Object.assign(new EventTarget(), { media, matches: media.includes("max-width") });
  vi.stubGlobal("matchMedia", query);
}

beforeEach(() => {
  localStorage.clear();
  playSessions([aSession(1, { isCompacted: true }), aSession(2, { title: "" })]);
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["en-GB"]);
});

afterEach(() => {
  page?.unmount();
  page = undefined;
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

describe("the page", () => {
  it("lists the conversations and opens on a new one", async () => {
    await openPage();
    expect(page?.findAll("[data-testid=session-item] .title").map((item) => item.text())).toEqual(["Session 1", "New conversation"]);
    expect(page?.find("[data-testid=new-conversation]").exists()).toBe(true);
  });

  it("names what is open in the document's title", async () => {
    const router = await openPage();
    const titles = [];
    for (const path of ["/chat", "/chat/1", "/chat/2", "/agents", "/agents/new", "/channels", "/settings"]) {
      await router.push(path);
      await flushPromises();
      titles.push(document.title);
    }
    expect(titles).toEqual(
      ["New conversation", "Session 1", "New conversation", "Agents", "Agents", "Model channels", "Settings"].map(
        (title) => `${title} · NetaClaw`,
      ),
    );
  });

  it("switches the full history of a compacted conversation on and off", async () => {
    const router = await openPage("/chat/1");
    await press("history-switch");
    await vi.waitFor(() => expect(router.currentRoute.value.fullPath).toBe("/chat/1?view=full"));
    expect(element("history-switch")?.getAttribute("aria-pressed")).toBe("true");
    await vi.waitFor(() => expect(element("history-banner")).not.toBeNull());
    await press("history-switch");
    await vi.waitFor(() => expect(router.currentRoute.value.fullPath).toBe("/chat/1"));
    await vi.waitFor(() => expect(element("history-banner")).toBeNull());
  });

  it("marks the link of the page that is open, and gives the page the focus", async () => {
    const router = await openPage();
    page?.get<HTMLElement>('a[href="/settings"]').element.click();
    await vi.waitFor(() => expect(router.currentRoute.value.path).toBe("/settings"));
    await flushPromises();
    expect(page?.findAll("[aria-current=page]").map((link) => link.text())).toEqual(["Settings"]);
    expect(document.activeElement?.id).toBe("content");
  });
});

describe("the column on a phone", () => {
  beforeEach(playPhone);

  it("is closed, and opens with the focus in it and the page behind it inert", async () => {
    await openPage("/chat/1");
    expect(element("column")?.style.display).toBe("none");
    expect(text("open-menu")).toBe("");
    expect(page?.get("header").text()).toBe("Session 1");
    await press("open-menu");
    expect(element("column")?.style.display).toBe("");
    expect(element("column")?.contains(document.activeElement)).toBe(true);
    expect(page?.get("main").attributes("inert")).toBeDefined();
  });

  it("closes by Escape, by its button and by the mask, and gives the focus back", async () => {
    await openPage();
    const ways = [
      () => element("column")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })),
      () => element("close-menu")?.click(),
      () => element("menu-mask")?.click(),
    ];
    for (const close of ways) {
      await press("open-menu");
      close();
      await flushPromises();
      expect(element("column")?.style.display).toBe("none");
      expect(document.activeElement).toBe(element("open-menu"));
    }
  });

  it.each(["/chat", "/chat/1"])("closes on the way from %s to a new conversation", async (path) => {
    const router = await openPage(path);
    await press("open-menu");
    await press("new-session");
    await vi.waitFor(() => expect(element("column")?.style.display).toBe("none"));
    expect(router.currentRoute.value.path).toBe("/chat");
    expect(page?.get("main").element.contains(document.activeElement)).toBe(true);
  });
});

describe("language and theme", () => {
  const isDark = () => document.documentElement.classList.contains("dark");

  it("are Chinese for a Chinese browser", async () => {
    vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr", "zh-TW", "en"]);
    await openPage();
    expect([text("new-session"), document.documentElement.lang, document.title]).toEqual(["新对话", "zh-CN", "新对话 · NetaClaw"]);
  });

  it("change by their buttons and are remembered", async () => {
    await openPage();
    expect([document.documentElement.lang, isDark()]).toEqual(["en", false]);
    await press("language-switch");
    await press("theme-switch");
    expect([text("new-session"), document.documentElement.lang, isDark()]).toEqual(["新对话", "zh-CN", true]);
    await openPage();
    expect([text("new-session"), document.documentElement.lang, isDark()]).toEqual(["新对话", "zh-CN", true]);
  });

  it("can be chosen on the page of the settings, where the theme can follow the system again", async () => {
    await openPage("/settings");
    await press("theme-switch");
    await vi.waitFor(() => expect(element("theme-choice")).not.toBeNull());
    expect(element("theme-choice")?.querySelector<HTMLInputElement>("input:checked")?.value).toBe("dark");
    element("theme-choice")?.querySelector<HTMLInputElement>("input[value=system]")?.click();
    element("language-choice")?.querySelector<HTMLInputElement>("input[value=zh]")?.click();
    await flushPromises();
    expect([page?.get("main h1").text(), isDark()]).toEqual(["系统设置", false]);
  });
});

describe("accessibility", () => {
  it.each(["/chat", "/chat/1", "/settings"])("breaks no rule in either language: %s", async (path) => {
    await openPage(path);
    await vi.waitFor(() => expect(page?.find("main h1").exists()).toBe(true));
    for (const language of ["en", "zh-CN"]) {
      expect(document.documentElement.lang).toBe(language);
      const { violations } = await axe.run(document, { rules: needsLayout });
      expect(violations.map((violation) => `${violation.id} ${violation.nodes[0]?.html}`)).toEqual([]);
      await press("language-switch");
    }
  });
});
