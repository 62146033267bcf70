"""The states of the pages for channels, agents and settings."""

from playwright.async_api import Locator, expect

from tests.e2e.models import fails
from tests.e2e.stage import Conversation
from tests.e2e.view import View


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
    await view.open_column()
    await view.page.locator('a[href="/settings"]:visible').first.click()
    await expect(view.by("confirm-dialog")).to_be_visible()


async def settings(view: View) -> None:
    await view.go("/settings", "default-auxiliary")


def _channel(view: View, conversation: Conversation) -> Locator:
    return view.page.locator(f'[data-testid="channel-item"][data-channel-id="{conversation.chat_channel_id}"]')


async def _test_channel(view: View, conversation: Conversation, is_ok: str) -> None:
    await view.go("/channels", "channel-item")
    item = _channel(view, conversation)
    await item.get_by_test_id("channel-test").click()
    await expect(item.get_by_test_id("channel-test-result")).to_have_attribute("data-ok", is_ok)
    await item.scroll_into_view_if_needed()
