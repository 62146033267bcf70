// What is typed into a channel's form, what is wrong with it, and what goes to the server.
import { describe, expect, it } from "vitest";

import { changesOf, draftOf, emptyDraft, faultsOf, freeName, newChannelOf } from "./channelDraft";
import { channel } from "@/forms/playedServer";

const models = [{ name: "gpt-4o", windowTokens: 128_000, maxOutputTokens: 16_384 }];
const typed = { ...emptyDraft("openai_compatible", []), name: "Mine", baseUrl: "http://127.0.0.1:8000/v1", model: "my-model" };

describe("faults of a channel", () => {
  it("has none where everything needed is there", () => {
    expect(faultsOf(typed, null)).toEqual({});
  });

  it("asks for name, model and the address of a compatible server", () => {
    expect(faultsOf({ ...typed, name: " ", model: "", baseUrl: "" }, null)).toEqual({
      name: "channels.nameMissing",
      model: "channels.modelMissing",
      baseUrl: "channels.baseUrlMissing",
    });
  });

  it("needs no address for a vendor that has one, but a key", () => {
    expect(faultsOf({ ...typed, vendor: "anthropic", baseUrl: "" }, null)).toEqual({ apiKey: "channels.keyMissing" });
  });

  it("keeps the stored key of the same vendor", () => {
    const stored = channel({ id: 1, vendor: "anthropic", hasKey: true });
    expect(faultsOf({ ...typed, vendor: "anthropic", baseUrl: "" }, stored)).toEqual({});
  });

  it.each(["127.0.0.1:8000", "ftp://server", "http://", "http://a b"])("refuses %s as an address", (baseUrl) => {
    expect(faultsOf({ ...typed, baseUrl }, null)).toEqual({ baseUrl: "channels.baseUrlInvalid" });
  });

  it("refuses a key with signs that no header can carry", () => {
    expect(faultsOf({ ...typed, apiKey: "sk-…" }, null)).toEqual({ apiKey: "channels.keyInvalid" });
  });
});

describe("what goes to the server", () => {
  it("is null where nothing is typed, so that the known limits hold", () => {
    expect(newChannelOf({ ...typed, name: " Mine ", apiKey: " " })).toEqual({
      name: "Mine",
      vendor: "openai_compatible",
      model: "my-model",
      baseUrl: "http://127.0.0.1:8000/v1",
      apiKey: null,
      windowTokens: null,
      maxOutputTokens: null,
      isAuxiliary: false,
      isEnabled: true,
    });
  });

  it("is only what has changed", () => {
    expect(changesOf(typed, typed)).toEqual({});
    expect(changesOf({ ...typed, isAuxiliary: true }, typed)).toEqual({ isAuxiliary: true });
  });

  it("names both limits with another model, since the server forgets the old ones", () => {
    expect(changesOf({ ...typed, model: "other", windowTokens: 32_000 }, { ...typed, windowTokens: 32_000 })).toEqual({
      model: "other",
      windowTokens: 32_000,
      maxOutputTokens: null,
    });
  });

  it("has a key only if one is typed or removed", () => {
    expect(changesOf({ ...typed, apiKey: "sk-1" }, typed)).toEqual({ apiKey: "sk-1" });
    expect(changesOf({ ...typed, isKeyRemoved: true }, typed)).toEqual({ apiKey: null });
  });
});

describe("a stored channel in the form", () => {
  it("leaves limits empty that are the known ones of its model", () => {
    const { windowTokens, maxOutputTokens } = draftOf(
      channel({ id: 1, model: "gpt-4o", windowTokens: 32_000, maxOutputTokens: 16_384 }),
      models,
    );
    expect({ windowTokens, maxOutputTokens }).toEqual({ windowTokens: 32_000, maxOutputTokens: null });
  });
});

describe("the name of a new channel", () => {
  it("is the vendor's, with a number where it is taken", () => {
    expect(freeName("openai", [])).toBe("OpenAI");
    expect(freeName("openai_responses", ["OpenAI", "OpenAI 2"])).toBe("OpenAI 3");
    expect(freeName("openai_compatible", [""])).toBe("");
  });
});
