"""Ten thousand messages: the page stays small, and the first one can be reached."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.models import says
from tests.e2e.stage import LONG_STORY_MESSAGES, Stage

pytestmark = pytest.mark.asyncio(loop_scope="package")

_MOST_NODES = 60


async def test_ten_thousand_messages_stay_in_a_small_dom_from_the_last_to_the_first(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(says("Still here."), story="long") as conversation:
        await chat.open(conversation)
        await expect(chat.message(f"message number {LONG_STORY_MESSAGES}")).to_be_visible()
        assert await chat.messages.count() < _MOST_NODES
        await chat.send("Are you still there?")
        await expect(chat.message("Still here.")).to_be_visible()
        await chat.is_idle()
        await chat.scroll_to_top()
        await expect(chat.message("message number 1").first).to_have_text("message number 1")
        await expect(page.get_by_text("Start of the conversation")).to_be_visible()
        assert await chat.messages.count() < _MOST_NODES
        await page.get_by_test_id("to-bottom").click()
        await expect(chat.message("Still here.")).to_be_in_viewport()
