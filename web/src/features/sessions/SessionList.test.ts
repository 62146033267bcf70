// The list of sessions against a played server.
import { flushPromises, mount, type VueWrapper } from "@vue/test-utils";
import { createPinia } from "pinia";
import { createMemoryHistory, createRouter } from "vue-router";
import { afterEach, describe, expect, it, vi } from "vitest";

import { aSession, breakConnection, playSessions, say } from "./playedSessions";
import SessionList from "./SessionList.vue";
import { createTranslator } from "@/i18n/translator";

let page: VueWrapper;

async function open(path = "/chat") {
  const routes = [{ path: "/chat/:id(\\d+)?", name: "chat", component: { render: () => null } }];
  const router = createRouter({ history: createMemoryHistory(), routes });
  await router.push(path);
  page = mount(SessionList, { attachTo: document.body, global: { plugins: [createPinia(), createTranslator(), router] } });
  await flushPromises();
  return router;
}

const all = (testId: string) => [...document.querySelectorAll<HTMLElement>(`[data-testid=${testId}]`)];
const titles = () => page.findAll("[data-testid=session-item] .title").map((title) => title.text());
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 2_000 });

async function click(testId: string, number = 0) {
  await until(() => expect(all(testId)[number]).toBeDefined());
  all(testId)[number]?.click();
  await flushPromises();
}

async function write(testId: string, text: string, key = "Enter", over: KeyboardEventInit = {}) {
  const field = all(testId)[0]?.matches("input") ? all(testId)[0] : all(testId)[0]?.querySelector("input");
  if (!(field instanceof HTMLInputElement)) throw new Error(`There is no field ${testId}`);
  field.value = text;
  field.dispatchEvent(new Event("input"));
  field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...over }));
  await flushPromises();
}

async function startRename() {
  await click("session-menu");
  await click("rename-session");
  await until(() => expect(all("session-title")).not.toEqual([]));
}

afterEach(() => {
  page.unmount();
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

describe("the list of sessions", () => {
  it("names a session without a title, marks the open one and those that work", async () => {
    playSessions([aSession(1, { title: "" }), aSession(2, { state: "running" }), aSession(3, { state: "compacting" })]);
    await open("/chat/2");
    expect(page.findAll("[data-testid=session-item] a").map((link) => link.text())).toEqual([
      "New conversation",
      "Session 2, The agent is answering",
      "Session 3, The context is being compacted",
    ]);
    expect(page.findAll("[aria-current=page]").map((link) => link.text())).toEqual(["Session 2, The agent is answering"]);
  });

  it("says that there are none, and that none was found", async () => {
    playSessions([]);
    await open();
    expect(page.text()).toContain("No conversations yet");
    await write("session-search", "bananas");
    await until(() => expect(page.text()).toContain("No title contains “bananas”"));
  });

  it("searches titles once the typing pauses", async () => {
    const server = playSessions([aSession(1, { title: "Apples" }), aSession(2, { title: "Pears" })]);
    await open();
    for (const words of ["p", "pe", "pea"]) await write("session-search", words);
    await until(() => expect(titles()).toEqual(["Pears"]));
    expect(server.readings.filter((reading) => reading.includes("query=p"))).toEqual(["query=pea&limit=50"]);
  });

  it("reads further pages, and keeps them when the list is read anew", async () => {
    const server = playSessions([1, 2, 3, 4, 5].map((id) => aSession(id)).reverse(), { pageSize: 2 });
    await open();
    expect(titles()).toEqual(["Session 5", "Session 4"]);
    await click("more-sessions");
    expect(titles()).toEqual(["Session 5", "Session 4", "Session 3", "Session 2"]);
    server.sessions = server.sessions.map((session) => ({ ...session, title: "" }));
    await say({ type: "run_end", sessionId: 5 });
    await until(() => expect(titles()).toEqual(Array(4).fill("New conversation")));
    await click("more-sessions");
    await until(() => expect(all("more-sessions")).toEqual([]));
    expect(page.findAll("[data-testid=session-item]").length).toBe(5);
  });

  it.each(["run_start", "run_end", "compaction_done", "compaction_failed"])("is read anew after %s", async (type) => {
    const server = playSessions([aSession(1)]);
    await open();
    server.sessions = [aSession(1, { isCompacted: true })];
    expect(all("history-switch")).toEqual([]);
    await say({ type, sessionId: 1 });
    await until(() => expect(all("history-switch").length).toBe(1));
  });

  it("is read anew when the window gets the focus and when the connection comes back", async () => {
    const server = playSessions([aSession(1)]);
    await open();
    server.sessions = [aSession(1, { title: "Renamed elsewhere" })];
    window.dispatchEvent(new Event("focus"));
    await until(() => expect(titles()).toEqual(["Renamed elsewhere"]));
    server.sessions = [aSession(1, { title: "Renamed again" })];
    breakConnection();
    await until(() => expect(titles()).toEqual(["Renamed again"]));
  });

  it("takes in a session that is opened and stands on no page that was read", async () => {
    const server = playSessions([aSession(2), aSession(1, { title: "Old", updatedAt: "2020-01-01T00:00:00Z" })], { pageSize: 1 });
    const router = await open("/chat/1");
    await until(() => expect(titles()).toEqual(["Session 2", "Old"]));
    server.sessions = [aSession(3), ...server.sessions];
    server.pageSize = 9;
    await router.push("/chat/3");
    await until(() => expect(titles()).toEqual(["Session 3", "Session 2", "Old"]));
  });

  it("offers to try again when it could not be read", async () => {
    const server = playSessions([aSession(1)], {
      refusal: { status: 503, code: "storage_error", message: "The disk is full", every: true },
    });
    await open();
    expect(all("sessions-fault")[0]?.textContent).toContain("The disk is full");
    server.refusal = null;
    await page.get("[data-testid=sessions-fault] button").trigger("click");
    await until(() => expect(titles()).toEqual(["Session 1"]));
    expect(all("sessions-fault")).toEqual([]);
  });
});

describe("the history switch", () => {
  it("stands at compacted sessions alone and follows the address", async () => {
    playSessions([aSession(1, { isCompacted: true }), aSession(2)]);
    const router = await open("/chat/1");
    const state = () => all("history-switch").map((button) => [button.getAttribute("aria-pressed"), button.title]);
    expect(state()).toEqual([["false", "Show the full history"]]);
    await click("history-switch");
    await until(() => expect(router.currentRoute.value.fullPath).toBe("/chat/1?view=full"));
    expect(state()).toEqual([["true", "Show the compacted view"]]);
    await router.push("/chat/1");
    expect(state()).toEqual([["false", "Show the full history"]]);
    await router.push("/chat/2");
    await click("history-switch");
    await until(() => expect(router.currentRoute.value.fullPath).toBe("/chat/1?view=full"));
  });
});

describe("a new title", () => {
  it("is kept by Enter and gives the focus back to the session", async () => {
    const server = playSessions([aSession(1)]);
    await open();
    await startRename();
    await write("session-title", "  Plans  ");
    expect(server.changes).toEqual([["PATCH", "/api/sessions/1", { title: "Plans" }]]);
    expect(titles()).toEqual(["Plans"]);
    expect(document.activeElement?.textContent).toContain("Plans");
  });

  it("is dropped by Escape, and an empty one changes nothing", async () => {
    const server = playSessions([aSession(1)]);
    await open();
    await startRename();
    await write("session-title", "Plans", "Escape");
    await startRename();
    await write("session-title", "   ");
    expect(server.changes).toEqual([]);
    expect(titles()).toEqual(["Session 1"]);
  });

  it("is not kept by the Enter of an input method", async () => {
    const server = playSessions([aSession(1)]);
    await open();
    await startRename();
    await write("session-title", "计划", "Enter", { isComposing: true });
    await write("session-title", "计划", "Enter", { keyCode: 229 });
    expect(server.changes).toEqual([]);
    expect(all("session-title").length).toBe(1);
  });

  it("stays in the field when the server refuses it", async () => {
    playSessions([aSession(1)], { refusal: { status: 503, code: "storage_error", message: "The disk is full" } });
    await open();
    await startRename();
    await write("session-title", "Plans");
    expect(page.text()).toContain("The disk is full");
    expect(page.get<HTMLInputElement>("[data-testid=session-title]").element.value).toBe("Plans");
    await write("session-title", "Plans");
    expect(titles()).toEqual(["Plans"]);
  });
});

describe("the deletion of a session", () => {
  async function ask(number = 0) {
    await click("session-menu", number);
    await click("delete-session");
    await until(() => expect(all("confirm-ok").length).toBe(1));
  }

  it("says first what is lost, and can be cancelled", async () => {
    const server = playSessions([aSession(1)]);
    await open();
    await ask();
    expect(all("confirm-dialog")[0]?.textContent).toContain("“Session 1” is deleted with all its messages and summaries");
    await click("confirm-cancel");
    expect(server.changes).toEqual([]);
    expect(titles()).toEqual(["Session 1"]);
  });

  it("leaves the page where another session is open", async () => {
    const server = playSessions([aSession(1), aSession(2)]);
    const router = await open("/chat/1");
    await ask(1);
    await click("confirm-ok");
    expect(server.changes).toEqual([["DELETE", "/api/sessions/2", null]]);
    expect(titles()).toEqual(["Session 1"]);
    expect(router.currentRoute.value.fullPath).toBe("/chat/1");
    expect(page.text()).toContain("Deleted: Session 2");
  });

  it("goes on to a new conversation where the deleted one was open", async () => {
    playSessions([aSession(1), aSession(2)]);
    const router = await open("/chat/1?view=full");
    await ask();
    await click("confirm-ok");
    await until(() => expect(router.currentRoute.value.fullPath).toBe("/chat"));
    expect(titles()).toEqual(["Session 2"]);
  });

  it("shows in the dialog why it was refused", async () => {
    const server = playSessions([aSession(1)]);
    await open();
    await ask();
    server.refusal = { status: 503, code: "storage_error", message: "The disk is full" };
    await click("confirm-ok");
    expect(all("confirm-dialog")[0]?.textContent).toContain("The disk is full");
    expect(titles()).toEqual(["Session 1"]);
  });
});
