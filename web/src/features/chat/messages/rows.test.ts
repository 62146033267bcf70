// The rows as they are shown: compactions from start to end, tool cards, failed runs.
import { describe, expect, it } from "vitest";
import type { Component } from "vue";

import CompactionRow from "./CompactionRow.vue";
import MessageRow from "./MessageRow.vue";
import NoticeRow from "./NoticeRow.vue";
import { rowsOf, type Row } from "../rows";
import { assistant, compaction, failure, result, user } from "../testEntries";
import { openPage } from "../testServer";
import type { Language } from "@/i18n/languages";
import type { Entry, NoticeEntry } from "@/protocol/types";

const shown = async <T extends Row["kind"]>(kind: T, entries: Entry[]) => {
  const row = rowsOf(entries, "compacted", {}).find((each) => each.kind === kind);
  if (!row) throw new Error(`no ${kind}`);
  return row as Extract<Row, { kind: T }>;
};

const draw = async (component: Component, props: Record<string, unknown>, language: Language = "en") =>
  (await openPage(component, {}, language, props)).wrapper;

const running: Row = {
  kind: "compaction_running",
  key: "live",
  compaction: { key: "live", trigger: "auto", stage: "read", done: 3, total: 10, text: "", startedAt: Date.now() },
};

describe("a compaction's row", () => {
  it("goes from running to done as the same element", async () => {
    const page = await draw(CompactionRow, { row: running }, "zh");
    const row = page.get("[data-testid=compaction-row]");
    const { element } = row;
    expect([row.attributes("data-state"), row.text()]).toEqual(["running", expect.stringContaining("正在压缩上下文...")]);
    expect(row.text()).toContain("3/10");
    await page.setProps({ row: await shown("compaction", [compaction(3)]) });
    expect(page.get("[data-testid=compaction-row]").element).toBe(element);
    expect(row.attributes("data-state")).toBe("done");
    expect(row.text()).toContain("上下文已压缩 · 移除 2 条消息 · 节省 67% token");
    expect(page.find("[data-testid=view-summary]").exists()).toBe(true);
  });

  it("shows cleared tool output without a summary", async () => {
    const page = await draw(CompactionRow, { row: await shown("compaction", [compaction(3, "prune")]) });
    expect(page.text()).toContain("Old tool output cleared");
    expect(page.find("[data-testid=view-summary]").exists()).toBe(false);
  });

  it.each([
    ["no_auxiliary_model", "no auxiliary model is set", "/settings"],
    ["auxiliary_auth", "refused the key", "/channels"],
    ["storage_error", "database could not be written", null],
  ])("says in words why it failed: %s", async (reason, words, remedy) => {
    const page = await draw(CompactionRow, { row: await shown("compaction_failed", [failure(3, reason)]) });
    expect(page.get("[data-testid=compaction-row]").attributes("data-state")).toBe("failed");
    expect(page.text()).toContain(words);
    expect(page.get("[data-testid=open-new-session]").attributes("href")).toBe("/chat");
    const link = page.find("[data-testid=failure-remedy]");
    expect(link.exists() ? link.attributes("href") : null).toBe(remedy);
  });

  it("says of a cancelled one that nothing was changed", async () => {
    const page = await draw(CompactionRow, { row: await shown("compaction_failed", [failure(3, "cancelled")]) });
    expect(page.get("[data-testid=compaction-row]").attributes("data-state")).toBe("cancelled");
    expect(page.text()).toBe("Compaction cancelled · nothing was changed");
  });
});

describe("a message", () => {
  const talk = (text: string) => [user(1, "read a.py"), assistant(2, "I read it.", ["c1"]), result(3, "c1", text)];

  it("shows its tool's result when the card is opened", async () => {
    const [, row] = rowsOf(talk("x = 1"), "full", {});
    const page = await draw(MessageRow, { row });
    expect(page.get("[data-testid=tool-card]").attributes()).toMatchObject({ "data-state": "done", "data-entry-id": "3" });
    expect(page.text()).not.toContain("x = 1");
    await page.get("[data-testid=tool-card] button").trigger("click");
    expect(page.text()).toContain("x = 1");
  });

  it("shows what the model sees where the output was cleared", async () => {
    const [asked, called, answered] = talk("x = 1");
    const [, row] = rowsOf([asked, called, { ...answered, replacement: "[cleared] read_file a.py" }] as Entry[], "compacted", {});
    const page = await draw(MessageRow, { row });
    await page.get("[data-testid=tool-card] button").trigger("click");
    expect(page.text()).toContain("[cleared] read_file a.py");
    expect(page.text()).not.toContain("x = 1");
  });

  it("shows the first part of a huge result, and all of it on request", async () => {
    const [, row] = rowsOf(talk("line\n".repeat(10_000)), "full", {});
    const page = await draw(MessageRow, { row });
    await page.get("[data-testid=tool-card] button").trigger("click");
    const shownText = () => page.findAll("pre").at(-1)?.text().length ?? 0;
    expect(shownText()).toBeLessThan(21_000);
    await page
      .findAll("button")
      .find((button) => button.text() === "Show all")
      ?.trigger("click");
    expect(shownText()).toBeGreaterThan(49_000);
  });

  it("leaves a user's markup as text", async () => {
    const [row] = rowsOf([user(1, "<b>bold</b>\n  indented")], "full", {});
    const page = await draw(MessageRow, { row });
    expect(page.find("b").exists()).toBe(false);
    expect(page.text()).toContain("<b>bold</b>");
  });
});

describe("a failed run's notice", () => {
  const notice = {
    ...failure(5, "auxiliary_error"),
    payload: { systemType: "run_event", text: "401", reason: "no_channel" },
  } as NoticeEntry;

  it("offers another try at the end of the conversation only", async () => {
    const { wrapper: page, commands } = await openPage(NoticeRow, {}, "en", { entry: notice, isLast: false });
    expect(page.find("[data-testid=retry]").exists()).toBe(false);
    await page.setProps({ entry: notice, isLast: true });
    await page.get("[data-testid=retry]").trigger("click");
    expect(commands().map(({ type }) => type)).toEqual(["retry"]);
  });
});
