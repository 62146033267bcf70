"""`make pictures`: the pictures of the READMEs, `docs/images/chat-en.png` and `chat-zh.png`: the demo after its first compaction."""

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Browser, async_playwright, expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.chromium import ARGUMENTS, REMEDY, find_chromium
from tests.e2e.demo import DEMO, open_demo
from tests.e2e.story import LANGUAGES, LOCALES, Language
from tests.server_process import running

_FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
_ASKED: dict[Language, str] = {"en": "search_files threshold_percent", "zh": "search_files cooldown"}


async def main() -> int:
    """Make both pictures and return the exit code."""
    chromium = find_chromium()
    if chromium is None:
        print(f"pictures: there is no Chromium here; {REMEDY}", file=sys.stderr)
        return 1
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), DEMO) as server:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            for language in LANGUAGES:
                await _take(browser, server.address, language)
            await browser.close()
    return 0


async def _take(browser: Browser, address: str, language: Language) -> None:
    size = {"width": 1280, "height": 800}
    context = await browser.new_context(base_url=address, locale=LOCALES[language], viewport=size, device_scale_factor=1.5)  # type: ignore[arg-type]
    page = await context.new_page()
    chat = ChatPage(page)
    await open_demo(page, language)
    await chat.loaded()
    await chat.send(_ASKED[language])
    await expect(chat.compaction("done")).to_be_visible(timeout=30_000)
    await chat.is_idle()
    await expect(page.locator('[data-testid="session-item"] .is-loading')).to_have_count(0)
    await chat.settled()
    await page.screenshot(path=_FOLDER / f"chat-{language}.png")
    await context.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
