"""The states of the chat page."""

from playwright.async_api import Locator, expect

from tests.e2e.models import calls_tool, says
from tests.e2e.view import View


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
    await view.open_column()
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


async def column(view: View) -> None:
    await view.open(view.scenes.compacted)
    await view.open_column()


def _current(view: View) -> Locator:
    return view.page.locator('[data-testid="session-item"]', has=view.page.locator('[aria-current="page"]'))
