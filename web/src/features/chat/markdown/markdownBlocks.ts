// The HTML of a text that may still grow, one piece for each top-level block. What a block is never changes once another one has
// begun (CommonMark closes blocks for good), so each delta parses the last block alone.
import remend from "remend";

import { blocksOf, type MarkdownLabels } from "./markdownHtml";

/** Closes open marks at the end of a text, so that half a word of bold does not jump. Pictures, HTML and formulas are shown as they are. */
const closed = (source: string) => remend(source, { linkMode: "text-only", images: false, htmlTags: false, katex: false });

/**
 * Return a function from a text to the HTML of its blocks, which remembers the finished blocks of an unfinished text.
 * A finished text is read as a whole: its link definitions may stand anywhere.
 */
export function createBlocks(labels: MarkdownLabels) {
  let settledText = "";
  let settled: string[] = [];

  return (text: string, isFinished: boolean): string[] => {
    const source = text.replace(/\r\n?/g, "\n");
    if (isFinished) return blocksOf(source, labels).map((block) => block.html());
    if (!source.startsWith(settledText)) [settledText, settled] = ["", []];
    const rest = source.slice(settledText.length);
    const blocks = blocksOf(rest, labels);
    const last = blocks.at(-1);
    if (last && blocks.length > 1) {
      settled = [...settled, ...blocks.slice(0, -1).map((block) => block.html())];
      settledText += linesBefore(rest, last.line);
    }
    const open = closed(source.slice(settledText.length));
    return [...settled, ...blocksOf(open, labels).map((block) => block.html())];
  };
}

function linesBefore(text: string, line: number): string {
  let end = 0;
  for (let number = 0; number < line; number += 1) end = text.indexOf("\n", end) + 1;
  return text.slice(0, end);
}
