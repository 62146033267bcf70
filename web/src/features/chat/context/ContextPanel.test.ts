// Bar and status line, as the server's numbers make them.
import { afterEach, describe, expect, it } from "vitest";

import ContextPanel from "./ContextPanel.vue";
import { aContext, openPage, type Page } from "../testServer";
import { user } from "../testEntries";

let page: Page;

afterEach(() => page.wrapper.unmount());

const open = async (...arguments_: [object | null, ("zh" | "en")?]) => (page = await openPage(ContextPanel, ...arguments_));
const status = () => page.named("context-status").text().replace(/\s+/g, " ");
const bar = () => page.named("context-bar").attributes();
const update = (over: object) => page.say({ type: "token_update", context: aContext(over) });

describe("the status line", () => {
  it("says size, threshold and count in Chinese", async () => {
    await open({}, "zh");
    expect(status()).toBe("12,345/128,000 tokens · 阈值 70% · 已压缩 2 次");
  });

  it("says them in English, with the right plural", async () => {
    await open({});
    expect(status()).toBe("12,345/128,000 tokens · threshold 70% · compacted 2 times");
    await update({ compactionCount: 1 });
    expect(status()).toContain("compacted 1 time");
    expect(status()).not.toContain("times");
    await update({ compactionCount: 0 });
    expect(status()).toContain("compacted 0 times");
  });

  it("marks an estimate, and says the level in a word", async () => {
    await open({ context: aContext({ estimated: true, source: "estimate", usedTokens: 90_000, percent: 70.3 }) }, "zh");
    expect(status()).toBe("~90,000/128,000 tokens · 阈值 70% · 已压缩 2 次 · 已过阈值");
  });

  it("says that the context is being compacted", async () => {
    await open({ state: "compacting" }, "zh");
    expect(status()).toMatch(/^正在压缩上下文\.\.\. · 12,345\/128,000 tokens/);
  });

  it("says that automatic compaction is off, and that it rests", async () => {
    await open({ context: aContext({ isAutomatic: false }), blockedReason: "ineffective" });
    expect(status()).toContain("automatic compaction is off");
    expect(page.named("compaction-blocked").text()).toContain("Compact by hand");
  });
});

describe("the bar", () => {
  it("is a meter in percent, drawn up to the end at most", async () => {
    await open({ context: aContext({ usedTokens: 160_000, percent: 125 }) });
    expect(bar()).toMatchObject({ role: "meter", "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": "100" });
    expect(bar()["data-level"]).toBe("danger");
    expect(bar()["aria-valuetext"]).toContain("160,000/128,000 tokens");
    expect(page.wrapper.find(".fill").attributes("style")).toContain("scaleX(1)");
  });

  it("has a mark at the effective threshold that says its percent and tokens", async () => {
    await open({ context: aContext({ thresholdTokens: 64_000 }) }, "zh");
    const tick = page.named("context-tick");
    expect(tick.attributes("style")).toContain("left: 50%");
    expect(tick.attributes("aria-label")).toBe("自动压缩阈值 70%（64,000 tokens） · 为给回复留出空间、不超出模型的实际限制，会更早开始");
    expect(page.named("context-bar").find("button").exists()).toBe(false);
  });

  it("is absent where the window is unknown: the count alone, and the way to set it", async () => {
    await open({ context: aContext({ maxTokens: null, percent: null }) });
    expect(page.named("context-bar").exists()).toBe(false);
    expect(status()).toContain("12,345 tokens · the model's window is unknown");
    expect(page.wrapper.find("a").attributes("href")).toBe("/channels");
  });

  it("is absent in a new conversation", async () => {
    await open(null);
    expect(page.named("context-bar").exists()).toBe(false);
    expect(page.named("context-status").exists()).toBe(false);
  });

  it("announces a change of level once, and not the level that a session opens with", async () => {
    await open({ context: aContext({ usedTokens: 95_000, percent: 74 }) });
    const said = () => page.wrapper.find("[role=status]").text();
    expect(said()).toBe("");
    await update({ usedTokens: 120_000, percent: 93.8 });
    expect(said()).toBe("almost full");
    await page.say({ type: "compaction_start", reason: "auto", trigger: "auto" });
    expect(said()).toBe("Compacting context...");
  });
});

describe("the breakdown", () => {
  it("opens by a press and closes by Escape", async () => {
    await open({});
    expect(page.named("context-breakdown").exists()).toBe(false);
    await page.named("context-status").trigger("click");
    const shown = page.named("context-breakdown").text();
    expect(shown).toContain("Tools7,000");
    expect(shown).toContain("Total12,345");
    await page.named("context-status").trigger("keydown", { key: "Escape" });
    expect(page.named("context-breakdown").exists()).toBe(false);
  });

  it("opens for the keyboard's focus and closes when it leaves", async () => {
    await open({});
    await page.named("context-status").trigger("focusin");
    expect(page.named("context-status").attributes("aria-expanded")).toBe("true");
    await page.named("context-status").trigger("focusout");
    expect(page.named("context-status").attributes("aria-expanded")).toBe("false");
  });

  it("shows what the newest run has used apart from the context", async () => {
    await open({});
    await page.say({
      type: "token_update",
      current: { inputTokens: 30_000, outputTokens: 900, totalTokens: 30_900, apiCalls: 3 },
      context: aContext(),
    });
    await page.named("context-status").trigger("click");
    expect(page.named("context-breakdown").text()).toContain("30,000 tokens in, 900 out, 3 requests");
  });
});

describe("the button /compact", () => {
  const button = () => page.named("compact-button");

  it("compacts", async () => {
    await open({ visibleEntries: [user(1, "hi")] });
    await button().trigger("click");
    expect(page.commands()).toMatchObject([{ type: "compact", sessionId: 1 }]);
  });

  it("says why it cannot", async () => {
    await open({});
    expect(button().attributes()).toMatchObject({ "aria-disabled": "true", title: "there is nothing to compact yet" });
    await button().trigger("click");
    expect(page.commands()).toEqual([]);
    await page.say({ type: "run_start", runId: 1 });
    expect(button().attributes("title")).toBe("possible when the agent has answered");
  });
});
