"""Every state of the page, by name: how to come to it from anywhere."""

import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from playwright.async_api import Locator, Page, expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.models import calls_tool, fails, says
from tests.e2e.scenes import Scenes
from tests.e2e.stage import Conversation, Stage

Show: TypeAlias = Callable[["View"], Awaitable[None]]


@dataclass(frozen=True)
class View:
    """A page in one language, theme and size, and what there is to see on it."""

    page: Page
    scenes: Scenes

    @property
    def chat(self) -> ChatPage:
        """The page as a chat page."""
        return ChatPage(self.page)

    def by(self, test_id: str) -> Locator:
        """Return what is found by a test id and can be seen."""
        return self.page.locator(f'[data-testid="{test_id}"]:visible')

    async def go(self, path: str, filled_by: str) -> None:
        """Open an address and wait until it is filled."""
        await self.page.goto(path)
        await expect(self.by(filled_by).first).to_be_visible()
        await self.has_conversations()

    async def open(self, conversation: Conversation, view: str = "") -> None:
        """Open a conversation."""
        await self.chat.open(conversation, view)
        await self.chat.settled()
        await self.has_conversations()

    async def has_conversations(self) -> None:
        """Wait until the list at the side is filled, where there is room for one."""
        if not await self.by("open-menu").count():
            await expect(self.by("session-item").first).to_be_visible()


async def new_conversation(view: View) -> None:
    await view.go("/chat", "new-conversation")


async def markdown(view: View) -> None:
    await view.open(view.scenes.rich)


async def streaming(view: View) -> None:
    await view.open(view.scenes.streaming)
    await expect(view.by("streaming-reply")).to_contain_text("due_today")


async def tools_closed(view: View) -> None:
    await view.open(view.scenes.tools)


async def tools_open(view: View) -> None:
    await view.open(view.scenes.tools)
    for number in range(2):
        await view.by("tool-card").nth(number).get_by_role("button").first.click()


async def tool_running(view: View) -> None:
    steps = (calls_tool("search_files", pattern="(a+)+$"), says("…"))
    async with view.scenes.stage.conversation(*steps) as conversation:
        await view.open(conversation)
        await view.chat.send(view.scenes.words.start)
        await expect(view.page.locator('[data-testid="tool-card"][data-state="running"]')).to_be_visible()


async def failed_run(view: View) -> None:
    await view.open(view.scenes.failed_run)
    await expect(view.by("retry")).to_be_visible()


async def bar_ok(view: View) -> None:
    await view.open(view.scenes.nearly_full)


async def bar_warn(view: View) -> None:
    await view.open(view.scenes.over_threshold)
    await expect(view.chat.bar).to_have_attribute("data-level", "warn")


async def bar_danger(view: View) -> None:
    await view.open(view.scenes.overfull)
    await expect(view.chat.bar).to_have_attribute("data-level", "danger")


async def breakdown(view: View) -> None:
    await view.open(view.scenes.compacted)
    await view.by("context-status").click()
    await expect(view.by("context-breakdown")).to_be_visible()


async def slash_menu(view: View) -> None:
    await view.open(view.scenes.compacted)
    await view.chat.composer.fill("/")
    await expect(view.by("slash-menu")).to_be_visible()


async def unknown_command(view: View) -> None:
    await view.open(view.scenes.compacted)
    await view.chat.send("/nothing")
    await expect(view.by("composer-hint")).to_be_visible()


async def compaction_running(view: View) -> None:
    await view.open(view.scenes.compacting)
    await expect(view.chat.compaction("running")).to_be_visible()


async def queued_message_edited(view: View) -> None:
    await view.open(view.scenes.compacting)
    await view.by("queued-message").first.get_by_role("button").first.click()


async def compaction_done(view: View) -> None:
    await view.open(view.scenes.compacted)
    await expect(view.chat.compaction("done")).to_be_visible()


async def summary_in_its_place(view: View) -> None:
    await view.open(view.scenes.compacted)
    await view.chat.scroll_to_top()


async def compaction_failed(view: View) -> None:
    await view.open(view.scenes.failed)
    await expect(view.chat.compaction("failed")).to_be_visible()


async def compaction_cancelled(view: View) -> None:
    await view.open(view.scenes.cancelled)
    await expect(view.chat.compaction("cancelled")).to_be_visible()


async def tool_output_cleared(view: View) -> None:
    await view.open(view.scenes.pruned)
    await expect(view.chat.compaction("done")).to_be_visible()


async def tool_output_cleared_open(view: View) -> None:
    await view.open(view.scenes.pruned)
    await view.chat.scroll_to_top()
    await view.by("tool-card").first.get_by_role("button").first.click()


async def summary_drawer(view: View) -> None:
    await view.open(view.scenes.compacted)
    await view.chat.compaction("done").get_by_test_id("view-summary").click()
    await expect(view.by("summary-drawer")).to_be_visible()


async def full_history(view: View) -> None:
    await view.open(view.scenes.compacted, "?view=full")
    await view.chat.scroll_to_top()


async def full_history_end(view: View) -> None:
    await view.open(view.scenes.compacted, "?view=full")
    await expect(view.chat.compaction("done")).to_be_visible()


async def menu_of_a_conversation(view: View) -> None:
    await view.open(view.scenes.compacted)
    await _open_column(view)
    await _current(view).get_by_test_id("session-menu").click()
    await expect(view.by("delete-session")).to_be_visible()


async def rename_a_conversation(view: View) -> None:
    await menu_of_a_conversation(view)
    await view.by("rename-session").click()
    await expect(view.page.locator('[data-testid="session-item"] input')).to_be_focused()


async def delete_a_conversation(view: View) -> None:
    await menu_of_a_conversation(view)
    await view.by("delete-session").click()
    await expect(view.page.get_by_role("dialog").last).to_be_visible()


async def missing_conversation(view: View) -> None:
    await view.go("/chat/999999", "session-missing")


async def channels(view: View) -> None:
    await view.go("/channels", "channel-item")


async def channel_form(view: View) -> None:
    await view.go("/channels", "channel-item")
    await view.by("add-channel").click()
    await expect(view.by("channel-form")).to_be_visible()


async def channel_form_faults(view: View) -> None:
    await channel_form(view)
    await view.by("channel-save").click()
    await expect(view.page.locator('.is-error [role="alert"]').first).to_be_visible()


async def channel_form_discarded(view: View) -> None:
    await channel_form(view)
    await view.page.locator('[data-testid="channel-model"]').fill("gpt-5.4")
    await view.page.keyboard.press("Escape")
    await expect(view.by("confirm-dialog")).to_be_visible()


async def channel_test_ok(view: View) -> None:
    await _test_channel(view, view.scenes.rich, "true")


async def channel_test_failed(view: View) -> None:
    async with view.scenes.stage.conversation(fails(401, view.scenes.words.error), name="…") as conversation:
        await _test_channel(view, conversation, "false")


async def channel_deleted(view: View) -> None:
    await view.go("/channels", "channel-item")
    await _channel(view, view.scenes.rich).get_by_test_id("channel-delete").click()
    await expect(view.by("confirm-dialog")).to_be_visible()


async def agents(view: View) -> None:
    await view.go("/agents", "agent-item")


async def agent_general(view: View) -> None:
    await view.go(f"/agents/{view.scenes.compacted.agent_id}", "agent-name")


async def agent_model(view: View) -> None:
    await agent_general(view)
    await view.page.get_by_role("tab").nth(1).click()
    await expect(view.by("threshold-slider")).to_be_visible()


async def agent_changed(view: View) -> None:
    await agent_model(view)
    await view.page.get_by_role("slider").press("ArrowRight")
    await view.by("threshold-reset").scroll_into_view_if_needed()


async def agent_left_unsaved(view: View) -> None:
    await agent_changed(view)
    await _open_column(view)
    await view.page.locator('a[href="/settings"]:visible').first.click()
    await expect(view.by("confirm-dialog")).to_be_visible()


async def settings(view: View) -> None:
    await view.go("/settings", "default-auxiliary")


async def column(view: View) -> None:
    await view.open(view.scenes.compacted)
    await _open_column(view)


PAGES: tuple[Show, ...] = (new_conversation, compaction_done, full_history, channels, agents, agent_general, agent_model, settings)
"""Each page in its usual state."""

TELLING: tuple[Show, ...] = (
    *PAGES,
    streaming,
    tools_open,
    tool_running,
    failed_run,
    breakdown,
    slash_menu,
    compaction_running,
    queued_message_edited,
    summary_in_its_place,
    compaction_failed,
    tool_output_cleared_open,
    summary_drawer,
    rename_a_conversation,
    delete_a_conversation,
    missing_conversation,
    channel_form_faults,
    channel_test_failed,
    channel_deleted,
    agent_changed,
)
"""States that differ in what they are made of, not only in words and figures."""

STATES: tuple[Show, ...] = (
    *TELLING,
    markdown,
    tools_closed,
    bar_ok,
    bar_warn,
    bar_danger,
    unknown_command,
    compaction_cancelled,
    tool_output_cleared,
    full_history_end,
    menu_of_a_conversation,
    channel_form,
    channel_form_discarded,
    channel_test_ok,
    agent_left_unsaved,
    column,
)
"""Each state of a page on a server that runs; the function's name is its name."""


async def first_start(page: Page) -> None:
    """A server that has just been set up: no conversations, and only the offline model."""
    await page.goto("/chat")
    await expect(page.get_by_test_id("offline-notice")).to_be_visible()


async def reconnecting(page: Page, stage: Stage) -> None:
    """The server has gone away under an open conversation."""
    await page.get_by_test_id("composer").fill("list_files .")
    await page.get_by_test_id("composer").press("Enter")
    await expect(page.locator('[data-testid="message"][data-role="assistant"]').first).to_be_visible()
    stage.server.process.send_signal(signal.SIGKILL)
    await expect(page.get_by_test_id("connection-state")).to_be_visible()


async def _open_column(view: View) -> None:
    if await view.by("open-menu").count():
        await view.by("open-menu").click()


def _current(view: View) -> Locator:
    return view.page.locator('[data-testid="session-item"]', has=view.page.locator('[aria-current="page"]'))


def _channel(view: View, conversation: Conversation) -> Locator:
    return view.page.locator(f'[data-testid="channel-item"][data-channel-id="{conversation.chat_channel_id}"]')


async def _test_channel(view: View, conversation: Conversation, is_ok: str) -> None:
    await view.go("/channels", "channel-item")
    item = _channel(view, conversation)
    await item.get_by_test_id("channel-test").click()
    await expect(item.get_by_test_id("channel-test-result")).to_have_attribute("data-ok", is_ok)
    await item.scroll_into_view_if_needed()
