// Writing, sending and commands, by the keys that a user presses.
import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import ChatComposer from "./ChatComposer.vue";
import { user } from "../testEntries";
import { openPage, type Page } from "../testServer";

let page: Page;

beforeEach(() => localStorage.clear());
afterEach(() => page.wrapper.unmount());

const open = async (...arguments_: [(object | null)?, ("zh" | "en")?]) => (page = await openPage(ChatComposer, ...arguments_));
const field = () => page.named("composer");
const text = () => (field().element as HTMLTextAreaElement).value;
const sent = () => page.wrapper.emitted("send") ?? [];
const hint = () => (page.named("composer-hint").exists() ? page.named("composer-hint").text() : "");
const options = () => page.wrapper.findAll("[role=option]");
const marked = () => page.wrapper.find("[role=option][aria-selected=true]").find("code").text();

async function write(words: string) {
  await field().setValue(words);
}

async function press(key: string, over: object = {}) {
  await field().trigger("keydown", { key, ...over });
  await flushPromises();
}

describe("the composer", () => {
  it("sends by Enter and starts a line by Shift+Enter", async () => {
    await open();
    await write("hello");
    await press("Enter", { shiftKey: true });
    expect(sent()).toEqual([]);
    await press("Enter");
    expect([sent(), text()]).toEqual([[["hello"]], ""]);
  });

  it.each([
    ["while an input method composes", { isComposing: true }],
    ["that ends a composition, as Safari reports it after its end", { isComposing: false, keyCode: 229 }],
  ])("does not send by an Enter %s", async (_, key) => {
    await open();
    await write("你好");
    await press("Enter", key);
    expect([sent(), text()]).toEqual([[], "你好"]);
    await press("Enter");
    expect(sent()).toEqual([["你好"]]);
  });

  it("does not take a command by an Enter of the input method", async () => {
    await open({ visibleEntries: [user(1, "hi")] });
    await write("/comp");
    await press("Enter", { keyCode: 229 });
    expect([page.commands(), text()]).toEqual([[], "/comp"]);
  });

  it("sends nothing where nothing is written", async () => {
    await open();
    await write("  \n ");
    await press("Enter");
    expect(sent()).toEqual([]);
    expect(page.named("send").attributes("disabled")).toBeDefined();
  });

  it("keeps a draft for each session, also for the new conversation", async () => {
    await open();
    await write("for one");
    page.wrapper.unmount();
    await open(null);
    expect(text()).toBe("");
    await write("for a new one");
    page.wrapper.unmount();
    await open();
    expect(text()).toBe("for one");
    page.wrapper.unmount();
    await open(null);
    expect(text()).toBe("for a new one");
  });

  it("takes a refused message back before what was written meanwhile", async () => {
    await open();
    await page.chat.send("first");
    await write("second");
    await page.answer("chat", { type: "error", code: "storage_error", message: "disk full" });
    expect(text()).toBe("first\nsecond");
    expect(page.chat.fault?.code).toBe("storage_error");
  });

  it("leaves another session's refused message to that session", async () => {
    await open(null);
    page.chat.giveBack(7, "for seven");
    await flushPromises();
    expect(text()).toBe("");
    expect(page.chat.takeBack(7)).toEqual(["for seven"]);
  });

  it("has a button and a key that stop the agent, beside the one that sends", async () => {
    await open();
    expect(page.named("stop").exists()).toBe(false);
    await page.say({ type: "run_start", runId: 1 });
    await page.named("stop").trigger("click");
    await press("Escape");
    expect(page.commands().map(({ type }) => type)).toEqual(["stop", "stop"]);
    await write("and then");
    await page.named("send").trigger("submit");
    expect(sent()).toEqual([["and then"]]);
  });

  it("says what Enter does, in both languages", async () => {
    await open();
    expect(field().attributes("placeholder")).toContain("Enter sends");
    page.wrapper.unmount();
    await open({}, "zh");
    expect(field().attributes("placeholder")).toContain("Enter 发送");
  });
});

describe("commands", () => {
  it("compacts with a focus", async () => {
    await open({ visibleEntries: [user(1, "hi")] });
    await write("/compact the database");
    await press("Enter");
    expect(page.commands()).toMatchObject([{ type: "compact", sessionId: 1, focus: "the database" }]);
    expect([sent(), text()]).toEqual([[], ""]);
  });

  it("gives a refused command back", async () => {
    await open({ visibleEntries: [user(1, "hi")] });
    await write("/compact the database");
    await press("Enter");
    await page.answer("compact", { type: "error", code: "busy", message: "later" });
    expect(text()).toBe("/compact the database");
  });

  it("refuses an unknown one with a hint and keeps what is written", async () => {
    await open();
    await write("/compress now");
    await press("Enter");
    expect([sent(), text(), hint()]).toEqual([[], "/compress now", "There is no command /compress. To send it as text, write //compress."]);
    await write("//compress now");
    await press("Enter");
    expect([sent(), hint()]).toEqual([[["/compress now"]], ""]);
  });

  it("does not drop words that a command does not take", async () => {
    await open();
    await write("/stop the old server first");
    await press("Enter");
    expect([page.commands(), text()]).toEqual([[], "/stop the old server first"]);
    expect(hint()).toContain("/stop takes no further words");
  });

  it("goes to the full history, back, and to a new conversation", async () => {
    await open();
    await write("/full");
    await press("Enter");
    expect(page.router.currentRoute.value.fullPath).toBe("/chat/1?view=full");
    await write("/compacted");
    await press("Enter");
    expect(page.router.currentRoute.value.fullPath).toBe("/chat/1");
    await write("/new");
    await press("Enter");
    expect(page.router.currentRoute.value.path).toBe("/chat");
  });
});

describe("the menu of commands", () => {
  it("opens by a slash, moves by arrows and tells the screen reader where it is", async () => {
    await open({}, "zh");
    await write("/");
    expect(options().map((option) => option.find("code").text())).toEqual(["/compact", "/full", "/compacted", "/new", "/stop"]);
    expect(options()[0]?.text()).toContain("立即压缩上下文");
    await press("ArrowDown");
    expect(marked()).toBe("/full");
    expect(field().attributes("aria-activedescendant")).toBe(page.wrapper.find("[aria-selected=true]").attributes("id"));
    await press("ArrowUp");
    await press("ArrowUp");
    expect(marked()).toBe("/stop");
  });

  it("completes by Tab, ready for a focus", async () => {
    await open();
    await write("/com");
    await press("Tab");
    expect([text(), options().length]).toEqual(["/compact ", 0]);
  });

  it("carries the marked command out by Enter", async () => {
    await open({ visibleEntries: [user(1, "hi")] });
    await write("／co");
    await press("Enter");
    expect(page.commands()).toMatchObject([{ type: "compact" }]);
  });

  it("closes by Escape, without stopping the agent", async () => {
    await open();
    await page.say({ type: "run_start", runId: 1 });
    await write("/");
    await press("Escape");
    expect([options().length, page.commands()]).toEqual([0, []]);
    await write("/c");
    expect(options().length).toBe(2);
  });

  it("is chosen from by the pointer without losing the focus", async () => {
    await open();
    await write("/");
    await options()[0]?.trigger("pointerdown");
    expect(text()).toBe("/compact ");
  });
});
