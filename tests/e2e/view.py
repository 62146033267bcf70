"""A page on which the states are shown."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from playwright.async_api import Locator, Page, expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.scenes import Scenes
from tests.e2e.stage import Conversation

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

    async def open_column(self) -> None:
        """Show the list of conversations, which stands behind a button on a phone."""
        if await self.by("open-menu").count():
            await self.by("open-menu").click()
