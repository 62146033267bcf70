"""Language, theme and narrow screens."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.conftest import OpenPage
from tests.e2e.stage import Stage

pytestmark = pytest.mark.asyncio(loop_scope="package")


async def test_the_browser_decides_language_and_theme_until_the_user_does(open_page: OpenPage) -> None:
    page = await open_page(locale="zh-CN", color_scheme="dark")
    await page.goto("/chat")
    await expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    await expect(page.locator("html")).to_have_class("dark")
    await expect(page.get_by_test_id("new-session")).to_contain_text("新对话")


async def test_language_and_theme_are_remembered(page: Page) -> None:
    await page.goto("/chat")
    await page.get_by_test_id("language-switch").click()
    await expect(page.get_by_test_id("new-session")).to_contain_text("新对话")
    await page.get_by_test_id("theme-switch").click()
    await expect(page.locator("html")).to_have_class("dark")
    await page.reload()
    await expect(page.get_by_test_id("new-session")).to_contain_text("新对话")
    await expect(page.locator("html")).to_have_class("dark")
    await expect(page.locator("html")).to_have_attribute("lang", "zh-CN")


@pytest.mark.parametrize("width", [320, 390])
async def test_no_page_is_wider_than_a_phone(open_page: OpenPage, stage: Stage, width: int) -> None:
    page = await open_page(viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True)
    chat = ChatPage(page)
    async with stage.conversation(story="tools-en") as conversation:
        await chat.open(conversation)
        assert not await chat.has_sideways_scroll()
        for path in ("/chat", "/agents", f"/agents/{conversation.agent_id}", "/channels", "/settings"):
            await page.goto(path)
            await expect(page.locator("main h1, main h2").first).to_be_visible()
            assert not await chat.has_sideways_scroll(), path


async def test_on_a_phone_the_conversations_stand_behind_a_button(open_page: OpenPage, stage: Stage) -> None:
    page = await open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    async with stage.conversation() as conversation:
        await page.goto(conversation.path)
        await page.get_by_test_id("open-menu").tap()
        await page.get_by_test_id("new-session").tap()
        await expect(page.get_by_test_id("new-conversation")).to_be_visible()
        await expect(page.get_by_test_id("session-item").first).to_be_hidden()
