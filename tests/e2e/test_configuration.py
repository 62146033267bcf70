"""Channels, agents and settings: a real model is connected, tried and used."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.models import Endpoint, fails, says
from tests.e2e.stage import Stage

pytestmark = pytest.mark.asyncio(loop_scope="package")


async def test_a_channel_is_added_tested_ticked_as_auxiliary_and_offered_to_agents(page: Page, stage: Stage) -> None:
    async with Endpoint(says("ok")) as endpoint:
        await page.goto("/channels")
        await page.get_by_test_id("add-channel").click()
        await choose(page, "channel-vendor", "OpenAI compatible")
        await page.get_by_test_id("channel-name").fill("My own model")
        await page.get_by_test_id("channel-base-url").fill(endpoint.base_url)
        await page.get_by_test_id("channel-model").fill("own-model")
        await page.get_by_test_id("channel-window").locator("input").fill("32000")
        await page.get_by_test_id("is-auxiliary").check()
        await page.get_by_role("button", name="Save and test").click()
        await expect(page.get_by_test_id("channel-test-result").first).to_have_attribute("data-ok", "true")
        await page.keyboard.press("Escape")
        await expect(page.get_by_test_id("channel-item").filter(has_text="My own model")).to_contain_text("32,000")
        async with stage.conversation() as conversation:
            await page.goto(f"/agents/{conversation.agent_id}")
            await page.get_by_role("tab", name="Model").click()
            await choose(page, "auxiliary-channel", "My own model")
            await page.get_by_test_id("agent-save").click()
            await expect(page.get_by_test_id("agent-state")).to_contain_text("Saved")
            agent = stage.server.call("GET", f"/api/agents/{conversation.agent_id}")
            channels = stage.server.call("GET", "/api/channels")["channels"]
            mine = next(channel for channel in channels if channel["name"] == "My own model")
            assert (agent["auxiliaryMode"], agent["auxiliaryModelChannelId"]) == ("channel", mine["id"])


async def test_a_failed_test_says_what_the_endpoint_said(page: Page, stage: Stage) -> None:
    async with stage.conversation(fails(401, "no such key"), name="refuser") as conversation:
        await page.goto("/channels")
        item = page.locator(f'[data-testid="channel-item"][data-channel-id="{conversation.chat_channel_id}"]')
        await item.get_by_test_id("channel-test").click()
        await expect(item.get_by_test_id("channel-test-result")).to_have_attribute("data-ok", "false")
        await expect(item.get_by_test_id("channel-test-result")).to_contain_text("no such key")


async def test_what_is_missing_in_a_channel_is_said_at_its_field(page: Page) -> None:
    await page.goto("/channels")
    await page.get_by_test_id("add-channel").click()
    await page.get_by_test_id("channel-model").fill("")
    await page.get_by_test_id("channel-save").click()
    await expect(page.get_by_text("Enter the name of the model.")).to_be_visible()
    await expect(page.get_by_text("Enter the API key of this vendor.")).to_be_visible()


async def test_threshold_and_protected_start_of_an_agent_are_saved_and_come_back(page: Page, stage: Stage) -> None:
    async with stage.conversation() as conversation:
        await page.goto(f"/agents/{conversation.agent_id}")
        await page.get_by_role("tab", name="Model").click()
        slider = page.get_by_test_id("threshold-slider").get_by_role("slider")
        await expect(slider).to_have_attribute("aria-valuenow", "70")
        await slider.press("ArrowRight")
        await slider.press("ArrowRight")
        await page.get_by_test_id("protect-first").locator("input").fill("5")
        await page.get_by_test_id("agent-save").click()
        await expect(page.get_by_test_id("agent-state")).to_contain_text("Saved")
        await page.reload()
        await page.get_by_role("tab", name="Model").click()
        await expect(slider).to_have_attribute("aria-valuenow", "80")
        agent = stage.server.call("GET", f"/api/agents/{conversation.agent_id}")
        assert (agent["compactionThresholdPercent"], agent["compactionProtectFirstN"]) == (80, 5)
        await page.goto(conversation.path)
        await expect(page.get_by_test_id("context-status")).to_contain_text("threshold 80%")


async def test_the_default_auxiliary_model_is_chosen_in_the_settings(page: Page, stage: Stage) -> None:
    async with stage.conversation(name="settings") as conversation:
        await page.goto("/settings")
        await choose(page, "default-auxiliary", "summaries of settings")
        await expect(page.get_by_text("Saved")).to_be_visible()
        await page.reload()
        await expect(page.get_by_test_id("default-auxiliary")).to_contain_text("summaries of settings")
        await choose(page, "default-auxiliary", "Offline")
        await expect(page.get_by_text("Saved")).to_be_visible()
        assert conversation.auxiliary_channel_id


async def choose(page: Page, test_id: str, option: str) -> None:
    await page.get_by_test_id(test_id).click()
    await page.get_by_role("option", name=option).locator("visible=true").click()
