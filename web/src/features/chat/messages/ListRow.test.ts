// Messages, tool cards and summaries as rows; compactions and notices have tests of their own.
import { afterEach, describe, expect, it } from "vitest";

import ListRow from "./ListRow.vue";
import { foldAll } from "./useUnfolded";
import { rowsOf, type Row } from "../rows";
import { assistant, compaction, messageEntry, result, user } from "../testEntries";
import { openPage, type Page } from "../testServer";
import type { Language } from "@/i18n/languages";
import type { Entry } from "@/protocol/types";

let page: Page;

afterEach(() => {
  page.wrapper.unmount();
  foldAll();
});

async function showRow(row: Row | undefined, { isLast = true, language = "en" as Language, snapshot = {} } = {}) {
  if (!row) throw new Error("there is no such row");
  page = await openPage(ListRow, snapshot, language, { row, isLast });
}

const rows = (...entries: Entry[]) => rowsOf(entries, "full", {});
const show = (entry: Entry, options?: object) => showRow(rows(entry)[0], options);
const words = () => page.wrapper.text().replace(/\s+/g, " ");

describe("a message", () => {
  it("of the user stands there as it was written", async () => {
    await show(user(1, "one\n  two *three*"));
    expect(page.named("message").attributes()).toMatchObject({ "data-role": "user", "data-entry-id": "1", "aria-label": "You" });
    expect(page.named("message").element.textContent).toBe("one\n  two *three*");
  });

  it("of the user is text, whatever stands in it", async () => {
    await show(user(1, "<b>bold</b>"));
    expect(page.wrapper.find("b").exists()).toBe(false);
    expect(words()).toBe("<b>bold</b>");
  });

  it("of the user shows its own pictures, and links to those of other servers", async () => {
    const parts = [
      { type: "image" as const, mediaType: "image/png", data: "iVBORw0KGgo=" },
      { type: "image" as const, mediaType: "image/png", url: "https://example.com/a.png" },
      { type: "image" as const, mediaType: "image/png", url: "javascript:alert(1)" },
    ];
    await show(messageEntry(1, { role: "user", parts }));
    expect(page.wrapper.findAll("img").map((image) => image.attributes("alt"))).toEqual(["Picture 1"]);
    expect(page.wrapper.findAll("a").map((link) => link.attributes("href"))).toEqual(["https://example.com/a.png"]);
  });

  it("of the agent is Markdown with model, tokens and thoughts that are folded", async () => {
    const parts = [
      { type: "thinking" as const, text: "Let me see." },
      { type: "text" as const, text: "It is **done**." },
    ];
    const usage = { inputTokens: 1_200, outputTokens: 34 };
    await show(messageEntry(1, { role: "assistant", parts, model: "some-model", usage }));
    expect(page.wrapper.find("strong").text()).toBe("done");
    expect(words()).toContain("some-model");
    expect(words()).toContain("1,200 tokens in, 34 out");
    expect(words()).not.toContain("Let me see.");
    await page.wrapper.find("button[aria-expanded=false]").trigger("click");
    expect(words()).toContain("Let me see.");
  });

  it("that was cut off says so", async () => {
    const entry = assistant(1, "The begin");
    await show({ ...entry, payload: { ...entry.payload, isInterrupted: true } });
    expect(words()).toContain("this reply is not complete");
  });

  it("that a summary covers is marked", async () => {
    await show(user(1, "old", { compactedIntoId: 9 }), { language: "zh" });
    expect(page.wrapper.find(".covered .mark").text()).toBe("模型看到的是摘要");
  });
});

describe("a tool card", () => {
  const call = (...more: Entry[]) => rowsOf([assistant(1, "", ["c1"]), ...more], "full", {})[0];
  const card = () => page.named("tool-card");
  const open = () => card().find("button").trigger("click");

  it("is closed, with the main argument in one line, and opens to arguments and result", async () => {
    await showRow(call(result(2, "c1", "line one\nline two")));
    expect(card().attributes()).toMatchObject({ "data-state": "done", "data-entry-id": "2" });
    expect(card().find("button").attributes("aria-expanded")).toBe("false");
    expect(words()).toBe("read_filea.pydone");
    await open();
    expect(page.wrapper.findAll("pre").map((node) => node.element.textContent)).toEqual(['{\n  "path": "a.py"\n}', "line one\nline two"]);
    expect(words()).toContain("2 lines, 17 characters");
  });

  it("comes back as it was left", async () => {
    await showRow(call(result(2, "c1", "found")));
    await open();
    page.wrapper.unmount();
    await showRow(call(result(2, "c1", "found")));
    expect(words()).toContain("found");
  });

  it("says that the tool failed, and that there is no result", async () => {
    const failed = result(2, "c1", "no such file");
    await showRow(call({ ...failed, payload: { message: { ...failed.payload.message, isError: true } } }));
    expect(card().attributes("data-state")).toBe("error");
    page.wrapper.unmount();
    await showRow(call());
    expect(card().attributes("data-state")).toBe("missing");
    expect(words()).toContain("no result");
  });

  it("runs while its run is active and the result has not come", async () => {
    await showRow(call(), { snapshot: { visibleEntries: [assistant(1, "", ["c1"])], state: "running" } });
    await page.say({ type: "run_start", runId: 0 });
    expect(card().attributes("data-state")).toBe("running");
    await page.say({ type: "run_end", runId: 0, state: "done" });
    expect(card().attributes("data-state")).toBe("missing");
  });

  it("shows what the model sees of it where it was cleared or shortened", async () => {
    const seen = { ...assistant(1, "", ["c1"]), shortenedArguments: { "0": '{"path": "…"}' } };
    const cleared = result(2, "c1", "hidden words", { replacement: "[Old tool output cleared to save context]" });
    await showRow(rowsOf([seen, cleared], "compacted", {})[0]);
    expect(words()).toContain("cleared to save context");
    await open();
    expect(words()).toContain("[Old tool output cleared to save context]");
    expect(words()).not.toContain("hidden words");
    expect(words()).toContain("shortened for the model");
    expect(page.wrapper.find("pre").text()).toContain("…");
  });

  it("shows the beginning of a very long result, and all of it on request", async () => {
    await showRow(call(result(2, "c1", "x".repeat(30_000))));
    await open();
    const shown = () => page.wrapper.findAll("pre").at(-1)?.text().length;
    expect(shown()).toBe(20_000);
    expect(words()).toContain("1 line, 30,000 characters");
    await page.wrapper.find(".unfold").trigger("click");
    expect(shown()).toBe(30_000);
  });
});

describe("the summary in its place", () => {
  it("shows its beginning", async () => {
    const row = rowsOf([user(1, "first"), compaction(9), user(10, "kept")], "compacted", {}).find(({ kind }) => kind === "summary");
    await showRow(row);
    expect(page.named("message").attributes("data-role")).toBe("summary");
    expect(words()).toContain("what the model sees in their place");
    expect(words()).toContain("Find the fault");
  });
});
