// Vendors that are offered, and models whose limits are known.
import { describe, expect, it } from "vitest";

import { knownModel, offeredVendors, vendorFacts } from "./vendors";

const models = ["gpt-5.4", "gpt-5.4-mini", "claude-opus-4-5"].map((name) => ({ name, windowTokens: 1, maxOutputTokens: 1 }));

describe("vendors", () => {
  it("offers the offline one only where there is none", () => {
    expect(offeredVendors(true)).not.toContain("offline");
    expect(offeredVendors(false)).toContain("offline");
  });

  it("knows the models of a vendor by their names", () => {
    expect(["gpt-5.4", "o3", "gpt-oss-20b", "claude-opus-5"].filter(vendorFacts("openai").hasModel)).toEqual(["gpt-5.4", "o3"]);
  });

  it("takes a vendor of a newer server for a compatible one", () => {
    expect(vendorFacts("something_new").label).toBe("channels.vendorCompatible");
  });
});

describe("a known model", () => {
  it.each([
    ["gpt-5.4-mini", "gpt-5.4-mini"],
    ["anthropic/claude-opus-4-5-20251101", "claude-opus-4-5"],
    ["gpt-5.4:latest", "gpt-5.4"],
    ["gpt-5.4-nano", undefined],
    ["my-model", undefined],
  ])("%s has the limits of %s", (name, known) => {
    expect(knownModel(name, models)?.name).toBe(known);
  });
});
