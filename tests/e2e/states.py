"""Every state of the page, by name: how to come to it from anywhere."""

import signal

from playwright.async_api import Page, expect

from tests.e2e import chat_states as chat
from tests.e2e import configuration_states as configuration
from tests.e2e.stage import Stage
from tests.e2e.view import Show

PAGES: tuple[Show, ...] = (
    chat.new_conversation,
    chat.compaction_done,
    chat.full_history,
    configuration.channels,
    configuration.agents,
    configuration.agent_general,
    configuration.agent_model,
    configuration.settings,
)
"""Each page in its usual state."""

TELLING: tuple[Show, ...] = (
    *PAGES,
    chat.streaming,
    chat.tools_open,
    chat.tool_running,
    chat.failed_run,
    chat.breakdown,
    chat.slash_menu,
    chat.compaction_running,
    chat.queued_message_edited,
    chat.summary_in_its_place,
    chat.compaction_failed,
    chat.tool_output_cleared_open,
    chat.summary_drawer,
    chat.rename_a_conversation,
    chat.delete_a_conversation,
    chat.missing_conversation,
    configuration.channel_form_faults,
    configuration.channel_test_failed,
    configuration.channel_deleted,
    configuration.agent_changed,
)
"""States that differ in what they are made of, not only in words and figures."""

STATES: tuple[Show, ...] = (
    *TELLING,
    chat.markdown,
    chat.tools_closed,
    chat.bar_ok,
    chat.bar_warn,
    chat.bar_danger,
    chat.unknown_command,
    chat.compaction_cancelled,
    chat.tool_output_cleared,
    chat.full_history_end,
    chat.menu_of_a_conversation,
    configuration.channel_form,
    configuration.channel_form_discarded,
    configuration.channel_test_ok,
    configuration.agent_left_unsaved,
    chat.column,
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
