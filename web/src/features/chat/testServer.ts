// A server that a component test plays, and a page around one component. WebSocket and fetch are the network's edge.
import { flushPromises, mount } from "@vue/test-utils";
import { createPinia, setActivePinia } from "pinia";
import type { Component } from "vue";
import { createMemoryHistory, createRouter } from "vue-router";
import { vi } from "vitest";

import { useChatStore } from "./chatStore";
import type { Language } from "@/i18n/languages";
import { createTranslator } from "@/i18n/translator";
import type { ContextUsage, ServerFrame, SessionSnapshot } from "@/protocol/types";

type Sent = Record<string, unknown> & { type: string; requestId: string };

class PlayedConnection extends EventTarget {
  static readonly CONNECTING = 0;
  static newest: PlayedConnection;
  readyState = 1;
  sent: Sent[] = [];

  constructor(readonly url: string) {
    super();
    PlayedConnection.newest = this;
  }

  send(text: string) {
    this.sent.push(JSON.parse(text) as Sent);
  }

  close() {
    this.dispatchEvent(new Event("close"));
  }
}

vi.stubGlobal("WebSocket", PlayedConnection);

export const aContext = (over: Partial<ContextUsage> = {}): ContextUsage => ({
  usedTokens: 12_345,
  maxTokens: 128_000,
  percent: 9.6,
  thresholdPercent: 70,
  thresholdTokens: 89_600,
  reserveTokens: 8_192,
  isAutomatic: true,
  estimated: false,
  source: "provider",
  breakdown: { system: 1_000, tools: 2_000, summary: 0, user: 345, assistant: 4_000, results: 5_000 },
  compactionCount: 2,
  ...over,
});

/** Mount a component on the page of session 1, or with null on the page of a new conversation. */
export async function openPage(
  component: Component,
  snapshot: Partial<SessionSnapshot> | null = {},
  language: Language = "en",
  props: Record<string, unknown> = {},
) {
  const pinia = createPinia();
  setActivePinia(pinia);
  const chat = useChatStore();
  const connection = PlayedConnection.newest;
  if (chat.connection !== "open") connection.dispatchEvent(new Event("open"));
  connection.sent = [];

  async function say(frame: object) {
    connection.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ sessionId: 1, ...frame }) }));
    await flushPromises();
  }

  /** Answer the newest command of a type, by default with an acknowledgement. */
  async function answer(type: string, frame: object = { type: "ack" }) {
    const command = connection.sent.filter((sent) => sent.type === type).at(-1);
    if (!command) throw new Error(`the page has sent no ${type}`);
    connection.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ requestId: command.requestId, ...frame }) }));
    await flushPromises();
  }

  if (snapshot) {
    chat.open(1, "compacted");
    await say({
      type: "session_snapshot",
      revision: 1,
      visibleEntries: [],
      context: aContext(),
      queue: [],
      state: "idle",
      isCompacted: false,
      ...snapshot,
    } satisfies Partial<ServerFrame>);
  }
  const translator = createTranslator();
  translator.global.locale.value = language;
  const path = "/:rest(.*)*";
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: "/chat/:id(\\d+)?", name: "chat", component: { render: () => null } },
      { path, component: { render: () => null } },
    ],
  });
  await router.push(snapshot ? "/chat/1" : "/chat");
  const wrapper = mount(component, { props, attachTo: document.body, global: { plugins: [pinia, translator, router] } });
  await flushPromises();
  const commands = () => connection.sent.filter(({ type }) => !["subscribe", "unsubscribe"].includes(type));
  const named = (testId: string) => wrapper.find(`[data-testid=${testId}]`);
  return { chat, wrapper, router, say, answer, commands, named };
}

export type Page = Awaited<ReturnType<typeof openPage>>;
