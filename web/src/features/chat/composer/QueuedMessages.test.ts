// Messages that wait for the agent: shown, changed, removed.
import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import QueuedMessages from "./QueuedMessages.vue";
import { openPage, type Page } from "../testServer";

let page: Page;

beforeEach(() => localStorage.clear());
afterEach(() => page.wrapper.unmount());

const queue = [
  { queueId: 7, requestId: "a", text: "and then?" },
  { queueId: 8, requestId: "b", text: "and after that?" },
];
const open = async (over: object = {}, language: "zh" | "en" = "en") =>
  (page = await openPage(QueuedMessages, { queue, ...over }, language));
const items = () => page.wrapper.findAll("[data-testid=queued-message]");

async function press(label: string) {
  await page.wrapper.find(`[aria-label="${label}"]`).trigger("click");
  await flushPromises();
}

async function edit(text: string) {
  await press("Edit the waiting message");
  await page.wrapper.find("textarea").setValue(text);
}

async function key(name: string, over: object = {}) {
  await page.wrapper.find("textarea").trigger("keydown", { key: name, ...over });
  await flushPromises();
}

describe("queued messages", () => {
  it("are shown with when they will be sent", async () => {
    await open({ state: "running" });
    expect(items().map((item) => item.text())).toEqual(["and then?", "and after that?"]);
    expect(page.wrapper.text()).toContain("Sent when the agent has answered");
    await page.say({ type: "compaction_start", reason: "auto", trigger: "auto" });
    expect(page.wrapper.text()).toContain("Sent when the compaction has ended");
  });

  it("say so in Chinese", async () => {
    await open({ state: "compacting" }, "zh");
    expect(page.wrapper.text()).toContain("压缩结束后发送");
  });

  it("are changed in place, by Enter but not by an Enter of the input method", async () => {
    await open();
    await edit("and why?");
    await key("Enter", { keyCode: 229 });
    expect(page.commands()).toEqual([]);
    await key("Enter");
    expect(page.commands()).toMatchObject([{ type: "edit_queued", queueId: 7, text: "and why?" }]);
    await page.answer("edit_queued");
    expect(page.wrapper.find("textarea").exists()).toBe(false);
  });

  it("stay as they were after Escape", async () => {
    await open();
    await edit("something else");
    await key("Escape");
    expect([page.commands(), items()[0]?.text()]).toEqual([[], "and then?"]);
  });

  it("are removed", async () => {
    await open();
    await press("Remove the waiting message");
    expect(page.commands()).toMatchObject([{ type: "remove_queued", queueId: 7 }]);
    await page.answer("remove_queued");
    expect(page.wrapper.emitted("removed")).toHaveLength(1);
    await page.say({ type: "message_queued", queue: [queue[1]] });
    expect(items().map((item) => item.text())).toEqual(["and after that?"]);
  });

  it("give changed words back where the message was sent meanwhile", async () => {
    await open();
    await edit("my better words");
    await page.say({ type: "message_queued", queue: [] });
    expect(page.wrapper.find("section").exists()).toBe(false);
    expect(page.chat.takeBack(1)).toEqual(["my better words"]);
  });
});
