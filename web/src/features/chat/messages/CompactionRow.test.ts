// The row of a compaction in all its states, in words of both languages.
import { afterEach, describe, expect, it } from "vitest";

import CompactionRow from "./CompactionRow.vue";
import { liveRows, rowsOf, type Row } from "../rows";
import { compaction, failure } from "../testEntries";
import { openPage, type Page } from "../testServer";
import type { Language } from "@/i18n/languages";
import type { Entry } from "@/protocol/types";

let page: Page;

afterEach(() => page.wrapper.unmount());

const rowOf = (entry: Entry) => rowsOf([entry], "full", {})[0];
const showRow = async (row: Row | undefined, language: Language = "en") =>
  (page = await openPage(CompactionRow, {}, language, { row, isLast: true }));
const show = (entry: Entry, language?: Language) => showRow(rowOf(entry), language);
const words = () => page.wrapper.text().replace(/\s+/g, " ");

describe("the row of a compaction", () => {
  const row = () => page.named("compaction-row");
  const live = {
    key: "compaction-live-1",
    trigger: "manual" as const,
    stage: "summarise",
    done: 3,
    total: 9,
    text: "## Goal\nFind",
    startedAt: 0,
  };

  it("runs, with trigger, stage, progress and seconds, can be cancelled, and stays the same element when it ends", async () => {
    await showRow(liveRows([], { ...live, startedAt: Date.now() - 5_200 })[0], "zh");
    expect(row().attributes("data-state")).toBe("running");
    expect(words()).toContain("正在压缩上下文...手动 · 撰写摘要 3/9 · 5 秒");
    expect(words()).toContain("Find");
    await page.named("cancel-compaction").trigger("click");
    expect(page.commands()).toMatchObject([{ type: "cancel_compaction", sessionId: 1 }]);
    expect(page.named("cancel-compaction").attributes("disabled")).toBeDefined();
    const { element } = row();
    await page.wrapper.setProps({ row: rowOf(compaction(9)) });
    expect(row().element).toBe(element);
    expect(row().attributes("data-state")).toBe("done");
  });

  it("is done in the words of the spec", async () => {
    await show(compaction(9), "zh");
    expect(row().attributes("data-state")).toBe("done");
    expect(words()).toContain("上下文已压缩 · 移除 2 条消息 · 节省 67% token查看摘要");
    page.wrapper.unmount();
    await show(compaction(9));
    expect(words()).toContain("Context compacted · 2 messages removed · 67% tokens savedView summary");
    expect(words()).toContain("automatic · 900 → 300 tokens · 1.2 s");
    expect(page.wrapper.find("a").attributes("href")).toBe("/chat/1?view=full#entry-3");
  });

  it("says that another model wrote the summary, and that it did not help", async () => {
    const entry = compaction(9);
    const details = { ...entry.payload.details, isIneffective: true, settings: { fallbackUsed: true }, focus: "the keys", model: "m1" };
    await show({ ...entry, payload: { ...entry.payload, details } });
    for (const text of ["still over the threshold", "the chat model wrote this summary", "Focus: the keys", "m1"])
      expect(words()).toContain(text);
  });

  it("of a prune says what was cleared and has no summary", async () => {
    await show(compaction(9, "prune"));
    expect(words()).toContain("Old tool output cleared · 600 tokens saved");
    expect(page.named("view-summary").exists()).toBe(false);
  });

  it("has failed for a reason, with what the server said, and ways on", async () => {
    await show(failure(9, "no_auxiliary_model"), "zh");
    expect(row().attributes("data-state")).toBe("failed");
    expect(words()).toContain("压缩失败：没有设置辅助模型。 可继续原对话或 开新对话");
    expect(words()).toContain("It failed");
    expect(page.named("open-new-session").attributes("href")).toBe("/chat");
    expect(page.named("failure-remedy").attributes("href")).toBe("/settings");
    await page.named("compact-again").trigger("click");
    expect(page.commands()).toMatchObject([{ type: "compact", sessionId: 1 }]);
  });

  it("offers another try at the end of the conversation only, and not where there was nothing to do", async () => {
    await show(failure(9, "nothing_to_compact"));
    expect(page.named("compact-again").exists()).toBe(false);
    page.wrapper.unmount();
    await show(failure(9, "empty_summary"));
    expect(page.named("compact-again").exists()).toBe(true);
    await page.wrapper.setProps({ isLast: false });
    expect(page.named("compact-again").exists()).toBe(false);
  });

  it("has words for every reason in both languages", async () => {
    const reasons =
      "no_auxiliary_model auxiliary_unavailable auxiliary_auth auxiliary_timeout auxiliary_error auxiliary_overflow empty_summary " +
      "short_summary truncated_summary refused_summary inflated_summary ineffective busy stale storage_error nothing_to_compact " +
      "message_too_large system_prompt_too_large";
    for (const language of ["en", "zh"] as const)
      for (const reason of reasons.split(" ")) {
        await show(failure(9, reason), language);
        expect(words()).not.toContain(reason);
        if (reason !== "system_prompt_too_large" || language === "en") page.wrapper.unmount();
      }
  });

  it("was cancelled", async () => {
    await show(failure(9, "cancelled"));
    expect(row().attributes("data-state")).toBe("cancelled");
    expect(words()).toBe("Compaction cancelled · nothing was changed");
  });

  it("that could not be stored says so", async () => {
    const unstored = { key: "compaction-live-1", trigger: "auto" as const, reason: "storage_error", error: "disk full" };
    await showRow(liveRows([unstored], null)[0]);
    expect(words()).toContain("disk full");
    expect(words()).toContain("gone after a reload");
  });

  it("pauses automatic ones where two did not help; the notice has no details", async () => {
    const entry = failure(9, "ineffective");
    const { systemType, text, reason } = entry.payload;
    await show({ ...entry, payload: { systemType, text, reason } as never });
    expect(words()).toContain("Automatic compaction is paused");
  });
});
