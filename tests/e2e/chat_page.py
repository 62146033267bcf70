"""The chat page as a user sees it: what is on it, and what one does to it."""

import re
from typing import Any

from playwright.async_api import Locator, Page, expect

from tests.e2e.stage import Conversation


class ChatPage:
    """The page with a conversation open."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.composer = page.get_by_test_id("composer")
        self.messages = page.get_by_test_id("message")
        self.compactions = page.get_by_test_id("compaction-row")
        self.queued = page.get_by_test_id("queued-message")
        self.bar = page.get_by_test_id("context-bar")
        self.list = page.get_by_test_id("message-list")

    async def open(self, conversation: Conversation, view: str = "") -> None:
        """Open a conversation and wait until it is there."""
        await self.page.goto(conversation.path + view)
        await self.loaded()

    async def loaded(self) -> None:
        """Wait until the conversation has come from the server."""
        await expect(self.page.get_by_test_id("context-status")).to_be_visible()
        await expect(self.list).to_have_attribute("aria-busy", "false")

    async def settled(self) -> None:
        """Wait until the rows in sight have been measured and stand still, as for a picture."""
        await self.loaded()
        await self.page.evaluate(_SETTLE)

    async def send(self, text: str) -> None:
        """Write a message and press Enter."""
        await self.composer.fill(text)
        await self.composer.press("Enter")

    def message(self, text: str) -> Locator:
        """Return the message rows that have this text."""
        return self.messages.filter(has_text=text)

    def compaction(self, state: str) -> Locator:
        """Return the rows of compactions in a state."""
        return self.page.locator(f'[data-testid="compaction-row"][data-state="{state}"]')

    async def is_idle(self) -> None:
        """Wait until nothing runs any more."""
        await expect(self.page.get_by_test_id("stop")).to_have_count(0)
        await expect(self.page.get_by_test_id("outgoing-message")).to_have_count(0)

    async def scroll_to_top(self) -> None:
        """Scroll up until the first message is there, however many pages that takes."""
        await self.page.evaluate(_SCROLL_TO_TOP)

    async def rows(self) -> list[dict[str, Any]]:
        """Return all messages and tool cards in their order, with their pieces of text, by scrolling through the whole list."""
        await self.scroll_to_top()
        seen: list[dict[str, Any]] = await self.page.evaluate(_COLLECT)
        return seen

    async def has_sideways_scroll(self) -> bool:
        """Whether the page is wider than its window."""
        wider: bool = await self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
        return wider


def path_of(page: Page) -> str:
    """Return the path of the page's address."""
    return re.sub(r"^\w+://[^/]+", "", page.url)


_STEPS = """
const box = document.querySelector('[data-testid=message-list]');
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
const settled = async () => {
  for (let same = 0, last = ''; same < 4; ) {
    await frame();
    const now = [box.scrollTop, box.scrollHeight, box.querySelectorAll('[data-testid=message]').length].join();
    same = now === last ? same + 1 : 0;
    last = now;
  }
};
"""

_SETTLE = f"""async () => {{ {_STEPS}
  await document.fonts.ready;
  await settled();
}}"""

_SCROLL_TO_TOP = f"""async () => {{ {_STEPS}
  while (box.ariaBusy === 'true' || box.scrollTop > 0 || !box.querySelector('[data-testid=conversation-start]')) {{
    box.scrollTop = 0;
    await settled();
  }}
}}"""

_COLLECT = f"""async () => {{ {_STEPS}
  const pieces = (node) => {{
    const pre = [...node.querySelectorAll('pre')].at(-1);
    const copy = (node.dataset.testid === 'tool-card' ? pre : node).cloneNode(true);
    copy.querySelectorAll('.code-head, .foot, .line, .mark, .visually-hidden, [data-testid=tool-card]').forEach((part) => part.remove());
    const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode.textContent);
    return texts;
  }};
  const seen = {{}};
  for (;;) {{
    await settled();
    for (let closed; (closed = box.querySelector('[data-testid=tool-card] > button[aria-expanded=false]')); await settled()) closed.click();
    for (const node of box.querySelectorAll('[data-testid=message], [data-testid=tool-card]')) {{
      const {{ testid, entryId, role, state }} = node.dataset;
      seen[testid + entryId] ??= {{ kind: testid, entryId: Number(entryId), role, state, pieces: pieces(node) }};
    }}
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - 1) return Object.values(seen);
    box.scrollTop += box.clientHeight / 2;
  }}
}}"""
