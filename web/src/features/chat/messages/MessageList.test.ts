// The list as far as a page without layout can show it; scrolling for real is tested in the browser.
import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import MessageList from "./MessageList.vue";
import { playLayout, settled } from "./testLayout";
import { assistant, compaction, failure, historyPage, patch, user } from "../testEntries";
import { openPage, type Page } from "../testServer";
import type { Entry } from "@/protocol/types";

let page: Page;
let pages: (address: URL) => object;
const asked: URL[] = [];

beforeEach(() => {
  playLayout();
  asked.length = 0;
  vi.stubGlobal("fetch", async (path: string) => {
    const address = new URL(path, "http://server");
    asked.push(address);
    return new Response(JSON.stringify(pages(address)));
  });
});

afterEach(() => page.wrapper.unmount());

const many = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => user(from + index, `message ${from + index}`));

async function open(entries: Entry[], snapshot: object = {}) {
  page = await openPage(MessageList, { visibleEntries: entries as never, activeLeafId: entries.at(-1)?.id, ...snapshot });
  await settled();
}

const list = () => page.named("message-list");
const shown = () => page.wrapper.findAll("[data-testid=message]").map((node) => Number(node.attributes("data-entry-id")));

async function scrollTo(top: number) {
  list().element.scrollTop = top;
  await settled();
}

describe("the list", () => {
  it("is a log that can be scrolled by keyboard and does not read its stream aloud", async () => {
    await open([user(1, "hi")]);
    expect(list().attributes()).toMatchObject({ role: "log", "aria-live": "off", tabindex: "0", "aria-label": "Messages" });
    expect(page.named("conversation-start").text()).toBe("Start of the conversation");
  });

  it("has few of ten thousand rows in the DOM, the newest ones", async () => {
    await open(many(1, 10_000));
    expect(shown().length).toBeLessThan(40);
    expect(shown().at(-1)).toBe(10_000);
    expect(page.named("to-bottom").exists()).toBe(false);
  });

  it("leaves a reader alone who has scrolled up, and counts what is new", async () => {
    await open(many(1, 199));
    await scrollTo(3_000);
    expect(page.named("to-bottom").text()).toBe("↓ To the newest message");
    await page.say(patch(2, assistant(200, "new")));
    await settled();
    expect(list().element.scrollTop).toBe(3_000);
    expect(page.named("to-bottom").text()).toBe("↓ 1 new message");
    await page.named("to-bottom").trigger("click");
    await settled();
    expect(shown().at(-1)).toBe(200);
  });

  it("reads earlier pages near the top, up to the start", async () => {
    pages = () => historyPage(1, "compacted", many(1, 300));
    await open(many(301, 500));
    expect(page.named("load-earlier").exists()).toBe(true);
    await scrollTo(0);
    expect(asked.map(({ searchParams }) => searchParams.get("before"))).toEqual(["301"]);
    expect(page.named("conversation-start").exists()).toBe(true);
    expect(page.chat.rows).toHaveLength(500);
  });

  it("goes to the message that the address names, and forgets it then", async () => {
    await open(many(1, 199));
    await page.router.push("/chat/1#entry-50");
    await settled();
    expect(shown()).toContain(50);
    expect(page.router.currentRoute.value.hash).toBe("");
    expect(page.named("to-bottom").exists()).toBe(true);
  });
});

describe("what is under way", () => {
  it("is shown after the rows: the message that is being sent, dots, then the reply", async () => {
    await open([]);
    void page.chat.send("hello");
    await flushPromises();
    expect(page.named("outgoing-message").text()).toContain("Sending…");
    await page.say(patch(2, user(1, "hello")));
    await page.answer("chat");
    expect(page.named("outgoing-message").exists()).toBe(false);
    await page.say({ type: "run_start", runId: 1 });
    expect(page.wrapper.find("[role=img]").attributes("aria-label")).toBe("The agent is working");
    await page.say({ type: "delta", runId: 1, text: "It is **do" });
    expect(page.named("streaming-reply").find("strong").text()).toBe("do");
    await page.say({ type: "delta", runId: 1, toolCall: { number: 0, name: "read_file", arguments: '{"path": "a.p' } });
    expect(page.named("streaming-reply").find("code").text()).toBe("read_file");
    await page.say(patch(3, assistant(2, "It is **done**.")));
    await page.say({ type: "run_end", runId: 1, state: "done" });
    await settled();
    expect(page.named("streaming-reply").exists()).toBe(false);
    expect(shown()).toEqual([1, 2]);
  });

  it("is announced when it has ended, and not before", async () => {
    await open([user(1, "hi")]);
    const said = () => page.wrapper.findAll("[role=status]").at(-1)?.text();
    await page.say({ type: "delta", runId: 1, text: "Hel" });
    expect(said()).toBe("");
    await page.say(patch(2, assistant(2, "Hello.")));
    expect(said()).toBe("The agent replied: Hello.");
    await page.say(patch(3, failure(3, "auxiliary_timeout")));
    expect(said()).toBe("Compaction failed: the auxiliary model did not answer in time.");
  });

  it("keeps the row of a compaction the same element from its start to its end", async () => {
    const after = [user(1, "message 1"), compaction(200), ...many(190, 199)];
    pages = () => historyPage(2, "compacted", after);
    await open(many(1, 199));
    await page.say({ type: "compaction_start", reason: "manual", trigger: "manual" });
    await settled();
    const row = page.named("compaction-row");
    expect(row.attributes("data-state")).toBe("running");
    await page.say(patch(2, compaction(200)));
    await page.say({
      type: "compaction_done",
      removedCount: 188,
      prunedCount: 0,
      summaryMessageId: 200,
      tokensBefore: 900,
      tokensAfter: 300,
    });
    await settled();
    expect(page.wrapper.findAll("[data-testid=compaction-row]")).toHaveLength(1);
    expect(page.named("compaction-row").element).toBe(row.element);
    expect(row.attributes("data-state")).toBe("done");
    expect(page.named("to-bottom").exists()).toBe(false);
  });

  it("opens the summary in a drawer with its facts, and closes it with the session", async () => {
    await open([user(1, "hi"), compaction(2)]);
    await page.named("view-summary").trigger("click");
    await settled();
    const drawer = document.querySelector("[data-testid=summary-drawer]");
    expect(drawer?.querySelector("h2")?.textContent).toBe("Goal");
    expect(drawer?.textContent).toContain("900 → 300 tokens");
    expect(drawer?.textContent).toContain("2 messages");
  });
});
