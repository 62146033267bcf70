// Markdown as it is shown: nothing of a message may run or reach out, and a growing text keeps what is finished.
import { mount } from "@vue/test-utils";
import { describe, expect, it } from "vitest";

import MarkdownText from "./MarkdownText.vue";
import { createTranslator } from "@/i18n/translator";

const show = (text: string, isFinished = true) =>
  mount(MarkdownText, { props: { text, isFinished }, attachTo: document.body, global: { plugins: [createTranslator()] } });

describe("MarkdownText", () => {
  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><animate onbegin=alert(1)></svg>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<style>body{display:none}</style>",
    "<form action=https://example.org><input name=location></form>",
    "[click](javascript:alert(1))",
    "[click](JaVaScRiPt&colon;alert(1))",
    "[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[click](vbscript:x)",
    "![x](javascript:alert(1))",
    '[a](https://example.org "onmouseover=alert(1)")',
    "```html\n<script>alert(1)</script>\n```",
    '```"><img src=x onerror=alert(1)>\ncode\n```',
    "<a id=location name=location>x</a>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  ])("runs nothing of %j", (text) => {
    const { element } = show(text);
    expect(element.querySelectorAll("script, iframe, svg, style, form, input, math, object, embed").length).toBe(0);
    for (const each of element.querySelectorAll("*")) {
      for (const { name, value } of each.attributes) {
        expect(name).not.toMatch(/^(?:on|id$|name$|srcdoc$)/);
        if (["href", "src"].includes(name)) expect(value).toMatch(/^(?:https?:|mailto:|data:image\/)/);
      }
    }
  });

  it("opens links in a new tab that knows nothing of this one", () => {
    const link = show("See https://example.org/a.").get("a");
    expect(link.attributes()).toMatchObject({ href: "https://example.org/a", target: "_blank", rel: "noopener noreferrer nofollow" });
  });

  it("shows pictures of other servers as links, and those that the message carries", () => {
    const page = show("![a cat](https://example.org/cat.png)\n\n![dot](data:image/png;base64,iVBORw0KGgo=)");
    expect(page.findAll("img").map((image) => image.attributes("alt"))).toEqual(["dot"]);
    expect(page.get("a").text()).toBe("a cat");
  });

  it("colours code of a known language and leaves other code as it is", () => {
    const page = show("```python\nimport os\n```\n\n```klingon\nqapla < 1\n```");
    const [known, unknown] = page.findAll("code");
    expect(known?.find(".hljs-keyword").text()).toBe("import");
    expect([unknown?.text(), unknown?.findAll("span").length]).toEqual(["qapla < 1", 0]);
  });

  it("can be read by keyboard where it is wider than the page", () => {
    const page = show("|a|b|\n|-|-|\n|1|2|\n\n```\nlong\n```");
    expect(page.get(".table-scroll").attributes("tabindex")).toBe("0");
    expect(page.get("pre").attributes("tabindex")).toBe("0");
  });

  it("keeps finished blocks in the DOM while the text grows", async () => {
    const page = show("# Title\n\nFirst paragraph.\n\nSecond", false);
    const before = page.findAll(".block").map((block) => block.element.firstElementChild);
    await page.setProps({ text: "# Title\n\nFirst paragraph.\n\nSecond paragraph.\n\n```py\nx = " });
    const after = page.findAll(".block").map((block) => block.element.firstElementChild);
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[0]).toBe(before[0]);
    expect(page.get("code").text()).toBe("x =");
  });

  it("closes what is still open while the text grows, and shows half a link as its words", () => {
    expect(show("some **bold te", false).get("strong").text()).toBe("bold te");
    expect(show("a [link to](https://exam", false).findAll("a").length).toBe(0);
    expect(show("some **bold te", true).find("strong").exists()).toBe(false);
  });

  it("shows a text of marks alone and an empty one", () => {
    expect(show("").findAll(".block").length).toBe(0);
    expect(show("***").find("hr").exists()).toBe(true);
  });
});
