// What a written line means.
import { describe, expect, it } from "vitest";

import { matchingCommands, parseSlashCommand } from "./slashCommands";

const compact = (argument = "") => ({ kind: "command", name: "compact", argument });

describe("parseSlashCommand", () => {
  it.each([
    ["/compact", compact()],
    ["  /COMPACT  ", compact()],
    ["／compact", compact()],
    ["/compact the database", compact("the database")],
    ["/compact\n数据库迁移", compact("数据库迁移")],
    ["/compacted", { kind: "command", name: "compacted", argument: "" }],
    ["/compress", { kind: "unknown", word: "compress" }],
    ["/usr/bin/env", { kind: "text", text: "/usr/bin/env" }],
    ["/", { kind: "text", text: "/" }],
    ["//compact", { kind: "text", text: "/compact" }],
    ["// a comment\n// and another", { kind: "text", text: "// a comment\n// and another" }],
    ["//todo\nconst a = 1;", { kind: "text", text: "//todo\nconst a = 1;" }],
    ["/stop the server first", { kind: "surplus", name: "stop" }],
    ["say /compact", { kind: "text", text: "say /compact" }],
    [" hello ", { kind: "text", text: "hello" }],
  ])("reads %j", (raw, meaning) => {
    expect(parseSlashCommand(raw)).toEqual(meaning);
  });
});

describe("matchingCommands", () => {
  it.each([
    ["/", ["compact", "full", "compacted", "new", "stop"]],
    ["／co", ["compact", "compacted"]],
    ["/compact ", []],
    ["hello", []],
    ["/usr/b", []],
  ])("offers for %j", (raw, names) => {
    expect(matchingCommands(raw).map(({ name }) => name)).toEqual(names);
  });
});
