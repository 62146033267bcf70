// Markdown to HTML by markdown-it, with what this page adds: coloured code with a copy button, tables and code that scroll inside themselves.
import MarkdownIt, { type Env, type Token } from "markdown-it";

import { highlighted } from "./highlight";

/** Texts that stand in the rendered HTML. */
export interface MarkdownLabels {
  copy: string;
  code: string;
  table: string;
}

/** One top-level block: a paragraph, a list, a table. */
export interface Block {
  /** Number of its first line. */
  line: number;
  html: () => string;
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
const escape = (text: string) => markdown.utils.escapeHtml(text);

/** Return the top-level blocks of a text whose lines end with `\n`. The HTML still has to be sanitised. */
export function blocksOf(source: string, labels: MarkdownLabels): Block[] {
  const environment: Env = { labels };
  const tokens = markdown.parse(source, environment);
  return topLevel(tokens).map((block) => ({
    line: block[0]?.map?.[0] ?? 0,
    html: () => markdown.renderer.render(block, markdown.options, environment),
  }));
}

function topLevel(tokens: readonly Token[]): Token[][] {
  const blocks: Token[][] = [];
  let current: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    current.push(token);
    depth += token.nesting;
    if (depth > 0) continue;
    blocks.push(current);
    current = [];
  }
  return blocks;
}

// Only what begins with http:// or https:// becomes a link by itself: main.py and README.md are files, not servers in Paraguay and Moldova.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.linkify.add("//", null).add("ftp:", null).add("mailto:", null);
const CHINESE_MARKS = /[，。；：！？、（）【】「」『』《》“”‘’…]/;
const foundLinks = markdown.linkify.match.bind(markdown.linkify);

/** Chinese text follows an address without a space; its punctuation ends the address. */
markdown.linkify.match = (text) =>
  foundLinks(text)?.map((link) => {
    const end = link.raw.search(CHINESE_MARKS);
    if (end < 0) return link;
    const raw = link.raw.slice(0, end);
    return Object.assign(link, { raw, text: raw, url: raw, lastIndex: link.index + end });
  }) ?? null;

const labelsOf = (environment: unknown) => (environment as { labels: MarkdownLabels }).labels;

function codeBlock(code: string, language: string, labels: MarkdownLabels): string {
  const name = escape(language || labels.code);
  const body = highlighted(code, language) ?? escape(code);
  const head = `<div class="code-head"><span>${name}</span><button type="button" class="copy-code">${escape(labels.copy)}</button></div>`;
  return `<div class="code-block">${head}<pre tabindex="0" role="group" aria-label="${name}"><code>${body}</code></pre></div>`;
}

markdown.renderer.rules.fence = (tokens, index, _options, environment) => {
  const token = tokens[index];
  const language = (token?.info ?? "").trim().split(/\s+/)[0]?.toLowerCase() ?? "";
  return codeBlock(token?.content ?? "", language, labelsOf(environment));
};
markdown.renderer.rules.code_block = (tokens, index, _options, environment) =>
  codeBlock(tokens[index]?.content ?? "", "", labelsOf(environment));
markdown.renderer.rules.table_open = (_tokens, _index, _options, environment) =>
  `<div class="table-scroll" tabindex="0" role="group" aria-label="${escape(labelsOf(environment).table)}"><table>`;
markdown.renderer.rules.table_close = () => "</table></div>";
/** Pictures that are not in the text itself are shown as links. */
markdown.renderer.rules.image = (tokens, index) => {
  const token = tokens[index];
  const source = String(token?.attrGet("src") ?? "");
  const words = escape(token?.content || source);
  if (/^(?:data:image\/|blob:)/i.test(source)) return `<img src="${escape(source)}" alt="${words}">`;
  return `<a href="${escape(source)}">${words}</a>`;
};
