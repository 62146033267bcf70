// Opens a page of the router in a test, as the browser would, in either language.
import { flushPromises, mount, type VueWrapper } from "@vue/test-utils";
import axe from "axe-core";
import { createPinia } from "pinia";
import { defineComponent, h, type Component } from "vue";
import { createMemoryHistory, createRouter, RouterView, type RouteRecordRaw } from "vue-router";

import { createTranslator } from "@/i18n/translator";
import type { Language } from "@/i18n/languages";

export interface OpenedPage {
  page: VueWrapper;
  /** Find by test id in the whole document: dialogs stand outside of the page. */
  find: (testId: string) => HTMLElement | null;
  all: (testId: string) => HTMLElement[];
  click: (testId: string) => Promise<void>;
  /** Type into the input with this test id, or into the one within it, and leave it. */
  type: (testId: string, text: string) => Promise<void>;
  path: () => string;
  go: (path: string) => Promise<void>;
}

/** Open `path` with the given pages; what else is linked to is an empty page. */
export async function openPage(path: string, pages: Record<string, Component>, language: Language = "en"): Promise<OpenedPage> {
  const empty = defineComponent({ render: () => h("p") });
  const addresses = { chat: "/chat", channels: "/channels", agents: "/agents", agent: "/agents/:id(\\d+|new)", settings: "/settings" };
  const routes: RouteRecordRaw[] = Object.entries(addresses).map(([name, address]) => ({
    name,
    path: address,
    component: pages[name] ?? empty,
  }));
  const router = createRouter({ history: createMemoryHistory(), routes });
  const translator = createTranslator();
  translator.global.locale.value = language;
  document.documentElement.lang = language;
  document.title = "NetaClaw";
  await router.push(path);
  const Main = defineComponent({ render: () => h("main", h(RouterView)) });
  const page = mount(Main, { attachTo: document.body, global: { plugins: [createPinia(), translator, router] } });
  await flushPromises();

  const all = (testId: string) => [...document.querySelectorAll<HTMLElement>(`[data-testid="${testId}"]`)];
  const find = (testId: string) => all(testId)[0] ?? null;

  async function click(testId: string) {
    const target = find(testId);
    if (!target) throw new Error(`There is no ${testId}`);
    (target.querySelector<HTMLElement>("input[type=checkbox]") ?? target).click();
    await flushPromises();
  }

  async function type(testId: string, text: string) {
    const target = find(testId);
    const input = target?.matches("input, textarea") ? target : target?.querySelector("input, textarea");
    if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) throw new Error(`There is no input ${testId}`);
    input.value = text;
    input.dispatchEvent(new Event("input"));
    input.dispatchEvent(new Event("change"));
    await flushPromises();
  }

  async function go(to: string) {
    await router.push(to);
    await flushPromises();
  }

  return { page, find, all, click, type, path: () => router.currentRoute.value.fullPath, go };
}

/** Return the accessibility rules that the document breaks; those that measure drawn text are left to the browser tests. */
export async function brokenRules(): Promise<string[]> {
  const rules = { "color-contrast": { enabled: false }, region: { enabled: false }, "page-has-heading-one": { enabled: false } };
  const { violations } = await axe.run(document, { rules });
  return violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.html}`);
}
