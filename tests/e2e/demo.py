"""The demo's server, and the way to its two conversations."""

from playwright.async_api import Page, expect

from tests.e2e.story import Language

DEMO = ("-m", "netaclaw", "demo", "--port", "0")


async def open_demo(page: Page, language: Language) -> None:
    """Open the conversation of a language: the titles tell which is which."""
    await page.goto("/")
    items = page.get_by_test_id("session-item")
    await expect(items).to_have_count(2)
    titles = await items.locator(".title").all_inner_texts()
    place = next(number for number, title in enumerate(titles) if title.isascii() is (language == "en"))
    await items.nth(place).get_by_role("link").click()
