// Which rows the entries become, and in which order.
import { describe, expect, it } from "vitest";

import { rowsOf, type Row } from "./rows";
import { assistant, compaction, failure, result, user } from "./testEntries";
import type { Entry, View } from "@/protocol/types";

const kinds = (entries: Entry[], view: View = "compacted") => rowsOf(entries, view, {}).map((row) => [row.kind, row.key]);

const tools = (row: Row | undefined) => (row?.kind === "message" ? row.tools.map(({ call, result: found }) => [call.id, found?.id]) : null);

describe("rowsOf", () => {
  it("puts results into the message that called", () => {
    const rows = rowsOf([user(1, "a"), assistant(2, "", ["c1", "c2"]), result(3, "c1", "x"), result(4, "c2", "y")], "full", {});
    expect(rows.map((row) => row.key)).toEqual(["entry-1", "entry-2"]);
    expect(tools(rows[1])).toEqual([
      ["c1", 3],
      ["c2", 4],
    ]);
  });

  it("gives a call id that is used again to each its own result", () => {
    const rows = rowsOf([assistant(1, "", ["c1"]), result(2, "c1", "x"), assistant(3, "", ["c1"]), result(4, "c1", "y")], "full", {});
    expect(rows.map(tools)).toEqual([[["c1", 2]], [["c1", 4]]]);
  });

  it("shows a call without a result, and a result without a call", () => {
    const rows = rowsOf([assistant(1, "", ["c1"]), result(2, "other", "x")], "full", {});
    expect(rows.map((row) => row.key)).toEqual(["entry-1", "entry-2"]);
    expect(tools(rows[0])).toEqual([["c1", undefined]]);
  });

  it("shows in the compacted view the summary in its place and the row where the compaction happened", () => {
    const entries = [user(1, "head"), compaction(6), user(4, "kept"), assistant(5, "tail"), user(7, "later")];
    expect(kinds(entries)).toEqual([
      ["message", "entry-1"],
      ["summary", "summary-6"],
      ["message", "entry-4"],
      ["message", "entry-5"],
      ["compaction", "entry-6"],
      ["message", "entry-7"],
    ]);
  });

  it("shows in the full view the row alone", () => {
    expect(kinds([user(1, "a"), compaction(2), user(3, "b")], "full")).toEqual([
      ["message", "entry-1"],
      ["compaction", "entry-2"],
      ["message", "entry-3"],
    ]);
  });

  it("leaves a prune where it happened, without a summary", () => {
    expect(kinds([user(1, "a"), compaction(2, "prune"), user(3, "b")])).toEqual([
      ["message", "entry-1"],
      ["compaction", "entry-2"],
      ["message", "entry-3"],
    ]);
  });

  it("shows a failed compaction with its reason, in the row that was seen running", () => {
    const [row] = rowsOf([failure(1, "no_auxiliary_model")], "compacted", { 1: "compaction-live-1" });
    expect(row).toMatchObject({
      kind: "compaction_failed",
      key: "compaction-live-1",
      failure: { trigger: "auto", reason: "no_auxiliary_model", error: "It failed" },
    });
  });
});
