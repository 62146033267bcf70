"""Trying again after a run that did not end well, without a new message of the user."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from netaclaw.domain.entries import MessagePayload
from netaclaw.domain.events import SessionEvent
from netaclaw.domain.messages import ToolCall
from netaclaw.errors import CommandRefused, ProviderBusyError, ProviderRejectedError
from netaclaw.providers.scripted import Fails, Says
from tests.runtime.house import SUMMARY, House, open_house


async def said(house: House) -> list[tuple[str, str]]:
    messages = [entry.payload.message for entry in await house.path() if isinstance(entry.payload, MessagePayload)]
    return [(message.role, message.text) for message in messages]


async def retry(house: House, request_id: str = "again") -> None:
    await house.runtime.retry(house.session_id, request_id)
    await house.idle()


async def test_a_failed_run_is_tried_again_without_a_second_message(tmp_path: Path) -> None:
    async with open_house(tmp_path, [Fails(ProviderRejectedError("401")), "Now I can."]) as house:
        await house.say("Hello")
        await retry(house)
        assert await said(house) == [("user", "Hello"), ("assistant", "Now I can.")]
        assert [message.role for message in house.chat.requests[-1].messages] == ["user"]
        assert [event.state for event in house.events if event.type == "run_end"] == ["failed", "done"]


async def test_a_reply_that_was_cut_off_gets_a_sibling(tmp_path: Path) -> None:
    broken = Says("Half of an answer that breaks off here", breaks_with=ProviderBusyError("gone"))
    async with open_house(tmp_path, [broken, "A whole answer."]) as house:
        await house.say("Hello")
        assert (await said(house))[-1][0] == "assistant"
        await retry(house)
        assert await said(house) == [("user", "Hello"), ("assistant", "A whole answer.")]


async def test_an_answered_message_is_not_tried_again(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["Done."]) as house:
        await house.say("Hello")
        with pytest.raises(CommandRefused) as refusal:
            await house.runtime.retry(house.session_id, "again")
        assert refusal.value.code == "bad_request"


async def test_an_empty_session_has_nothing_to_try_again(tmp_path: Path) -> None:
    async with open_house(tmp_path, []) as house:
        with pytest.raises(CommandRefused):
            await house.runtime.retry(house.session_id, "again")


async def test_the_same_request_is_carried_out_once_and_shown_as_no_waiting_message(tmp_path: Path) -> None:
    async with open_house(tmp_path, [Fails(ProviderRejectedError("401")), "Now I can."]) as house:
        await house.say("Hello")
        await retry(house)
        await retry(house)
        assert len(house.chat.requests) == 2
        assert all(event.queue == [] for event in house.events if event.type == "message_queued")


async def test_a_retry_while_the_agent_answers_is_refused(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with open_house(tmp_path, [Says("Slow.", gate=gate)]) as house:
        await house.runtime.chat(house.session_id, "Hello", (), None, "first")
        await asyncio.sleep(0.05)
        with pytest.raises(CommandRefused) as refusal:
            await house.runtime.retry(house.session_id, "again")
        assert refusal.value.code == "busy"
        gate.set()
        await house.idle()


async def test_a_session_without_a_title_is_named_by_its_first_message(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["One.", "Two."]) as house:
        unnamed = await house.parts.sessions.create_session("", house.agent.id)
        house.session_id = unnamed.id
        await house.say("Please explain how the threshold is computed,\nand where: " + "in which file " * 20)
        await house.say("Another question")
        title = (await house.parts.sessions.get_session(unnamed.id)).title
        assert title == "Please explain how the threshold is computed, and where: in which file in…"


async def test_who_comes_in_the_middle_of_a_run_gets_the_reply_in_flight(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with open_house(tmp_path, [Says("First words, then more words.", gate_in_the_middle=gate)]) as house:
        await house.runtime.chat(house.session_id, "Hello", (), None, "first")
        while not house.types("delta"):
            await asyncio.sleep(0.01)
        events = house.runtime.subscribe(house.session_id, None)
        heard = [await anext(events) for _ in range(3)]
        gate.set()
        await house.idle()
        assert [event.type for event in heard] == ["session_snapshot", "run_start", "delta"]
        assert [event.text for event in heard if event.type == "delta"] == ["First words,"]
        later = [event async for event in _until_run_end(events)]
        assert "".join(event.text or "" for event in [*heard, *later] if event.type == "delta") == "First words, then more words."


async def _until_run_end(events: AsyncGenerator[SessionEvent, None]) -> AsyncIterator[SessionEvent]:
    async for event in events:
        yield event
        if event.type == "run_end":
            await events.aclose()
            return


async def test_a_compaction_right_after_the_end_of_a_run_is_taken(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["Done."]) as house:
        async with aclosing(house.runtime.subscribe(house.session_id, None)) as events:
            await anext(events)
            await house.runtime.chat(house.session_id, "Hello", (), None, "first")
            async for event in events:
                if event.type == "run_end":
                    break
        assert await house.runtime.compact(house.session_id, None, None, "second") == {"started": True}
        await house.idle()


async def test_two_pages_that_try_again_at_once_get_one_answer(tmp_path: Path) -> None:
    async with open_house(tmp_path, [Fails(ProviderRejectedError("401")), "One.", "Two."]) as house:
        await house.say("Hello")
        await asyncio.gather(
            house.runtime.retry(house.session_id, "first"), house.runtime.retry(house.session_id, "second"), return_exceptions=True
        )
        await house.idle()
        assert await said(house) == [("user", "Hello"), ("assistant", "One.")]


async def test_trying_again_never_throws_a_compaction_away(tmp_path: Path) -> None:
    broken = Says("Half of an answer that breaks off here", breaks_with=ProviderBusyError("gone"))
    talk = [f"Step {number} is done. " * 60 for number in range(12)]
    async with open_house(tmp_path, [*talk, broken, "unused"], [SUMMARY], window_tokens=60_000) as house:
        for number in range(12):
            await house.say(f"{number}: " + "please look into it " * 60)
        await house.say("and now?")
        await house.compact()
        with pytest.raises(CommandRefused):
            await house.runtime.retry(house.session_id, "again")
        assert (await house.runtime.snapshot(house.session_id)).is_compacted


async def test_who_comes_back_to_a_restarted_server_gets_a_snapshot_even_if_nothing_changed(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["Done."]) as house:
        await house.say("Hello")
        revision = (await house.parts.sessions.get_session(house.session_id)).revision
    async with open_house(tmp_path, []) as house, aclosing(house.runtime.subscribe(house.session_id, revision)) as events:
        assert (await anext(events)).type == "session_snapshot"


async def test_a_retry_that_was_acknowledged_is_carried_out_after_a_restart(tmp_path: Path) -> None:
    async with open_house(tmp_path, [Fails(ProviderRejectedError("401"))]) as house:
        await house.say("Hello")
        await house.runtime.close()  # as if it stopped right after the acknowledgement
        await house.runtime.retry(house.session_id, "again")
    async with open_house(tmp_path, ["Now I can."]) as house:
        await house.idle()
        assert await said(house) == [("user", "Hello"), ("assistant", "Now I can.")]
        assert (await house.runtime.snapshot(house.session_id)).queue == []


async def test_a_run_that_failed_after_its_tools_goes_on_from_their_results(tmp_path: Path) -> None:
    asks = Says("I look at the list.", (ToolCall("c1", "todo", "{}"),))
    async with open_house(tmp_path, [asks, Fails(ProviderRejectedError("401")), "It is empty."], ["zu kurz", "zu kurz"]) as house:
        await house.set_agent(tools=("todo",))
        await house.say("What is to be done?")
        await house.compact()  # its notice stands between the results and the retry
        await retry(house)
        assert await said(house) == [
            ("user", "What is to be done?"),
            ("assistant", "I look at the list."),
            ("tool", "The list is empty."),
            ("assistant", "It is empty."),
        ]


async def test_a_title_that_the_user_gave_stays(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["One."]) as house:
        await house.parts.sessions.rename(house.session_id, "My harbour plan")
        await house.say("Something else")
        assert (await house.parts.sessions.get_session(house.session_id)).title == "My harbour plan"


@pytest.mark.parametrize("pause", [0.0, 0.002, 0.005, 0.01, 0.02])
async def test_a_stop_right_after_sending_leaves_the_message_stored_and_nothing_waiting(tmp_path: Path, pause: float) -> None:
    gate = asyncio.Event()
    async with open_house(tmp_path, [Says("Slow.", gate=gate)]) as house:
        await house.runtime.chat(house.session_id, "Hello", (), None, "first")
        while not house.types("run_start"):
            await asyncio.sleep(0.001)
        await asyncio.sleep(pause)
        await house.runtime.stop(house.session_id)
        await house.idle()
        assert await said(house) == [("user", "Hello")]
        assert await house.runtime_parts.queue.waiting(house.session_id) == ()
