// Where automatic compaction would start. The same sum as the server's `context/budget.py`, so that the form can show it while one drags.
import type { Channel } from "@/protocol/types";

export interface Threshold {
  /** Where it really starts. */
  tokens: number;
  /** What the percentage alone would say. */
  wantedTokens: number;
  windowTokens: number;
  /** Whether the channel does not say its window. */
  isWindowAssumed: boolean;
  /** Tokens kept free for the reply. */
  reserveTokens: number;
}

const ASSUMED_WINDOW = 128_000;
const ASSUMED_OUTPUT = 8_192;
const RESERVE_SHARE = 0.25;
const MARGIN_SHARE = 0.02;

/** Return the threshold of a channel at `percent` of its window. */
export function thresholdOf(channel: Channel, percent: number): Threshold {
  const windowTokens = channel.windowTokens ?? ASSUMED_WINDOW;
  const reserveTokens = Math.min(channel.maxOutputTokens ?? ASSUMED_OUTPUT, Math.floor(windowTokens * RESERVE_SHARE));
  const wantedTokens = Math.floor((percent * windowTokens) / 100);
  const highest = windowTokens - reserveTokens - Math.floor(windowTokens * MARGIN_SHARE);
  return {
    tokens: Math.min(wantedTokens, highest),
    wantedTokens,
    windowTokens,
    isWindowAssumed: channel.windowTokens === null,
    reserveTokens,
  };
}
