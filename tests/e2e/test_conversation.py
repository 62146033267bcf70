"""A conversation in the browser: messages, tools, stop, retry, input methods, two pages."""

import asyncio

import pytest
from playwright.async_api import Page, expect

from tests.e2e.chat_page import ChatPage, path_of
from tests.e2e.conftest import OpenPage
from tests.e2e.models import calls_tool, fails, says
from tests.e2e.stage import Stage
from tests.e2e.story import RICH_ANSWER

pytestmark = pytest.mark.asyncio(loop_scope="package")


async def test_the_first_message_of_a_new_conversation_is_answered_and_gets_an_address(page: Page, chat: ChatPage) -> None:
    await page.goto("/")
    await chat.send("What can you do?")
    await expect(chat.message("What can you do?").first).to_be_visible()
    await expect(page.locator('[data-testid="message"][data-role="assistant"]')).to_be_visible()
    assert path_of(page).startswith("/chat/")
    await expect(page.locator('[data-testid="session-item"] [aria-current="page"]')).to_contain_text("What can you do?")


async def test_an_answer_is_shown_as_markdown_with_code_table_and_safe_links(chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(says(RICH_ANSWER["en"])) as conversation:
        await chat.open(conversation)
        await chat.send("Where do we start?")
        answer = chat.message("Three places have to change")
        await expect(answer.locator("table td").first).to_have_text("library/reminders.py")
        await expect(answer.locator("pre code")).to_contain_text("def due_today")
        link = answer.get_by_role("link", name="the notes on time zones")
        assert await link.get_attribute("rel") == "noopener noreferrer nofollow"


async def test_a_tool_card_opens_to_arguments_and_result(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(calls_tool("read_file", path="README.md"), says("It lends books.")) as conversation:
        await chat.open(conversation)
        await chat.send("What is in README.md?")
        await expect(chat.message("It lends books.")).to_be_visible()
        card = page.get_by_test_id("tool-card")
        await expect(card).to_have_attribute("data-state", "done")
        await expect(card).to_contain_text("README.md")
        await card.get_by_role("button").first.click()
        await expect(card).to_contain_text("reminds readers to bring them back")


async def test_stop_ends_the_run_and_keeps_what_was_written(page: Page, chat: ChatPage, stage: Stage) -> None:
    gate = asyncio.Event()
    async with stage.conversation(says("This answer is never going to end.", gate=gate)) as conversation:
        await chat.open(conversation)
        await chat.send("Go on")
        await expect(page.get_by_test_id("streaming-reply")).to_contain_text("This answer")
        await page.get_by_test_id("stop").click()
        await chat.is_idle()
        await expect(chat.message("This answer")).to_contain_text("not complete")


async def test_a_failed_run_says_why_and_can_be_retried(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(fails(400, "the model is on holiday"), says("Back again.")) as conversation:
        await chat.open(conversation)
        await chat.send("Are you there?")
        await expect(page.get_by_test_id("notice-row")).to_contain_text("the model is on holiday")
        await page.get_by_test_id("retry").click()
        await expect(chat.message("Back again.")).to_be_visible()
        await expect(page.get_by_test_id("retry")).to_have_count(0)
        await expect(chat.message("Are you there?")).to_have_count(1)


async def test_the_enter_that_ends_a_composition_does_not_send(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(says("Hello.")) as conversation:
        await chat.open(conversation)
        await chat.composer.fill("你好")
        for event in ("{isComposing: true, keyCode: 229}", "{isComposing: false, keyCode: 229}", "{isComposing: true, keyCode: 13}"):
            await chat.composer.evaluate(
                f"node => node.dispatchEvent(new KeyboardEvent('keydown', {{key: 'Enter', bubbles: true, cancelable: true, ...{event}}}))"
            )
        await expect(chat.composer).to_have_value("你好")
        assert conversation.history("full")["messages"] == []
        await chat.composer.press("Enter")
        await expect(chat.composer).to_have_value("")
        await expect(chat.message("你好")).to_be_visible()


async def test_a_real_composition_is_typed_and_sent_by_the_next_enter(page: Page, chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(says("Hello.")) as conversation:
        await chat.open(conversation)
        await chat.composer.focus()
        browser = await page.context.new_cdp_session(page)
        await browser.send("Input.imeSetComposition", {"text": "nihao", "selectionStart": 5, "selectionEnd": 5})
        await browser.send(
            "Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Process", "code": "Enter", "windowsVirtualKeyCode": 229}
        )
        await browser.send("Input.insertText", {"text": "你好"})
        await expect(chat.composer).to_have_value("你好")
        await chat.composer.press("Enter")
        await expect(chat.message("你好")).to_be_visible()


async def test_two_pages_on_one_session_see_the_same(open_page: OpenPage, chat: ChatPage, stage: Stage) -> None:
    other = ChatPage(await open_page())
    gate = asyncio.Event()
    async with stage.conversation(says("First answer for both.", gate=gate), says("Second answer for both.")) as conversation:
        await chat.open(conversation)
        await other.open(conversation)
        await chat.send("From one")
        for page in (chat, other):
            await expect(page.page.get_by_test_id("streaming-reply")).to_contain_text("First")
        gate.set()
        await other.is_idle()
        await other.send("From the other")
        for page in (chat, other):
            await expect(page.message("Second answer for both.")).to_be_visible()
        assert [(row["entryId"], row["pieces"]) for row in await chat.rows()] == [
            (row["entryId"], row["pieces"]) for row in await other.rows()
        ]


@pytest.mark.parametrize("word", ["/nothing", "/compct now"])
async def test_an_unknown_command_is_refused_with_a_hint_and_stays_in_the_composer(chat: ChatPage, stage: Stage, word: str) -> None:
    async with stage.conversation() as conversation:
        await chat.open(conversation)
        await chat.send(word)
        await expect(chat.page.get_by_test_id("composer-hint")).to_contain_text(word.split(maxsplit=1)[0])
        await expect(chat.composer).to_have_value(word)
        assert conversation.history("full")["messages"] == []


async def test_a_path_and_an_escaped_command_are_sent_as_text(chat: ChatPage, stage: Stage) -> None:
    async with stage.conversation(says("Seen.")) as conversation:
        await chat.open(conversation)
        for written, sent in (("/usr/bin/env", "/usr/bin/env"), ("//compact", "/compact")):
            await chat.send(written)
            await expect(chat.message(sent).first).to_be_visible()
            await chat.is_idle()
