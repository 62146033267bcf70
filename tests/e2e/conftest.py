"""One browser and one server for all browser tests; a fresh browser profile for each."""

import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright, expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.chromium import ARGUMENTS, REMEDY, find_chromium
from tests.e2e.scenes import stories_for
from tests.e2e.stage import Stage, Story, raised

OpenPage: TypeAlias = Callable[..., Awaitable[Page]]
"""Opens a page in a profile of its own; options are those of a browser context."""

_OWN: dict[Story, int] = {"en": 20, "zh": 2, "tools-en": 4, "long": 1}
STORIES = Counter(_OWN) + stories_for("en")
_EXPECTED = ("WebSocket connection", "Failed to load resource")
"""What the browser itself writes on its console where a server is gone or refuses something."""

_FAILED = pytest.StashKey[bool]()

expect.set_options(timeout=15_000)


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def browser() -> AsyncIterator[Browser]:
    path = find_chromium()
    if path is None:
        refuse = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        refuse(f"the browser tests need a Chromium: {REMEDY}")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        await browser.close()


@pytest.fixture(scope="package")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with raised(tmp_path_factory.mktemp("stage"), STORIES) as stage:
        yield stage


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    return report


@pytest_asyncio.fixture(loop_scope="package")
async def open_page(browser: Browser, stage: Stage, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenPage]:
    """Give pages; at the end none of them may have had a fault of its own."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(text in message.text for text in _EXPECTED):
            faults.append(message.text)

    async def open_page(**options: Any) -> Page:
        defaults = {
            "base_url": stage.server.address,
            "locale": "en-GB",
            "viewport": {"width": 1280, "height": 800},
            "reduced_motion": "reduce",
        }
        context = await browser.new_context(**(defaults | options))
        contexts.append(context)
        context.set_default_timeout(15_000)
        page = await context.new_page()
        page.on("console", listen)
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield open_page
    for number, context in enumerate(contexts):
        if _FAILED in request.node.stash:
            picture = tmp_path / f"page-{number}.png"
            await context.pages[0].screenshot(path=picture)
            print(f"what page {number} showed: {picture}")
        await context.close()
    assert faults == []


@pytest_asyncio.fixture(loop_scope="package")
async def page(open_page: OpenPage) -> Page:
    return await open_page()


@pytest.fixture
def chat(page: Page) -> ChatPage:
    return ChatPage(page)
