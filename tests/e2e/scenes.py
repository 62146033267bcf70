"""Conversations in every condition that the page can show; screenshots and axe look at them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from playwright.async_api import Page, expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.models import calls_tool, fails, says
from tests.e2e.stage import Conversation, Stage, Story
from tests.e2e.story import RICH_ANSWER, SUMMARY, Language
from tests.providers.fake_servers import Step


@dataclass(frozen=True)
class Words:
    """What the user and the models say in these scenes."""

    start: str
    go_on: str
    agent: str
    read: str
    thinking: str
    answer: str
    error: str
    first_queued: str
    second_queued: str
    focus: str


WORDS: dict[Language, Words] = {
    "en": Words(
        start="Where do we start?",
        go_on="Write the migration for the table `reminder`, please.",
        agent="Librarian",
        read="What does README.md say, and is there a NEWS.md?",
        thinking="The question is about two files. README.md is certainly there; I will look for the other one, too.",
        answer="README.md says that the library lends books and reminds readers to bring them back. There is no NEWS.md.",
        error="the model is overloaded, try again in a minute",
        first_queued="Please keep the old flag for one more release.",
        second_queued="And tell me how long the migration runs on two million loans.",
        focus="the unique key",
    ),
    "zh": Words(
        start="我们从哪里开始？",
        go_on="请写 `reminder` 表的迁移。",
        agent="图书管理员",
        read="README.md 里写了什么？有没有 NEWS.md？",
        thinking="问题涉及两个文件。README.md 肯定有，另一个我也找一下。",
        answer="README.md 里说，这个系统出借图书，并提醒读者按时归还。没有 NEWS.md。",
        error="模型过载，请稍后再试",
        first_queued="旧的标记请再保留一个版本。",
        second_queued="另外，两百万条借阅记录跑迁移要多久？",
        focus="唯一键",
    ),
}


@dataclass(frozen=True)
class Scenes:
    """One conversation for each condition."""

    stage: Stage
    language: Language
    words: Words
    rich: Conversation
    streaming: Conversation
    tools: Conversation
    failed_run: Conversation
    nearly_full: Conversation
    over_threshold: Conversation
    overfull: Conversation
    compacting: Conversation
    compacted: Conversation
    failed: Conversation
    cancelled: Conversation
    pruned: Conversation


STORIES_OF_A_SCENE = 8
"""How many filled conversations each language takes, and one with tools."""


def stories_for(language: Language) -> Counter[Story]:
    """Return what the stage must have ready."""
    tools: Story = "tools-zh" if language == "zh" else "tools-en"
    return Counter({language: STORIES_OF_A_SCENE, tools: 1})


@asynccontextmanager
async def staged_scenes(stage: Stage, page: Page, language: Language) -> AsyncIterator[Scenes]:
    """Bring the conversations into their conditions, through the page; they stay in them until the end."""
    async with AsyncExitStack() as stack:
        yield await _Director(stage, ChatPage(page), language, stack).scenes()


@dataclass(frozen=True)
class _Director:
    stage: Stage
    chat: ChatPage
    language: Language
    stack: AsyncExitStack

    @property
    def words(self) -> Words:
        return WORDS[self.language]

    async def scenes(self) -> Scenes:
        return Scenes(
            stage=self.stage,
            language=self.language,
            words=self.words,
            rich=await self._rich(),
            streaming=await self._streaming(),
            tools=await self._tools(),
            failed_run=await self._failed_run(),
            nearly_full=await self._open(says("…"), filled=0.9),
            over_threshold=await self._open(says("…"), filled=1.1),
            overfull=await self._open(says("…"), filled=1.36),
            compacting=await self._compacting(),
            compacted=await self._compacted(),
            failed=await self._failed(),
            cancelled=await self._cancelled(),
            pruned=await self._pruned(),
        )

    async def _open(
        self, *chat: Step, summaries: list[Step] | None = None, story: Story | None = None, filled: float = 0.5
    ) -> Conversation:
        story = story or self.language
        number = f" {self.stage.used + 1}"
        return await self.stack.enter_async_context(
            self.stage.conversation(*chat, summaries=summaries, story=story, filled=filled, name=self.words.agent + number)
        )

    async def _new(self, *chat: Step) -> Conversation:
        return await self.stack.enter_async_context(self.stage.conversation(*chat, language=self.language))

    async def _rich(self) -> Conversation:
        conversation = await self._new(says(RICH_ANSWER[self.language], thinking=self.words.thinking))
        await self._ask(conversation, self.words.start)
        await self.chat.is_idle()
        return conversation

    async def _streaming(self) -> Conversation:
        answer = RICH_ANSWER[self.language]
        until = answer[: answer.index("today = clock")]
        conversation = await self._new(says(answer, gate=asyncio.Event(), held_after=until))
        await self._ask(conversation, self.words.start)
        await expect(self.chat.page.get_by_test_id("streaming-reply")).to_contain_text("due_today")
        return conversation

    async def _tools(self) -> Conversation:
        steps = (calls_tool("read_file", path="README.md"), calls_tool("read_file", path="NEWS.md"), says(self.words.answer))
        conversation = await self._new(*steps)
        await self._ask(conversation, self.words.read)
        await expect(self.chat.message(self.words.answer)).to_be_visible()
        return conversation

    async def _failed_run(self) -> Conversation:
        conversation = await self._new(fails(400, self.words.error))
        await self._ask(conversation, self.words.start)
        await expect(self.chat.page.get_by_test_id("retry")).to_be_visible()
        return conversation

    async def _compacting(self) -> Conversation:
        summary = SUMMARY[self.language]
        held = says(summary, gate=asyncio.Event(), held_after=summary[: len(summary) // 2])
        conversation = await self._open(says("…"), summaries=[held], filled=0.99)
        await self._ask(conversation, self.words.go_on)
        await expect(self.chat.compaction("running")).to_be_visible()
        for text in (self.words.first_queued, self.words.second_queued):
            await self.chat.send(text)
            await expect(self.chat.queued.filter(has_text=text)).to_be_visible()
        return conversation

    async def _compacted(self) -> Conversation:
        conversation = await self._open(says(self.words.answer))
        await self.chat.open(conversation)
        await self.chat.send(f"/compact {self.words.focus}")
        await expect(self.chat.compaction("done")).to_be_visible()
        await self.chat.send(self.words.go_on)
        await expect(self.chat.message(self.words.answer)).to_be_visible()
        await self.chat.is_idle()
        return conversation

    async def _failed(self) -> Conversation:
        conversation = await self._open(summaries=[fails(401, self.words.error)])
        await self._compact(conversation)
        await expect(self.chat.compaction("failed")).to_be_visible()
        return conversation

    async def _cancelled(self) -> Conversation:
        conversation = await self._open(summaries=[says(SUMMARY[self.language], gate=asyncio.Event())])
        await self._compact(conversation)
        await self.chat.compaction("running").get_by_test_id("cancel-compaction").click()
        await expect(self.chat.compaction("cancelled")).to_be_visible()
        return conversation

    async def _pruned(self) -> Conversation:
        story: Story = "tools-zh" if self.language == "zh" else "tools-en"
        conversation = await self._open(says(self.words.answer), story=story, filled=1.0)
        await self._ask(conversation, self.words.go_on)
        await expect(self.chat.message(self.words.answer)).to_be_visible()
        return conversation

    async def _ask(self, conversation: Conversation, text: str) -> None:
        await self.chat.open(conversation)
        await self.chat.send(text)
        await expect(self.chat.messages.filter(has_text=text[:8]).last).to_be_attached()

    async def _compact(self, conversation: Conversation) -> None:
        await self.chat.open(conversation)
        await self.chat.page.get_by_test_id("compact-button").click()
