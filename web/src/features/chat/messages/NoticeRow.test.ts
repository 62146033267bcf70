// Notices of runs and imports.
import { afterEach, describe, expect, it } from "vitest";

import NoticeRow from "./NoticeRow.vue";
import { failure } from "../testEntries";
import { openPage, type Page } from "../testServer";
import type { NoticeEntry } from "@/protocol/types";

let page: Page;

afterEach(() => page.wrapper.unmount());

async function show(entry: NoticeEntry, { isLast = true, language = "en" as "en" | "zh", snapshot = {} } = {}) {
  page = await openPage(NoticeRow, snapshot, language, { entry, isLast });
}

const words = () => page.wrapper.text().replace(/\s+/g, " ");

function notice(systemType: "run_event" | "note", reason: string | null, text: string, details?: Record<string, unknown>): NoticeEntry {
  return { ...failure(1, ""), payload: { systemType, text, ...(reason ? { reason } : {}), ...(details ? { details } : {}) } };
}

describe("a notice", () => {
  it("of a failed run can be tried again where it is the last row", async () => {
    await show(notice("run_event", "provider_auth", "401: no such key"));
    expect(page.named("notice-row").attributes("data-reason")).toBe("provider_auth");
    expect(words()).toContain("refused the key");
    expect(words()).toContain("401: no such key");
    expect(page.named("failure-remedy").attributes("href")).toBe("/channels");
    await page.named("retry").trigger("click");
    expect(page.commands()).toMatchObject([{ type: "retry", sessionId: 1 }]);
  });

  it("has no such button in the middle, nor while something runs", async () => {
    await show(notice("run_event", "provider_busy", "503"), { isLast: false });
    expect(page.named("retry").exists()).toBe(false);
    page.wrapper.unmount();
    await show(notice("run_event", "provider_busy", "503"), { snapshot: { state: "running" } });
    await page.say({ type: "run_start", runId: 1 });
    expect(page.named("retry").exists()).toBe(false);
  });

  it("advises where a message or the system prompt is too large", async () => {
    await show(notice("run_event", "message_too_large", "130 of 128"));
    expect(words()).toContain("Shorten or split your message");
    page.wrapper.unmount();
    await show(notice("run_event", "system_prompt_too_large", "7 too many"), { language: "zh" });
    expect(words()).toContain("请缩短提示词");
  });

  it("with the system prompt of an imported conversation is folded", async () => {
    await show(notice("note", null, "You are a librarian.", { importedRole: "system" }));
    expect(words()).not.toContain("librarian");
    await page.wrapper.find("button").trigger("click");
    expect(words()).toContain("You are a librarian.");
  });
});
