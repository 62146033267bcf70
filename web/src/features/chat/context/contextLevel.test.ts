// Levels and parts of the context.
import { describe, expect, it } from "vitest";

import { groupsOf, levelOf } from "./contextLevel";
import { aContext } from "../testServer";

const used = (usedTokens: number, over = {}) => aContext({ usedTokens, percent: (100 * usedTokens) / 128_000, ...over });

describe("levelOf", () => {
  it.each([
    [89_599, "ok"],
    [89_600, "warn"],
    [115_199, "warn"],
    [115_200, "danger"],
    [200_000, "danger"],
  ])("takes %d of 128,000 tokens for %s", (tokens, level) => {
    expect(levelOf(used(tokens), "idle")).toBe(level);
    expect(levelOf(used(tokens), "running")).toBe(level);
  });

  it("goes by the effective threshold, not by the percent that was set", () => {
    expect(levelOf(used(60_000, { thresholdTokens: 50_000 }), "idle")).toBe("warn");
  });

  it("is compacting while a compaction runs, however full the window is", () => {
    expect(levelOf(used(120_000), "compacting")).toBe("compacting");
  });
});

describe("groupsOf", () => {
  it("adds up to the one number", () => {
    const groups = groupsOf(aContext());
    expect(groups.map(({ name, tokens }) => [name, tokens])).toEqual([
      ["input", 1_345],
      ["output", 4_000],
      ["tools", 7_000],
    ]);
    expect(groups.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(aContext().usedTokens);
  });

  it("does not hide a part that this page does not know", () => {
    const groups = groupsOf(aContext({ usedTokens: 100, breakdown: { system: 60, skills: 40 } }));
    expect(groups.at(-1)).toEqual({ name: "other", tokens: 40, parts: [] });
  });
});
