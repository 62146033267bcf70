"""The scripted provider: what tests of other folders stand on."""

import asyncio

import pytest

from netaclaw.domain.messages import Message, Text, Thinking, ToolCall, Usage
from netaclaw.providers.base import ModelRequest
from netaclaw.providers.scripted import Says, ScriptedProvider
from tests.providers.asking import asks, events_of, reply_of, streamed


async def test_an_answer_is_streamed_and_finished() -> None:
    call = ToolCall("c1", "read_file", '{"path": "a.py"}')
    provider = ScriptedProvider([Says("Let me look at it.", (call,), thinking="a file", signature="s", usage=Usage(10, 5))])
    events = await events_of(provider, asks())
    assert streamed(events) == ("Let me look at it.", "a file", [("read_file", '{"path": "a.py"}')])
    expected = Message(
        "assistant",
        (Thinking("a file", "s"), Text("Let me look at it."), call),
        usage=Usage(10, 5),
        model="scripted",
        stop_reason="tool_calls",
    )
    assert events[-1].message == expected  # type: ignore[union-attr]


async def test_a_function_answers_by_the_request() -> None:
    def answer(request: ModelRequest) -> str:
        return f"{len(request.messages)} messages"

    assert (await reply_of(ScriptedProvider([answer]), asks())).text == "1 messages"


async def test_a_gate_holds_the_answer_until_it_opens() -> None:
    gate = asyncio.Event()
    provider = ScriptedProvider([Says("now", gate=gate)])
    task = asyncio.create_task(reply_of(provider, asks()))
    await asyncio.sleep(0.01)
    assert not task.done()
    gate.set()
    assert (await task).text == "now"


async def test_a_cancelled_consumer_is_noticed() -> None:
    provider = ScriptedProvider([Says("never", gate=asyncio.Event())])
    task = asyncio.create_task(reply_of(provider, asks()))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert provider.cancelled_count == 1


async def test_a_request_beyond_the_script_is_a_fault_of_the_test() -> None:
    with pytest.raises(AssertionError, match="the script is over"):
        await events_of(ScriptedProvider(), asks())
