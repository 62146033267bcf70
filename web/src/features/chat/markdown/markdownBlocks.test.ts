// The blocks of a text that grows.
import { describe, expect, it } from "vitest";

import { createBlocks } from "./markdownBlocks";

const labels = { copy: "Copy", code: "Code", table: "Table" };

const TEXT = `# Plan

Some **bold** words and a [link](https://example.com/a).
They go on.

- one
- two

  still two

1. first
2. second

\`\`\`python
def due(loan):
    return loan.day  # **no bold here**
\`\`\`

| a | b |
|---|--:|
| 1 | 2 |

> quoted
> words

Title
-----

The end, with \`code\`.
`;

const finished = (text: string) => createBlocks(labels)(text, true);
const plain = (html: string) => html.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");

describe("a text that grows", () => {
  it("has the blocks of the whole text in the end, in whatever pieces it came", () => {
    for (const size of [1, 3, 7, 50]) {
      const blocks = createBlocks(labels);
      let shown: string[] = [];
      for (let end = size; end < TEXT.length + size; end += size) shown = blocks(TEXT.slice(0, end), false);
      expect(shown).toEqual(finished(TEXT));
    }
  });

  it("keeps each finished block as it is", () => {
    const blocks = createBlocks(labels);
    let before: string[] = [];
    for (let end = 1; end <= TEXT.length; end += 1) {
      const now = blocks(TEXT.slice(0, end), false);
      expect(now.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      before = now;
    }
  });

  it("closes marks that are still open", () => {
    expect(createBlocks(labels)("a **bo", false)).toEqual(["<p>a <strong>bo</strong></p>\n"]);
    expect(createBlocks(labels)("see `co", false)).toEqual(["<p>see <code>co</code></p>\n"]);
    expect(plain(createBlocks(labels)("```py\nx = 1", false).join(""))).toContain("x = 1");
  });

  it("shows the words of a link whose address is not complete, and no address of remend", () => {
    const html = createBlocks(labels)("see [the notes](https://exam", false).join("");
    expect(html).toBe("<p>see the notes</p>\n");
  });

  it("begins anew with another text", () => {
    const blocks = createBlocks(labels);
    blocks("one\n\ntwo\n\nthree", false);
    expect(blocks("four\n\nfive", false)).toEqual(finished("four\n\nfive"));
  });

  it("takes any line ends", () => {
    const blocks = createBlocks(labels);
    blocks("one\r\n\r\ntwo\r\n", false);
    expect(blocks("one\r\n\r\ntwo\r\n\r\nthree", false)).toEqual(finished("one\n\ntwo\n\nthree"));
  });

  it("knows link definitions at the end of a finished text", () => {
    expect(finished("See [the notes][1].\n\nMore.\n\n[1]: https://example.com/notes").join("")).toContain(
      'href="https://example.com/notes"',
    );
  });
});

describe("addresses in text", () => {
  const html = (text: string) => finished(text).join("");

  it("become links only where they begin with http:// or https://", () => {
    expect(html("https://example.com/a")).toContain('<a href="https://example.com/a">');
    for (const text of ["main.py", "README.md", "www.example.com", "//example.com", "me@example.com", "ftp://example.com"])
      expect(html(text)).not.toContain("<a");
  });

  it("end where Chinese punctuation begins", () => {
    expect(html("见 https://example.com/a，然后继续。")).toBe(
      '<p>见 <a href="https://example.com/a">https://example.com/a</a>，然后继续。</p>\n',
    );
  });
});
