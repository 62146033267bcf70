"""No page breaks WCAG 2 A or AA, in both languages and themes, with whatever is open; and all of it works by keyboard alone."""

from collections.abc import AsyncIterator
from typing import Literal, TypeAlias

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.accessibility import faults_of
from tests.e2e.chat_page import ChatPage
from tests.e2e.conftest import OpenPage
from tests.e2e.models import calls_tool, says
from tests.e2e.scenes import Scenes, staged_scenes
from tests.e2e.stage import Stage
from tests.e2e.states import PAGES, TELLING
from tests.e2e.story import LOCALES, Language
from tests.e2e.view import Show, View

pytestmark = pytest.mark.asyncio(loop_scope="package")

Theme: TypeAlias = Literal["light", "dark"]

_LOOKS: tuple[tuple[Language, Theme, tuple[Show, ...]], ...] = (
    ("en", "light", TELLING),
    ("zh", "dark", TELLING),
    ("en", "dark", PAGES),
    ("zh", "light", PAGES),
)
"""Colours hang on the theme and texts on the language, so that not every state is looked at in all four."""


@pytest_asyncio.fixture(scope="module", loop_scope="package")
async def scenes(browser: Browser, stage: Stage) -> AsyncIterator[Scenes]:
    page = await browser.new_page(base_url=stage.server.address, reduced_motion="reduce")
    async with staged_scenes(stage, page, "en") as scenes:
        yield scenes
    await page.close()


@pytest.mark.parametrize(("language", "theme", "states"), _LOOKS, ids=["en-light", "zh-dark", "pages-en-dark", "pages-zh-light"])
async def test_axe_finds_no_fault(open_page: OpenPage, scenes: Scenes, language: Language, theme: Theme, states: tuple[Show, ...]) -> None:
    page = await open_page(locale=LOCALES[language], color_scheme=theme)
    found: dict[str, list[str]] = {}
    for show in states:
        await show(View(page, scenes))
        found[show.__name__] = await faults_of(page)
    assert {state: faults for state, faults in found.items() if faults} == {}


async def test_a_whole_conversation_works_by_keyboard_alone(page: Page, stage: Stage) -> None:
    chat = ChatPage(page)
    async with stage.conversation(calls_tool("read_file", path="README.md"), says("It lends books."), story="en") as conversation:
        await chat.open(conversation)
        await page.keyboard.type("README.md?")
        await page.keyboard.press("Enter")
        await expect(chat.message("It lends books.")).to_be_visible()
        await chat.is_idle()

        card = page.get_by_test_id("tool-card").last.get_by_role("button").first
        await tab_to(card, backwards=True)
        await page.keyboard.press("Enter")
        await expect(card).to_have_attribute("aria-expanded", "true")

        await tab_to(page.get_by_test_id("context-status"))
        await expect(page.get_by_test_id("context-breakdown")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_test_id("context-breakdown")).to_be_hidden()

        await tab_to(page.get_by_test_id("compact-button"))
        await page.keyboard.press("Enter")
        summary = chat.compaction("done").get_by_test_id("view-summary")
        await expect(summary).to_be_visible()
        await tab_to(summary, backwards=True)
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("summary-drawer")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(summary).to_be_focused()

        current = page.locator('[data-testid="session-item"]', has=page.locator('[aria-current="page"]'))
        await tab_to(current.get_by_test_id("history-switch"), backwards=True)
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("history-banner")).to_be_visible()


async def test_the_first_stop_of_the_tab_key_skips_to_the_content(page: Page, stage: Stage) -> None:
    async with stage.conversation() as conversation:
        await page.goto(f"/agents/{conversation.agent_id}")
        await expect(page.get_by_test_id("agent-name")).to_be_visible()
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        await page.keyboard.press("Enter")
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.querySelector('main').contains(document.activeElement)")


async def tab_to(target: Locator, *, backwards: bool = False) -> None:
    """Press Tab until the element has the focus, as one who has no mouse."""
    page = target.page
    for _ in range(300):
        if await target.evaluate("node => node === document.activeElement"):
            return
        await page.keyboard.press("Shift+Tab" if backwards else "Tab")
    raise AssertionError(f"{target} cannot be reached with the Tab key")
