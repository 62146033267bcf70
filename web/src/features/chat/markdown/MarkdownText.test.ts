// Markdown on the page: what is let through, what stays while it grows, the copy button.
import { flushPromises, mount, type VueWrapper } from "@vue/test-utils";
import { afterEach, describe, expect, it, vi } from "vitest";

import MarkdownText from "./MarkdownText.vue";
import { createTranslator } from "@/i18n/translator";

let wrapper: VueWrapper;

afterEach(() => wrapper.unmount());

const show = (text: string, isFinished = true) =>
  (wrapper = mount(MarkdownText, { props: { text, isFinished }, attachTo: document.body, global: { plugins: [createTranslator()] } }));
const html = (text: string) => show(text).html();

const ATTACKS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '<svg onload="alert(1)"></svg>',
  "<style>body { display: none }</style>",
  '<a href="javascript:alert(1)">x</a>',
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<form id=app name=app><input name=attributes></form>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java\tscript:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](vbscript:msgbox(1))",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "[x](data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=)",
  "[x](file:///etc/passwd)",
  "[x](blob:https://example.com/1)",
  "![x](javascript:alert(1))",
  "![x](data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=)",
  '![x" onerror="alert(1)](https://example.com/a.png)',
  '[x](https://example.com/" onmouseover="alert(1))',
  "[![x](javascript:alert(1))](javascript:alert(2))",
  "[a](https://example.com/[b](javascript:alert(1)))",
  "<javascript:alert(1)>",
  "[x]\n\n[x]: javascript:alert(1)",
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  "```html\n<script>alert(1)</script>\n```",
  "`<img src=x onerror=alert(1)>`",
  "| <img src=x onerror=alert(1)> |\n|---|\n| <script>alert(1)</script> |",
];

describe("what a model may not do", () => {
  it.each(ATTACKS)("%s does nothing", (attack) => {
    for (const isFinished of [true, false]) {
      const { element } = show(attack, isFinished);
      expect(element.querySelector("script, style, svg, iframe, form, input, object, embed, [id], [name]")).toBeNull();
      for (const node of element.querySelectorAll("*"))
        for (const { name, value } of node.attributes) {
          expect(name).not.toMatch(/^on/);
          if (["href", "src"].includes(name)) expect(value).toMatch(/^https?:/);
        }
      if (isFinished) wrapper.unmount();
    }
  });

  it("sets no style but the alignment of table cells", () => {
    expect(html("| a |\n|:-:|\n| 1 |")).toContain('style="text-align:center"');
    wrapper.unmount();
    expect(show('<p style="position:fixed">x</p>').find("[style]").exists()).toBe(false);
  });
});

describe("links and pictures", () => {
  it("opens links in a new tab and tells the server nothing", () => {
    const link = show("[notes](https://example.com)").find("a");
    expect(link.attributes()).toMatchObject({ href: "https://example.com", target: "_blank", rel: "noopener noreferrer nofollow" });
    expect(show("[mail](mailto:a@example.com)").find("a").attributes("href")).toBe("mailto:a@example.com");
  });

  it("leaves the words of a link that leads into a folder", () => {
    const link = show("[main](src/main.py)").find("a");
    expect(link.text()).toBe("main");
    expect(link.attributes("href")).toBeUndefined();
  });

  it("shows a picture that stands in the text, and others as links", () => {
    expect(show("![dot](data:image/png;base64,iVBORw0KGgo=)").find("img").attributes("alt")).toBe("dot");
    wrapper.unmount();
    show("![a cat](https://example.com/cat.png)");
    expect(wrapper.find("img").exists()).toBe(false);
    expect(wrapper.find("a").attributes("href")).toBe("https://example.com/cat.png");
  });
});

describe("a text that grows", () => {
  it("keeps the nodes of finished blocks, so that a selection survives", async () => {
    show("First **block**.\n\n```python\nx = 1\n```\n\nThe la", false);
    const before = [...wrapper.element.querySelectorAll(".block > *")];
    await wrapper.setProps({ text: "First **block**.\n\n```python\nx = 1\n```\n\nThe last one.\n\n- and a list" });
    const now = [...wrapper.element.querySelectorAll(".block > *")];
    expect(now).toHaveLength(4);
    expect(now.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(now[0]).toBe(before[0]);
    expect(now[1]).toBe(before[1]);
  });
});

describe("code", () => {
  it("is coloured where the language is known, and plain where it is not", () => {
    expect(html("```python\ndef f(): pass\n```")).toContain("hljs-keyword");
    expect(html("```brainfuck\n+++\n```")).not.toContain("hljs-");
  });

  it("can be scrolled by keyboard, as a table can", () => {
    show("```\nx\n```\n\n| a |\n|---|\n| 1 |");
    expect(wrapper.findAll("[tabindex='0']").map((node) => node.attributes("aria-label"))).toEqual(["Code", "Table"]);
  });

  it("is copied as it was written, and that is announced", async () => {
    vi.useFakeTimers();
    const writeText = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
    document.execCommand = () => {
      writeText(document.querySelector("textarea")?.value);
      return true;
    };
    show('```python\nprint("<b>")\n```');
    await wrapper.find("button.copy-code").trigger("click");
    await flushPromises();
    expect(writeText).toHaveBeenCalledWith('print("<b>")\n');
    expect(wrapper.find("[role=status]").text()).toBe("Copied");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(wrapper.find("button.copy-code").text()).toBe("Copy");
    expect(wrapper.find("[role=status]").text()).toBe("");
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
});
