"""The loop between model and tools: how it goes on, and every way in which it ends."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from netaclaw.agent.base import ToolEnded, ToolStarted
from netaclaw.agent.loop import run_agent
from netaclaw.compaction import broken_rules
from netaclaw.domain.entries import Entry, MessagePayload, NoticePayload, Payload
from netaclaw.domain.messages import ToolCall, Usage
from netaclaw.errors import ContextOverflowError, NetaClawError, ProviderAuthError, ProviderBusyError, StaleLeaf
from netaclaw.providers.base import ModelRequest, StreamEvent, TextDelta
from netaclaw.providers.scripted import Fails, Says
from tests.agent.running import Echo, run, session
from tests.builders import tool_call


def echo_call(call_id: str, text: str = "x") -> ToolCall:
    return tool_call(call_id, "echo", text=text)


async def test_a_reply_without_calls_ends_the_run() -> None:
    given = session(Says("hello", usage=Usage(10, 2)))
    outcome = await run(given)
    assert (outcome.state, outcome.reason, outcome.usage, outcome.steps) == ("done", "stop", Usage(10, 2), 1)
    assert [message.text for message in given.added] == ["hello"]


async def test_calls_are_run_and_the_model_is_asked_again_with_their_results() -> None:
    given = session(Says("look", calls=(echo_call("c1", "a"),), usage=Usage(10, 2, 5)), Says("done", usage=Usage(20, 3)))
    outcome = await run(given, [Echo()])
    assert (outcome.state, outcome.usage, outcome.steps) == ("done", Usage(30, 5, 5), 2)
    assert [(message.role, message.text) for message in given.added] == [("assistant", "look"), ("tool", "a"), ("assistant", "done")]
    assert [message.role for message in given.provider.requests[1].messages] == ["user", "assistant", "tool"]
    assert given.provider.cancelled_count == 0


async def test_deltas_and_tools_are_told_while_they_happen() -> None:
    call = echo_call("c1", "a")
    given = session(Says("look", calls=(call,)), "done")
    await run(given, [Echo()])
    kinds = [event.type for event in given.events]
    assert kinds == ["text", "tool_call", "tool_call", "tool_started", "tool_ended", "text"]
    assert given.events[3:5] == [ToolStarted(call), ToolEnded(call, given.added[1])]


async def test_the_step_limit_ends_the_run_with_a_notice() -> None:
    given = session(*(Says(calls=(echo_call(f"c{number}"),)) for number in range(3)))
    outcome = await run(given, [Echo()], max_steps=3)
    assert (outcome.state, outcome.steps, len(given.added)) == ("step_limit", 3, 6)
    notice = given.payloads[-1]
    assert isinstance(notice, NoticePayload)
    assert (notice.system_type, notice.reason, notice.details) == ("run_event", "step_limit", {"maxSteps": 3})


async def test_a_stop_keeps_what_arrived_and_reaches_the_provider() -> None:
    gate = asyncio.Event()
    given = session(Says("Hello, this is long", gate_in_the_middle=gate))
    task = asyncio.create_task(run(given))
    await _until(lambda: bool(given.events))
    task.cancel()
    outcome = await task
    assert (outcome.state, outcome.steps, given.provider.cancelled_count) == ("stopped", 0, 1)
    kept = given.payloads[-1]
    assert isinstance(kept, MessagePayload)
    assert (kept.message.text, kept.message.stop_reason, kept.is_interrupted) == ("Hello, this ", "interrupted", True)


async def test_a_stop_before_anything_arrived_leaves_nothing() -> None:
    given = session(Says("never", gate=asyncio.Event()))
    task = asyncio.create_task(run(given))
    await _until(lambda: bool(given.provider.requests))
    task.cancel()
    assert ((await task).state, given.added) == ("stopped", [])


async def test_a_stop_while_tools_run_ends_them_and_the_next_request_is_valid() -> None:
    tool = Echo(seconds=30)
    given = session(Says("look", calls=(echo_call("c1"), echo_call("c2"))))
    task = asyncio.create_task(run(given, [tool]))
    await _until(lambda: tool.running == 2)
    task.cancel()
    assert (await task).state == "stopped"
    assert (tool.running, len(asyncio.all_tasks())) == (0, 1)
    request = await given.next_request()
    assert broken_rules(request.messages) == []
    assert request.messages[2].text == "[The tool call was interrupted; it may have run; no result]"


async def test_a_stop_while_a_result_is_stored_does_not_lose_it() -> None:
    given = session(Says("look", calls=(echo_call("c1", "kept"),)))
    is_storing, may_end = asyncio.Event(), asyncio.Event()

    async def append_slowly(payload: Payload) -> Entry:
        if isinstance(payload, MessagePayload) and payload.message.role == "tool":
            is_storing.set()
            await may_end.wait()
        return await given.append(payload)

    task = asyncio.create_task(run(given, [Echo()], append=append_slowly))
    await is_storing.wait()
    for _ in range(2):  # an impatient user
        task.cancel()
        await asyncio.sleep(0.01)
    may_end.set()
    assert ((await task).state, given.added[-1].text) == ("stopped", "kept")


async def test_the_caller_of_a_stopped_run_can_go_on_working() -> None:
    async def whole_run() -> str:
        outcome = await run(given)
        await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await asyncio.sleep(0)
        return outcome.state

    given = session(Says("never", gate=asyncio.Event()))
    task = asyncio.create_task(whole_run())
    await _until(lambda: bool(given.provider.requests))
    task.cancel()
    assert await task == "stopped"


async def test_a_stream_that_breaks_keeps_what_arrived_and_fails_with_the_providers_error() -> None:
    error = ProviderBusyError("gone", status=500)
    given = session(Says("Hello, this is a long answer", breaks_with=error))
    outcome = await run(given)
    assert (outcome.state, outcome.reason, outcome.error) == ("failed", "provider_busy", error)
    assert (given.added[0].text, given.added[0].stop_reason) == ("Hello, this ", "interrupted")


async def test_a_call_that_was_cut_off_is_never_run_nor_stored() -> None:
    call = echo_call("c1")
    given = session(Says("I look now", calls=(call, call, call), breaks_with=ProviderBusyError("gone")))
    await run(given, [Echo()])
    assert (given.added[0].text, given.added[0].tool_calls) == ("I look now", ())


async def test_an_error_before_anything_was_said_ends_the_run_and_stores_nothing() -> None:
    given = session(Fails(ProviderAuthError("no key")))
    outcome = await run(given)
    assert (outcome.state, outcome.reason, given.added) == ("failed", "provider_auth", [])


async def test_an_overflow_is_compacted_once_and_asked_once_more() -> None:
    given = session(Fails(ContextOverflowError("too large")), "fits now")
    outcome = await run(given)
    assert (outcome.state, len(given.overflows), given.added[0].text) == ("done", 1, "fits now")


async def test_a_second_overflow_of_the_same_request_ends_the_run() -> None:
    given = session(Fails(ContextOverflowError("too large")), Fails(ContextOverflowError("still")))
    outcome = await run(given)
    assert (outcome.state, outcome.reason, len(given.overflows)) == ("failed", "context_overflow", 1)


async def test_an_overflow_that_cannot_be_compacted_ends_the_run_at_once() -> None:
    given = session(Fails(ContextOverflowError("too large")), can_compact=False)
    assert ((await run(given)).state, len(given.provider.requests)) == ("failed", 1)


async def test_a_request_that_may_not_be_sent_ends_the_run_with_its_reason() -> None:
    class PromptError(NetaClawError):
        reason = "system_prompt_too_large"

    async def refuse() -> ModelRequest:
        raise PromptError("shorten it")

    outcome = await run(session(), next_request=refuse)
    assert (outcome.state, outcome.reason) == ("failed", "system_prompt_too_large")


async def test_a_leaf_that_moved_ends_the_run() -> None:
    given = session(Says(calls=(echo_call("c1"), echo_call("c2"))))
    stored = given.append

    async def refuse_results(payload: Payload) -> Entry:
        if isinstance(payload, MessagePayload) and payload.message.role == "tool":
            raise StaleLeaf("the leaf has moved")
        return await stored(payload)

    outcome = await run(given, [Echo()], append=refuse_results)
    assert (outcome.state, outcome.reason) == ("failed", "stale_leaf")


async def test_a_stream_that_ends_without_finishing_is_a_fault_of_the_provider() -> None:
    class Unfinished:
        async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
            yield TextDelta("half")

    given = session()
    outcome = await run_agent(replace(given.ports(), client=Unfinished()))
    assert (outcome.reason, given.added[0].text) == ("provider_busy", "half")


async def test_a_fault_of_our_own_is_raised_and_not_hidden() -> None:
    with pytest.raises(AssertionError):
        await run(session())


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.005)
