"""The two views of a compacted conversation: what the next request carries, and everything."""

import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.e2e.chat_page import ChatPage, path_of
from tests.e2e.models import calls_tool, says
from tests.e2e.stage import Conversation, Stage, Story

pytestmark = pytest.mark.asyncio(loop_scope="package")


@pytest.mark.parametrize("story", ["en", "zh", "tools-en"])
async def test_the_compacted_view_is_the_next_request(chat: ChatPage, stage: Stage, story: Story) -> None:
    async with stage.conversation(calls_tool("read_file", path="README.md"), says("**Done**, as you see."), story=story) as conversation:
        await chat.open(conversation)
        await compact(chat)
        await chat.send("And now README.md?")
        await expect(chat.message("as you see")).to_be_visible()
        await chat.is_idle()
        rows, request = await chat.rows(), conversation.context()
        assert [row["entryId"] for row in rows] == request["entryIds"]
        assert_in_order(rows, request["messages"])


async def test_tool_output_that_was_cleared_shows_what_the_model_sees_and_the_full_view_the_original(chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(says("Next."), story="tools-en", filled=1.0) as conversation:
        await chat.open(conversation)
        await chat.send("Go on.")
        await expect(chat.compaction("done")).to_contain_text("Old tool output cleared")
        await expect(chat.message("Next.")).to_be_visible()
        await chat.is_idle()
        rows = await chat.rows()
        assert "[Old tool output cleared to save context]" in texts(rows)
        assert_in_order(rows, conversation.context()["messages"])
        await chat.open(conversation, "?view=full")
        assert "[Old tool output cleared to save context]" not in texts(await chat.rows())


async def test_the_full_view_has_the_covered_messages_a_banner_and_a_way_back(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(story="en") as conversation:
        await chat.open(conversation)
        await compact(chat)
        switch = page.locator('[data-testid="session-item"]', has=page.locator('[aria-current="page"]')).get_by_test_id("history-switch")
        await switch.click()
        banner = page.get_by_test_id("history-banner")
        await expect(banner).to_contain_text("full history")
        await expect(switch).to_have_attribute("aria-pressed", "true")
        await chat.loaded()
        shown = [row["entryId"] for row in await chat.rows() if row["kind"] == "message"]
        assert shown == spoken(conversation)
        await chat.scroll_to_top()
        await expect(page.get_by_text("summarised for the model").first).to_be_visible()
        await banner.get_by_role("link").click()
        await expect(banner).to_be_hidden()
        assert path_of(page) == conversation.path
        await chat.loaded()
        assert [row["entryId"] for row in await chat.rows()] == conversation.context()["entryIds"]


async def test_one_can_write_in_the_full_view_and_stays_in_it(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(says("Answered in the full view."), story="en") as conversation:
        await chat.open(conversation)
        await compact(chat)
        await chat.open(conversation, "?view=full")
        await chat.send("And from here?")
        await expect(chat.message("Answered in the full view.")).to_be_visible()
        await expect(page.get_by_test_id("history-banner")).to_be_visible()


async def test_the_row_of_a_compaction_leads_to_the_first_kept_message(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(story="en") as conversation:
        await chat.open(conversation)
        await compact(chat)
        await chat.compaction("done").get_by_role("link", name="first kept message").click()
        await expect(page.get_by_test_id("history-banner")).to_be_visible()
        first_kept = conversation.entry_of_compaction()["payload"]["firstKeptEntryId"]
        await expect(page.locator(f'[data-testid="message"][data-entry-id="{first_kept}"]')).to_be_in_viewport()


async def compact(chat: ChatPage) -> None:
    await chat.page.get_by_test_id("compact-button").click()
    await expect(chat.compaction("done")).to_be_visible()


def spoken(conversation: Conversation) -> list[int]:
    """Return the messages that are rows of their own, in path order."""
    entries = [entry for entry in conversation.history("full")["messages"] if entry["type"] == "message"]
    return [entry["id"] for entry in entries if entry["payload"]["message"]["role"] != "tool"]


def assert_in_order(rows: list[dict[str, Any]], messages: list[dict[str, Any]]) -> None:
    """Each piece of text on the screen stands in the request, in the same order; Markdown's signs do not count, nor the summary's card."""
    carried = letters("".join(str(message["content"]) for message in messages))
    position = 0
    for piece in filter(None, (letters(piece) for row in rows if row["role"] != "summary" for piece in row["pieces"])):
        found = carried.find(piece, position)
        assert found >= 0, f"not in the request, or not in this place: {piece[:200]}"
        position = found + len(piece)


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def texts(rows: list[dict[str, Any]]) -> str:
    return "\n".join(piece for row in rows for piece in row["pieces"])
