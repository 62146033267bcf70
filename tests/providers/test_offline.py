"""The model without a model: it says what it is, searches its context and calls the tool that is named."""

import json
from dataclasses import replace
from typing import Any

import pytest

from netaclaw.agent.tool_calls import tool_specs
from netaclaw.domain.messages import Message, Text, ToolCall
from netaclaw.providers.base import Finished, ModelRequest, TextDelta, ToolSpec
from netaclaw.providers.offline import OfflineChat
from netaclaw.tools.registry import tools_of
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


async def test_it_says_what_it_is_and_quotes_the_best_passage_with_who_said_it() -> None:
    reply = await reply_of(OfflineChat(), asks(*TALK, user("Which port do we deploy to?")))
    assert "not a language model" in reply.text
    assert "- you wrote: “Our deployment port is 8765.”" in reply.text
    assert "teal" not in reply.text
    assert reply.stop_reason == "stop"


async def test_it_answers_in_chinese() -> None:
    context = (user("部署端口是 8765，不要改。"), assistant("好的。"), user("端口是多少？"))
    reply = await reply_of(OfflineChat(), asks(*context))
    assert "我是离线模型" in reply.text
    assert "- 你写过：“部署端口是 8765，不要改。”" in reply.text


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
    assert reply.text == "`read_file` returned 2 lines, 11 characters: x = 1 y = 2"
    assert not reply.tool_calls


async def test_it_reports_a_failure() -> None:
    context = (user("用 read_file 读 a.py"), assistant("", tool_call("c1", path="a.py")), tool_result("c1", "no such file", is_error=True))
    assert (await reply_of(OfflineChat(), asks(*context))).text == "`read_file` 失败：no such file"


async def test_several_named_tools_are_called_one_after_the_other() -> None:
    asked = user("First read_file a.py, then read_file b.py please.")
    first = (await reply_of(OfflineChat(), asks(asked, tools=(READ_FILE,)))).tool_calls
    done = (assistant("", tool_call("c1", path="a.py")), tool_result("c1", "x = 1"))
    second = (await reply_of(OfflineChat(), asks(asked, *done, tools=(READ_FILE,)))).tool_calls
    both = (*done, assistant("", tool_call("c2", path="b.py")), tool_result("c2", "y = 2"))
    report = await reply_of(OfflineChat(), asks(asked, *both, tools=(READ_FILE,)))
    assert [call.arguments for call in (*first, *second)] == ['{"path": "a.py"}', '{"path": "b.py"}']
    assert report.text == "`read_file` returned 1 line: x = 1\n\n`read_file` returned 1 line: y = 2"


async def test_calls_that_a_compaction_took_out_of_the_turn_are_not_made_again() -> None:
    asked = user("read_file a.py, then read_file b.py, then read_file c.py")
    kept = (assistant("", ToolCall("offline_17_2", "read_file", '{"path": "b.py"}')), tool_result("offline_17_2", "y = 2"))
    [third] = (await reply_of(OfflineChat(), asks(asked, *kept))).tool_calls
    assert third == ToolCall("offline_18_3", "read_file", '{"path": "c.py"}')


@pytest.mark.parametrize(
    ("said", "called"),
    [
        ("read_file src/app.py 10-40", [("read_file", {"path": "src/app.py", "start_line": 10, "end_line": 40})]),
        ("read_file src/app.py, lines 10 to 40.", [("read_file", {"path": "src/app.py", "start_line": 10, "end_line": 40})]),
        ("read_file src/app.py 第 10 到 40 行", [("read_file", {"path": "src/app.py", "start_line": 10, "end_line": 40})]),
        ("search_files may_start in runtime, please", [("search_files", {"path": "runtime", "pattern": "may_start"})]),
        ("用 search_files 搜索 may_start 在 runtime 里", [("search_files", {"path": "runtime", "pattern": "may_start"})]),
        (
            "list_files src, then read_file src/x.py and search_files class Foo in src/y",
            [
                ("list_files", {"path": "src"}),
                ("read_file", {"path": "src/x.py"}),
                ("search_files", {"path": "src/y", "pattern": "class Foo"}),
            ],
        ),
        ("list_files, then tell me more", [("list_files", {})]),
        (
            "My list: todo\n```\n[x] read\n[>] write, and test\n[ ] ship\n```",
            [
                (
                    "todo",
                    {
                        "items": [
                            {"text": "read", "status": "done"},
                            {"text": "write, and test", "status": "in_progress"},
                            {"text": "ship", "status": "pending"},
                        ]
                    },
                )
            ],
        ),
        ("show me the todo", [("todo", {})]),
        ("recall the port 8765", [("recall", {"query": "port 8765"})]),
        ("recall 8765。", [("recall", {"query": "8765"})]),
    ],
)
async def test_the_tools_of_the_server_are_called_in_plain_words(said: str, called: list[tuple[str, dict[str, Any]]]) -> None:
    tools = tool_specs(tools_of(("list_files", "read_file", "recall", "search_files", "todo")))
    messages, made = [user(said)], []
    while calls := (await reply_of(OfflineChat(), asks(*messages, tools=tools))).tool_calls:
        made.append((calls[0].name, json.loads(calls[0].arguments)))
        messages += [assistant("", calls[0]), tool_result(calls[0].id, "fine")]
    assert made == called


@pytest.mark.parametrize(
    ("call", "output", "report"),
    [
        (
            ToolCall("c1", "read_file", '{"path": "a.py"}'),
            '1\t"""The order of things. Nothing else."""\n2\t\n3\tclass Order:\n4\t    def begin(self) -> None:',
            "`a.py`, 4 lines: The order of things.\n\n```\n   3  class Order:\n   4      def begin(self) -> None:\n```",
        ),
        (
            ToolCall("c1", "read_file", '{"path": "a.py", "start_line": 8, "end_line": 9}'),
            "8\t    x = 1\n9\t    y = 2\n[a.py: lines 8 to 9 of 30]",
            "`a.py`, lines 8 to 9 of 30.",
        ),
        (
            ToolCall("c1", "search_files", '{"pattern": "begin"}'),
            "a.py:4: def begin\na.py:9: begin()\nb.py:1: begin",
            "`begin` stands in 3 lines of 2 files: a.py (4, 9), b.py (1).",
        ),
        (
            ToolCall("c1", "list_files", '{"path": "src"}'),
            "deep/\ndeep/a.py  120\nb.py  900",
            "`src` holds 2 files and 1 folder; the largest are b.py, deep/a.py.",
        ),
        (
            ToolCall("c1", "todo", "{}"),
            "[x] read\n[>] write\n[ ] ship",
            "The list has 3 tasks.",
        ),
    ],
)
async def test_a_result_is_told_by_what_it_is(call: ToolCall, output: str, report: str) -> None:
    context = (user("go"), assistant("", call), tool_result("c1", output))
    assert (await reply_of(OfflineChat(), asks(*context))).text == report


async def test_a_decision_is_taken_down_beside_the_results() -> None:
    asked = user("That settles it. Decision: the port stays. read_file a.py")
    context = (asked, assistant("", tool_call("c1", path="a.py")), tool_result("c1", "x = 1"))
    assert (await reply_of(OfflineChat(), asks(*context))).text == "Decided: The port stays.\n\n`read_file` returned 1 line: x = 1"


async def test_a_longer_message_that_asks_nothing_is_noted_by_its_rule() -> None:
    said = user("评审在周四。提示文字不得超过 30 个字，周三晚上定稿。之后我把它们交给小夏翻译。")
    assert (await reply_of(OfflineChat(), asks(said))).text == "记下了：提示文字不得超过 30 个字，周三晚上定稿。"


async def test_it_introduces_itself_once_and_never_quotes_its_own_answers() -> None:
    first = await reply_of(OfflineChat(), asks(*TALK, user("Which port?")))
    second = await reply_of(OfflineChat(), asks(*TALK, user("Which port?"), first, user("And the deployment port?")))
    assert first.text.startswith("I am the offline model, not a language model")
    assert second.text == "Closest to your question:\n- you wrote: “Our deployment port is 8765.”"


async def test_a_message_behind_an_unanswered_one_is_read_alone() -> None:
    joined = Message(
        "user", (Text("read_file a.py"), Text("<state>\nDate: 2026-12-01\n</state>\n\nlist_files"), Text("<state>\nx\n</state>"))
    )
    assert [call.name for call in (await reply_of(OfflineChat(), asks(joined, tools=TOOLS))).tool_calls] == ["list_files"]


async def test_a_request_of_two_paragraphs_behind_a_summary_is_read_whole() -> None:
    summary = (
        "[CONTEXT COMPACTION] earlier: read_file old.py\n\n## Goal\n- list_files\n\n[END OF CONTEXT COMPACTION] The summary ends here."
    )
    joined = Message("user", (Text(f"{summary}\n\nFirst read_file a.py\n\nand then list_files"),))
    [call] = (await reply_of(OfflineChat(), asks(joined, tools=TOOLS))).tool_calls
    assert (call.name, call.arguments) == ("read_file", '{"path": "a.py"}')


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
