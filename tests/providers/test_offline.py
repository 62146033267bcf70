"""The model without a model: it says what it is, searches its context and calls the tool that is named."""

import json
from dataclasses import replace

import pytest

from netaclaw.domain.messages import Message, Text
from netaclaw.providers.base import Finished, ModelRequest, TextDelta, ToolSpec
from netaclaw.providers.offline import OfflineChat
from tests.builders import assistant, tool_call, tool_result, user
from tests.providers.asking import READ_FILE, asks, events_of, reply_of, streamed

LIST_FILES = ToolSpec("list_files", "List.", {"type": "object", "properties": {"path": {"type": "string"}}})
SEARCH_FILES = ToolSpec(
    "search_files",
    "Search.",
    {"type": "object", "properties": {"query": {"type": "string"}, "path": {"type": "string"}}, "required": ["query"]},
)
TOOLS = (READ_FILE, LIST_FILES, SEARCH_FILES)
TALK = (
    user("Our deployment port is 8765."),
    assistant("Noted: the port is 8765."),
    user("The colour of the logo is teal."),
    assistant("Understood."),
)


async def test_it_says_what_it_is_and_quotes_the_best_passage_with_its_place() -> None:
    reply = await reply_of(OfflineChat(), asks(*TALK, user("Which port do we deploy to?")))
    assert "not a language model" in reply.text
    assert "message 1, you: “Our deployment port is 8765.”" in reply.text
    assert "teal" not in reply.text
    assert reply.stop_reason == "stop"


async def test_it_answers_in_chinese() -> None:
    context = (user("部署端口是 8765，不要改。"), assistant("好的。"), user("端口是多少？"))
    reply = await reply_of(OfflineChat(), asks(*context))
    assert "我是离线模型" in reply.text
    assert "第 1 条消息，你：“部署端口是 8765，不要改。”" in reply.text


async def test_it_admits_that_it_found_nothing() -> None:
    assert "found nothing" in (await reply_of(OfflineChat(), asks(user("What is the airspeed of a swallow?")))).text


@pytest.mark.parametrize(
    ("said", "name", "arguments"),
    [
        ("read_file src/app.py", "read_file", {"path": "src/app.py"}),
        ("please use read_file on the file README.md.", "read_file", {"path": "README.md"}),
        ("用 read_file 看看 docs/说明.md 的内容", "read_file", {"path": "docs/说明.md"}),
        ("用 list_files 看看", "list_files", {}),
        ("list_files src/", "list_files", {"path": "src/"}),
        ("search_files TODO", "search_files", {"query": "TODO"}),
        ('search_files for "class Foo" please', "search_files", {"query": "class Foo"}),
        ("用search_files搜索 端口", "search_files", {"query": "端口"}),
        ('call read_file {"path": "x/y.txt"}', "read_file", {"path": "x/y.txt"}),
        ("look at src/app.py with read_file", "read_file", {"path": "src/app.py"}),
    ],
)
async def test_it_calls_the_tool_that_is_named(said: str, name: str, arguments: dict[str, str]) -> None:
    events = await events_of(OfflineChat(), asks(user(said), tools=TOOLS))
    [(called, written)] = streamed(events)[2]
    assert (called, json.loads(written)) == (name, arguments)
    assert events[-1].message.stop_reason == "tool_calls"  # type: ignore[union-attr]


async def test_a_tool_without_its_argument_is_not_called() -> None:
    assert not (
        await reply_of(OfflineChat(), asks(user("what does read_file do?"), tools=(replace(READ_FILE, name="read_file"),)))
    ).tool_calls


async def test_it_reports_a_result_in_a_sentence() -> None:
    context = (user("read_file a.py"), assistant("", tool_call("c1", path="a.py")), tool_result("c1", "x = 1\ny = 2"))
    reply = await reply_of(OfflineChat(), asks(*context))
    assert reply.text == "I am the offline model. `read_file` returned 2 lines, 11 characters: x = 1 y = 2"
    assert not reply.tool_calls


async def test_it_reports_a_failure() -> None:
    context = (user("用 read_file 读 a.py"), assistant("", tool_call("c1", path="a.py")), tool_result("c1", "no such file", is_error=True))
    assert (await reply_of(OfflineChat(), asks(*context))).text == "我是离线模型。`read_file` 失败：no such file"


async def test_only_the_users_own_words_after_a_summary_name_a_tool() -> None:
    joined = Message("user", (Text("[CONTEXT COMPACTION] earlier: read_file src/old.py\n\nThanks for that."),))
    assert not (await reply_of(OfflineChat(), asks(joined, tools=TOOLS))).tool_calls


async def test_it_streams_in_pieces_and_counts_usage() -> None:
    events = await events_of(OfflineChat(), asks(*TALK, user("Which port?")))
    assert sum(isinstance(event, TextDelta) for event in events) > 3
    usage = events[-1].message.usage  # type: ignore[union-attr]
    assert usage is not None
    assert 50 < usage.input_tokens < 200
    assert usage.output_tokens > 10


async def test_the_same_question_gives_the_same_answer() -> None:
    request = asks(*TALK, user("Which port?"))
    assert await events_of(OfflineChat(), request) == await events_of(OfflineChat(), request)


async def test_the_attached_state_is_not_taken_for_the_users_words() -> None:
    asked = Message("user", (Text("list_files"), Text("<state>\nDate: 2026-12-01\n</state>")))
    tools = (ToolSpec("list_files", "Lists files.", {"type": "object", "properties": {"path": {"type": "string"}}}),)

    events = [event async for event in OfflineChat().stream(ModelRequest((), (asked,), tools))]

    finished = events[-1]
    assert isinstance(finished, Finished)
    assert [(call.name, call.arguments) for call in finished.message.tool_calls] == [("list_files", "{}")]
