"""The calls of one reply: every one is answered, whatever the model or the tool did."""

import asyncio
import time

import pytest

from netaclaw.agent.tool_calls import run_calls, tool_specs
from netaclaw.domain.messages import Message, ToolCall
from netaclaw.errors import StoreError
from netaclaw.tools.registry import BUILT_IN_TOOLS
from tests.agent.running import Echo, session
from tests.builders import tool_call


async def results(calls: list[ToolCall], *tools: Echo) -> list[Message]:
    given = session()
    await run_calls(calls, given.ports(tools))
    return given.added


async def test_an_unknown_tool_is_answered_with_the_names_there_are() -> None:
    (result,) = await results([tool_call("c1", "sing")], Echo())
    assert (result.tool_call_id, result.is_error, result.text) == ("c1", True, "There is no tool 'sing'; use one of: echo.")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('{"text": "cut', "no valid JSON"),
        ("[1]", "must be a JSON object"),
        ("{}", "text is missing"),
        ('{"text": 5}', "text must be of type string"),
        ('{"text": "x", "times": 0}', "times must be 1 or more"),
        ('{"text": "x", "times": true}', "times must be of type integer"),
        ("[" * 100_000, "no valid JSON"),
    ],
)
async def test_bad_arguments_are_answered_with_what_to_mend_and_nothing_is_run(arguments: str, said: str) -> None:
    tool = Echo()
    (result,) = await results([ToolCall("c1", "echo", arguments)], tool)
    assert (result.is_error, said in result.text, tool.ended) == (True, True, [])


@pytest.mark.parametrize(
    "arguments", ['{"text": "x", "times": "2"}', '{"text": "x", "times": 2.0}', '"{\\"text\\": \\"x\\", \\"times\\": 2}"']
)
async def test_what_a_model_plainly_meant_is_understood(arguments: str) -> None:
    (result,) = await results([ToolCall("c1", "echo", arguments)], Echo())
    assert (result.text, result.is_error) == ("xx", False)


async def test_a_null_for_something_optional_means_that_it_was_left_out() -> None:
    (result,) = await results([ToolCall("c1", "echo", '{"text": "x", "times": null}')], Echo())
    assert result.text == "x"


async def test_a_tool_that_raises_is_answered_with_an_error() -> None:
    (result,) = await results([tool_call("c1", "echo", text="x")], Echo(fails_with=RuntimeError("disk full")))
    assert (result.is_error, result.text) == (True, "echo failed (RuntimeError: disk full); try another way.")


async def test_calls_run_side_by_side_when_all_tools_allow_it() -> None:
    tool = Echo(seconds=0.1)
    started = time.monotonic()
    found = await results([tool_call(f"c{number}", "echo", text=str(number)) for number in range(5)], tool)
    assert (tool.most_running, sorted(message.tool_call_id or "" for message in found)) == (5, ["c0", "c1", "c2", "c3", "c4"])
    assert time.monotonic() - started < 0.4


async def test_one_tool_that_does_not_allow_it_makes_all_run_in_order() -> None:
    alone, other = Echo(name="alone", is_parallel=False, seconds=0.01), Echo(seconds=0.01)
    found = await results(
        [tool_call("c1", "echo", text="1"), tool_call("c2", "alone", text="2"), tool_call("c3", "echo", text="3")], alone, other
    )
    assert [message.text for message in found] == ["1", "2", "3"]


async def test_calls_that_share_an_id_are_answered_in_order() -> None:
    tool = Echo(seconds=0.01)
    found = await results([tool_call("c1", "echo", text=text) for text in "abc"], tool)
    assert ([message.text for message in found], tool.most_running) == (["a", "b", "c"], 1)


async def test_output_over_fifty_kilobytes_is_shortened_and_no_output_says_so() -> None:
    long, empty = await results([tool_call("c1", "echo", text="中", times=40_000), tool_call("c2", "echo", text="")], Echo())
    assert 49_000 < len(long.text.encode()) < 51_000
    assert empty.text == "(no output)"


async def test_a_failing_store_ends_all_calls_with_its_own_error() -> None:
    given = session()

    async def refuse(payload: object) -> None:
        raise StoreError("disk full")

    tool = Echo(seconds=0.0)
    slow = Echo(name="slow", seconds=30)
    calls = [tool_call("c1", "echo", text="x"), tool_call("c2", "slow", text="x")]
    with pytest.raises(StoreError):
        await run_calls(calls, given.ports([tool, slow], append=refuse))
    assert (slow.running, len(asyncio.all_tasks())) == (0, 1)


def test_the_tools_of_a_request_do_not_depend_on_their_order() -> None:
    backwards = dict(reversed(list(BUILT_IN_TOOLS.items())))
    assert tool_specs(BUILT_IN_TOOLS) == tool_specs(backwards)
    assert [spec.name for spec in tool_specs(backwards)] == ["list_files", "read_file", "recall", "search_files", "todo"]
