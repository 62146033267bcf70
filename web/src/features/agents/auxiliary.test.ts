// Which channel would write the summaries, and what is wrong with it.
import { describe, expect, it } from "vitest";

import { auxiliaryOf, offeredAuxiliaries } from "./auxiliary";
import { channel } from "@/forms/playedServer";

const good = channel({ id: 1 });
const disabled = channel({ id: 2, isEnabled: false });
const unticked = channel({ id: 3, isAuxiliary: false });
const channels = [good, disabled, unticked];

describe("the auxiliary channel", () => {
  it.each([
    ["inherit", 1, { channel: good, fault: null }],
    ["inherit", null, { channel: null, fault: "agents.auxiliaryNone" }],
    ["inherit", 2, { channel: disabled, fault: "agents.auxiliaryDisabled" }],
    [9, 1, { channel: null, fault: "agents.auxiliaryMissing" }],
    [3, 1, { channel: unticked, fault: "agents.auxiliaryUnticked" }],
    ["same", null, { channel: unticked, fault: null }],
  ] as const)("is looked for at %s with the default %s", (choice, defaultId, expected) => {
    expect(auxiliaryOf(choice, 3, channels, defaultId)).toEqual(expected);
  });

  it("is offered where it may write, or is the chosen one", () => {
    expect(offeredAuxiliaries("inherit", channels)).toEqual([good]);
    expect(offeredAuxiliaries(3, channels)).toEqual([good, unticked]);
  });
});
