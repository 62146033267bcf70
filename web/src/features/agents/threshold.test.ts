// Where automatic compaction would start.
import { describe, expect, it } from "vitest";

import { thresholdOf } from "./threshold";
import { channel } from "@/forms/playedServer";

describe("the threshold", () => {
  it("is the percentage of the window", () => {
    expect(thresholdOf(channel({ id: 1 }), 70)).toEqual({
      tokens: 89_600,
      wantedTokens: 89_600,
      windowTokens: 128_000,
      isWindowAssumed: false,
      reserveTokens: 8_192,
    });
  });

  it("leaves room for the longest reply, at most a quarter of the window, and two per cent", () => {
    expect(thresholdOf(channel({ id: 1, windowTokens: 32_000, maxOutputTokens: 16_000 }), 90)).toMatchObject({
      tokens: 32_000 - 8_000 - 640,
      wantedTokens: 28_800,
      reserveTokens: 8_000,
    });
  });

  it("assumes 128,000 tokens where the window is unknown", () => {
    expect(thresholdOf(channel({ id: 1, windowTokens: null, maxOutputTokens: null }), 50)).toMatchObject({
      tokens: 64_000,
      windowTokens: 128_000,
      isWindowAssumed: true,
    });
  });
});
