// Who depends on a channel.
import { describe, expect, it } from "vitest";

import { agentsWithoutModel, isTouched, needsDefaultAuxiliary, useOf } from "./channelUse";
import { agent, channel, offline } from "@/forms/playedServer";

const answers = agent({ id: 1, channelId: 2 });
const summarised = agent({ id: 2, auxiliaryMode: "channel", auxiliaryModelChannelId: 2 });
const inheriting = agent({ id: 3 });
const same = agent({ id: 4, auxiliaryMode: "same" });
const agents = [answers, summarised, inheriting, same];

describe("the use of a channel", () => {
  it("names who answers with it, who has summaries by it, and who inherits it", () => {
    expect(useOf(2, agents, null)).toEqual({ chat: [answers], auxiliary: [summarised], isDefault: false, inheriting: [] });
    expect(useOf(9, agents, 9)).toEqual({ chat: [], auxiliary: [], isDefault: true, inheriting: [answers, inheriting] });
  });

  it("counts answers only where the channel goes or is disabled", () => {
    const use = useOf(2, [answers], null);
    expect([isTouched(use, "deleted"), isTouched(use, "disabled"), isTouched(use, "unticked")]).toEqual([true, true, false]);
  });
});

describe("what lacks a language model", () => {
  const real = channel({ id: 2 });

  it("is an agent whose channel is offline or gone", () => {
    expect(agentsWithoutModel([answers, inheriting, agent({ id: 5, channelId: 77 })], [offline, real]).map(({ id }) => id)).toEqual([3, 5]);
  });

  it("is the default for summaries that is offline, gone or may not write", () => {
    expect(needsDefaultAuxiliary([offline, real], 1)).toBe(true);
    expect(needsDefaultAuxiliary([offline, real], null)).toBe(true);
    expect(needsDefaultAuxiliary([offline, { ...real, isAuxiliary: false }], 2)).toBe(true);
    expect(needsDefaultAuxiliary([offline, real], 2)).toBe(false);
  });
});
