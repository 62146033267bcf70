"""recall: originals of compacted messages, by words in both languages or by entry id, within 2,000 tokens."""

from collections.abc import Sequence
from typing import Any

import pytest

from netaclaw.compaction.tokens import count_o200k
from netaclaw.domain.messages import Message, ToolCall
from netaclaw.tools.base import ToolContext, ToolOutput
from netaclaw.tools.recall import RecallTool
from tests.builders import assistant, tool_result, user

HISTORY = (
    user("我们决定把会话压缩的阈值设为百分之七十", entry_id=3),
    assistant("好的，已记录", ToolCall("c1", "run_command", '{"command": "deploy --to staging-7"}')),
    tool_result("c1", "error: exit code 2\n" + "x = 1\n" * 5_000, name="run_command", is_error=True),
    user("The invoice ZX-4417 must never be rounded", entry_id=8),
    user("Something about an invoice", entry_id=9),
)


async def recall(messages: Sequence[Message] = HISTORY, **arguments: Any) -> ToolOutput:
    numbered = [message if message.entry_id else _numbered(message, index) for index, message in enumerate(messages, start=100)]

    async def stored() -> Sequence[Message]:
        return numbered

    return await RecallTool().run(arguments, ToolContext(1, recall=stored))


def _numbered(message: Message, entry_id: int) -> Message:
    return Message(message.role, message.parts, message.tool_call_id, message.name, message.is_error, entry_id=entry_id)


async def test_an_exact_id_finds_its_message_first() -> None:
    assert await recall(query="ZX-4417") == ToolOutput("[entry 8 · user]\nThe invoice ZX-4417 must never be rounded")


@pytest.mark.parametrize("query", ["压缩", "阈值", "压缩阈值", "会话压缩", "七十"])
async def test_chinese_of_two_characters_and_more_is_found(query: str) -> None:
    assert (await recall(query=query)).text.startswith("[entry 3 · user]")


async def test_calls_are_found_by_their_arguments() -> None:
    assert (await recall(query="staging-7 deploy")).text.startswith("[entry 101 · assistant]")


async def test_a_search_for_nothing_that_was_said_says_so() -> None:
    assert not (await recall(query="量子")).is_error
    assert "try fewer or other words" in (await recall(query="zebra")).text


async def test_a_word_that_was_never_said_does_not_hide_the_others() -> None:
    assert "[entry 8 · user]" in (await recall(query="invoice zebra")).text


async def test_an_answer_stays_within_two_thousand_tokens() -> None:
    many = [user(f"压缩 number {number} " + "一些很长的中文内容" * 300, entry_id=number) for number in range(1, 30)]
    for output in (await recall(many, query="压缩"), await recall(many, entryId=5), await recall(entryId=102)):
        assert 300 < count_o200k(output.text) <= 2_000


async def test_a_long_entry_is_read_in_pages_that_join_without_a_gap() -> None:
    whole, offset = "", 0
    for _ in range(20):
        first, _, rest = (await recall(entryId=102, offset=offset)).text.partition("\n")
        page, _, note = rest.rpartition("\n[") if rest.endswith("]") else (rest, "", "")
        assert first == "[entry 102 · tool run_command · error]"
        whole += page
        if not note:
            break
        offset = int(note.rstrip("]").rpartition(" ")[2])
    assert whole == HISTORY[2].text


async def test_bad_calls_say_what_to_do() -> None:
    assert (await recall()).is_error
    assert (await recall(entryId=999)).text == "There is no entry 999 in this conversation; search with `query`."
    assert (await RecallTool().run({"query": "x"}, ToolContext(1))).is_error
