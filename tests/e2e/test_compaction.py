"""Compaction in the browser: by itself, by hand, cancelled, failed; the summary; what waits meanwhile."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from netaclaw.runtime.auxiliary import DEFAULT_AUXILIARY_KEY, DICTIONARY_TYPE
from tests.e2e.chat_page import ChatPage, path_of
from tests.e2e.models import fails, says
from tests.e2e.stage import Stage
from tests.e2e.story import SUMMARY

pytestmark = pytest.mark.asyncio(loop_scope="package")

_ALMOST_FULL = 0.99


async def test_the_next_message_compacts_and_its_one_row_goes_from_running_to_done(chat: ChatPage, stage: Stage) -> None:
    gate = asyncio.Event()
    summaries = [says(SUMMARY["en"], gate=gate)]
    async with stage.conversation(says("Going on."), summaries=summaries, story="en", filled=_ALMOST_FULL) as conversation:
        await chat.open(conversation)
        await chat.send("Write the migration, please.")
        await expect(chat.compaction("running")).to_contain_text("Compacting context...")
        await expect(chat.bar).to_have_attribute("data-level", "compacting")
        await chat.compactions.evaluate("node => { node.mark = 'the same'; }")
        gate.set()
        await expect(chat.compaction("done")).to_contain_text("Context compacted")
        await expect(chat.compactions).to_have_count(1)
        assert await chat.compactions.evaluate("node => node.mark") == "the same"
        await expect(chat.message("Going on.")).to_be_visible()
        await expect(chat.bar).to_have_attribute("data-level", "ok")
        await expect(chat.page.get_by_test_id("context-status")).to_contain_text("compacted 1 time")


async def test_the_drawer_shows_the_stored_summary_and_gives_the_focus_back(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(story="en") as conversation:
        await chat.open(conversation)
        await page.get_by_test_id("compact-button").click()
        await chat.compaction("done").get_by_test_id("view-summary").click()
        drawer = page.get_by_test_id("summary-drawer")
        stored = conversation.entry_of_compaction()["payload"]["summary"]
        lines = [line.strip("#-0123456789. ") for line in stored.splitlines() if line.strip()]
        shown = await drawer.inner_text()
        assert [line for line in lines if line.replace("`", "") not in shown] == []
        await page.keyboard.press("Escape")
        await expect(drawer).to_be_hidden()
        await expect(chat.compaction("done").get_by_test_id("view-summary")).to_be_focused()


async def test_compact_by_the_slash_menu_with_the_keyboard_alone(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(story="en") as conversation:
        await chat.open(conversation)
        await expect(chat.composer).to_be_focused()
        await page.keyboard.type("/co")
        await expect(page.get_by_test_id("slash-menu").get_by_role("option").first).to_contain_text("/compact")
        await page.keyboard.press("Enter")
        await page.keyboard.press("Enter")
        await expect(chat.compaction("done")).to_be_visible()
        assert conversation.entry_of_compaction()["payload"]["details"]["trigger"] == "manual"


async def test_what_stands_after_the_command_becomes_the_focus_of_the_summary(chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(story="en") as conversation:
        await chat.open(conversation)
        await chat.send("/compact the unique key")
        await expect(chat.compaction("done")).to_contain_text("the unique key")
        assert conversation.entry_of_compaction()["payload"]["details"]["focus"] == "the unique key"


async def test_a_running_compaction_can_be_cancelled_and_changes_nothing(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(summaries=[says(SUMMARY["en"], gate=asyncio.Event())], story="en") as conversation:
        before = conversation.context()["messages"]
        await chat.open(conversation)
        await page.get_by_test_id("compact-button").click()
        await chat.compaction("running").get_by_test_id("cancel-compaction").click()
        await expect(chat.compaction("cancelled")).to_be_visible()
        assert conversation.context()["messages"] == before


@pytest.fixture
def without_default_auxiliary(stage: Stage) -> Iterator[None]:
    item = f"/api/dictionary/{DICTIONARY_TYPE}/{DEFAULT_AUXILIARY_KEY}"
    items = stage.server.call("GET", f"/api/dictionary/{DICTIONARY_TYPE}")["items"]
    stage.server.call("PUT", item, {"value": None})
    yield
    stage.server.call("PUT", item, {"value": next(one["value"] for one in items if one["key"] == DEFAULT_AUXILIARY_KEY)})


@pytest.mark.usefixtures("without_default_auxiliary")
async def test_without_an_auxiliary_model_the_row_says_so_and_offers_a_new_conversation(page: Page, chat: ChatPage, stage: Stage) -> None:
    agent = {"auxiliaryMode": "inherit", "auxiliaryModelChannelId": None}
    async with stage.conversation(says("I can still answer."), story="en", filled=_ALMOST_FULL, agent=agent) as conversation:
        await chat.open(conversation)
        await chat.send("Write the migration, please.")
        row = chat.compaction("failed")
        await expect(row).to_contain_text("no auxiliary model is set")
        await expect(chat.message("I can still answer.")).to_be_visible()
        await page.reload()
        await expect(row).to_contain_text("no auxiliary model is set")
        await expect(row.get_by_test_id("failure-remedy")).to_have_attribute("href", "/settings")
        await row.get_by_test_id("open-new-session").click()
        await expect(page.get_by_test_id("new-conversation")).to_be_visible()
        assert path_of(page) == "/chat"


async def test_a_refused_key_of_the_auxiliary_model_is_named_in_the_row(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(summaries=[fails(401, "wrong key")], story="en") as conversation:
        await chat.open(conversation)
        await page.get_by_test_id("compact-button").click()
        await expect(chat.compaction("failed")).to_contain_text("refused the key")


async def test_messages_written_while_it_compacts_wait_can_be_changed_and_removed_and_are_sent_after(chat: ChatPage, stage: Stage) -> None:
    gate = asyncio.Event()
    summaries = [says(SUMMARY["en"], gate=gate)]
    async with stage.conversation(says("Answer after it."), summaries=summaries, story="en") as conversation:
        await chat.open(conversation)
        await chat.page.get_by_test_id("compact-button").click()
        await expect(chat.compaction("running")).to_be_visible()
        for text in ("first that waits", "second that waits"):
            await chat.send(text)
            await expect(chat.queued.filter(has_text=text)).to_be_visible()
        await chat.queued.nth(1).get_by_role("button", name="Remove").click()
        await expect(chat.queued).to_have_count(1)
        await chat.queued.get_by_role("button", name="Edit").click()
        await chat.queued.get_by_role("textbox").fill("first, in better words")
        await chat.queued.get_by_role("textbox").press("Enter")
        await expect(chat.queued).to_contain_text("in better words")
        gate.set()
        await expect(chat.message("Answer after it.")).to_be_visible()
        await expect(chat.queued).to_have_count(0)
        await expect(chat.message("first, in better words")).to_be_visible()
        await expect(chat.message("second that waits")).to_have_count(0)
