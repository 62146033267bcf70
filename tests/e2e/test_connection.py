"""Reloads and broken connections: nothing is lost, nothing comes twice."""

import asyncio
import signal
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.chat_page import ChatPage, path_of
from tests.e2e.conftest import OpenPage
from tests.e2e.models import says
from tests.e2e.stage import Stage, raised
from tests.server_process import running

pytestmark = pytest.mark.asyncio(loop_scope="package")


async def test_a_reload_keeps_rows_view_and_draft(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(story="en") as conversation:
        await chat.open(conversation)
        await page.get_by_test_id("compact-button").click()
        await expect(chat.compaction("done")).to_be_visible()
        await chat.open(conversation, "?view=full")
        await chat.composer.fill("a thought that is\nnot finished")
        before = await chat.rows()
        await page.reload()
        await chat.loaded()
        assert path_of(page) == f"{conversation.path}?view=full"
        await expect(page.get_by_test_id("history-banner")).to_be_visible()
        await expect(chat.compaction("done")).to_be_visible()
        await expect(chat.composer).to_have_value("a thought that is\nnot finished")
        assert [(row["entryId"], row["pieces"]) for row in await chat.rows()] == [(row["entryId"], row["pieces"]) for row in before]


async def test_a_reload_in_the_middle_of_an_answer_goes_on_where_it_was(page: Page, chat: ChatPage, stage: Stage) -> None:
    gate = asyncio.Event()
    async with stage.conversation(says("The beginning of it, and then its end.", gate=gate)) as conversation:
        await chat.open(conversation)
        await chat.send("Tell me.")
        await expect(page.get_by_test_id("streaming-reply")).to_contain_text("The beginning")
        await page.reload()
        await expect(page.get_by_test_id("streaming-reply")).to_contain_text("The beginning")
        await expect(page.get_by_test_id("stop")).to_be_visible()
        gate.set()
        await expect(chat.message("The beginning of it, and then its end.")).to_be_visible()


async def test_a_message_waits_while_another_browser_reads_and_is_sent_once(chat: ChatPage, stage: Stage) -> None:
    gate = asyncio.Event()
    async with stage.conversation(says("One.", gate=gate), says("Two.")) as conversation:
        await chat.open(conversation)
        await chat.send("first")
        await expect(chat.page.get_by_test_id("stop")).to_be_visible()
        await chat.send("second")
        await expect(chat.queued).to_contain_text("second")
        await chat.page.reload()
        await expect(chat.queued).to_contain_text("second")
        gate.set()
        await expect(chat.message("Two.")).to_be_visible()
        await expect(chat.message("second")).to_have_count(1)


async def test_a_killed_and_restarted_server_is_said_and_everything_goes_on(open_page: OpenPage, tmp_path: Path) -> None:
    with raised(tmp_path) as stage:
        async with stage.conversation(says("Before the fall."), says("After the fall.")) as conversation:
            page = await open_page(base_url=stage.server.address)
            chat = ChatPage(page)
            await chat.open(conversation)
            await chat.send("one")
            await expect(chat.message("Before the fall.")).to_be_visible()
            await chat.is_idle()

            stage.server.process.send_signal(signal.SIGKILL)
            await expect(page.get_by_test_id("connection-state")).to_contain_text("Connection lost")
            await chat.send("written while it was away")
            await expect(page.get_by_test_id("outgoing-message")).to_contain_text("written while it was away")
            stage.server.process.wait()

            with running(tmp_path / "data", ("-m", "netaclaw", "serve", "--port", str(stage.server.port))):
                await expect(chat.message("After the fall.")).to_be_visible(timeout=30_000)
                await expect(page.get_by_test_id("connection-state")).to_be_hidden()
                await chat.is_idle()
                for text in ("one", "Before the fall.", "written while it was away", "After the fall."):
                    await expect(chat.message(text)).to_have_count(1)
                shown = [row["entryId"] for row in await chat.rows()]
                assert shown == conversation.context()["entryIds"]
