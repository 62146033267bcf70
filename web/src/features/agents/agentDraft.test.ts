// What is typed into an agent's form, what is wrong with it, and what goes to the server.
import { describe, expect, it } from "vitest";

import { changesOf, draftOf, emptyDraft, faultsOf, newAgentOf } from "./agentDraft";
import { agent, channel, offline } from "@/forms/playedServer";

const before = draftOf(agent({ id: 1 }));

describe("what goes to the server", () => {
  it("is only what has changed", () => {
    expect(changesOf({ ...before }, before)).toEqual({});
    expect(changesOf({ ...before, name: "Ada" }, before)).toEqual({ name: "Ada" });
  });

  it("is null where a value is inherited again", () => {
    const own = draftOf(agent({ id: 1, compactionThresholdPercent: 80, compactionProtectFirstN: 5 }));
    expect(changesOf({ ...own, thresholdPercent: null, protectFirstN: null }, own)).toEqual({
      compactionThresholdPercent: null,
      compactionProtectFirstN: null,
    });
  });

  it.each([
    ["inherit", { auxiliaryMode: "inherit", auxiliaryModelChannelId: null }],
    ["same", { auxiliaryMode: "same", auxiliaryModelChannelId: null }],
    [7, { auxiliaryMode: "channel", auxiliaryModelChannelId: 7 }],
  ] as const)("says %s as mode and channel", (auxiliary, sent) => {
    expect(newAgentOf({ ...before, auxiliary })).toMatchObject(sent);
  });

  it("does not take another order of the tools for a change", () => {
    expect(changesOf({ ...before, tools: [...before.tools].reverse() }, before)).toEqual({});
    expect(changesOf({ ...before, tools: ["todo"] }, before)).toEqual({ tools: ["todo"] });
  });

  it("has no workspace where the field is empty", () => {
    const own = draftOf(agent({ id: 1, workspace: "/srv/work" }));
    expect(changesOf({ ...own, workspace: " " }, own)).toEqual({ workspace: null });
  });
});

describe("a new agent", () => {
  it("has all tools and answers with a language model where there is one", () => {
    const { channelId, tools } = emptyDraft([offline, channel({ id: 2, isEnabled: false }), channel({ id: 3 })], ["a", "b"]);
    expect({ channelId, tools }).toEqual({ channelId: 3, tools: ["a", "b"] });
    expect(emptyDraft([offline], []).channelId).toBe(1);
    expect(emptyDraft([], []).channelId).toBeNull();
  });
});

describe("faults of an agent", () => {
  it("are a missing name and a folder that is no full path", () => {
    expect(faultsOf({ ...before, name: "", workspace: "work" })).toEqual({
      name: "agents.nameMissing",
      workspace: "agents.workspaceNotFull",
    });
    expect(faultsOf({ ...before, name: "Ada", workspace: "/srv/work" })).toEqual({});
    expect(faultsOf({ ...before, name: "Ada", workspace: "C:\\work" })).toEqual({});
  });
});
