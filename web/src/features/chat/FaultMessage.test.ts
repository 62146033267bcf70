// What went wrong, in words, and when the words go away.
import { flushPromises } from "@vue/test-utils";
import { afterEach, describe, expect, it } from "vitest";

import FaultMessage from "./FaultMessage.vue";
import { openPage, type Page } from "./testServer";

let page: Page;

afterEach(() => page.wrapper.unmount());

const fault = () => page.named("fault-message");

async function failToStop(code: string) {
  void page.chat.stop();
  await page.answer("stop", { type: "error", code, message: "the server's sentence" });
}

describe("the fault message", () => {
  it("says a known fault in the page's language, with the server's sentence beside it", async () => {
    page = await openPage(FaultMessage, {}, "zh");
    expect(fault().exists()).toBe(false);
    await failToStop("storage_error");
    expect(fault().text()).toBe("数据库不可用，没有写入任何内容。 the server's sentence");
    expect(fault().element.closest("[role=alert]")).not.toBeNull();
  });

  it("goes away when it is dismissed", async () => {
    page = await openPage(FaultMessage);
    await failToStop("busy");
    await fault().find("button").trigger("click");
    expect(fault().exists()).toBe(false);
  });

  it("goes away by the next thing that works, but not by one that fails as well", async () => {
    page = await openPage(FaultMessage);
    await failToStop("busy");
    await failToStop("stale");
    expect(fault().text()).toContain("moved on");
    void page.chat.stop();
    await page.answer("stop");
    expect(fault().exists()).toBe(false);
  });

  it("does not follow the user into another session", async () => {
    page = await openPage(FaultMessage);
    await failToStop("busy");
    page.chat.open(2, "compacted");
    await flushPromises();
    expect(fault().exists()).toBe(false);
  });

  it("says that a conversation does not exist any more, and the way on", async () => {
    page = await openPage(FaultMessage);
    await page.say({ type: "error", code: "not_found", message: "There is no session 1" });
    expect(page.named("session-missing").find("a").attributes("href")).toBe("/chat");
  });
});
