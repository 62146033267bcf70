"""Rows of the failure table (DESIGN section 5): cancelled, busy, resting, blocked; a start always has one end."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from netaclaw.domain.entries import CompactionPayload, NoticePayload
from netaclaw.domain.events import CompactionFailed, RunEnd
from netaclaw.domain.messages import Usage
from netaclaw.errors import CommandRefused, ContextOverflowError, ProviderAuthError
from netaclaw.providers.scripted import Fails, Says
from tests.runtime.house import SUMMARY, House, open_house
from tests.runtime.test_conversation import LONG, grow


def reasons(house: House) -> list[str]:
    return [event.reason for event in house.events if isinstance(event, CompactionFailed)]


def assert_every_start_has_one_end(house: House) -> None:
    kinds = house.types("compaction_start", "compaction_done", "compaction_failed")
    assert kinds[::2] == ["compaction_start"] * (len(kinds) // 2)
    assert len(kinds) % 2 == 0


async def test_a_cancelled_compaction_leaves_no_entry_and_the_next_message_goes_through(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with open_house(tmp_path, [], [Says(SUMMARY, gate=gate)], window_tokens=200_000) as house:
        await grow(house, 8)
        await house.runtime.compact(house.session_id, None, None, "c")
        await asyncio.sleep(0.1)
        assert (await house.runtime.snapshot(house.session_id)).state == "compacting"
        with pytest.raises(CommandRefused, match="busy"):
            await house.runtime.compact(house.session_id, None, None, "c2")

        assert await house.runtime.cancel_compaction(house.session_id) == {"cancelled": True}
        await grow(house, 1)

        assert reasons(house) == ["cancelled"]
        assert not any(isinstance(entry.payload, CompactionPayload) for entry in await house.path())
        assert_every_start_has_one_end(house)


async def test_a_message_sent_while_compacting_is_queued_and_sent_after(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with open_house(tmp_path, [], [Says(SUMMARY, gate=gate)], window_tokens=200_000) as house:
        await grow(house, 8)
        await house.runtime.compact(house.session_id, None, None, "c")
        await asyncio.sleep(0.1)
        house.chat.steps.append("danach")
        taken = await house.runtime.chat(house.session_id, "während", (), None, "m")
        assert taken["queued"]
        assert [message.text for message in (await house.runtime.snapshot(house.session_id)).queue] == ["während"]
        gate.set()
        await house.idle()

        assert house.types("compaction_done", "run_start")[-2:] == ["compaction_done", "run_start"]
        assert_every_start_has_one_end(house)


async def test_the_notice_of_a_failed_compaction_keeps_what_is_known_of_it(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], ["zu kurz", "zu kurz"], window_tokens=200_000) as house:
        await grow(house, 8)
        used_tokens = (await house.runtime.snapshot(house.session_id)).context.used_tokens
        await house.compact()
        await house.set_agent(auxiliary_mode="channel", auxiliary_model_channel_id=None)
        await house.compact()

        [unusable, unasked] = [dict(entry.payload.details) for entry in await house.path() if isinstance(entry.payload, NoticePayload)]
        assert unusable.pop("durationMs") >= 0
        assert unusable == {"trigger": "manual", "tokensBefore": used_tokens, "channel": "auxiliary"}
        assert unasked.keys() == {"trigger", "tokensBefore", "durationMs"}


async def test_a_failed_automatic_compaction_rests_before_the_next_one(tmp_path: Path) -> None:
    broken = Fails(ProviderAuthError("401; check the key", status=401))
    async with open_house(tmp_path, [], [broken] * 5, window_tokens=12_000) as house:
        await grow(house, 14)

        assert reasons(house) == ["auxiliary_auth"]
        assert [event.state for event in house.events if isinstance(event, RunEnd)] == ["done"] * 14
        assert_every_start_has_one_end(house)
    async with open_house(tmp_path, [], [broken] * 5, window_tokens=12_000) as house:
        await grow(house, 1)
        assert reasons(house) == []


async def test_two_useless_compactions_block_automatic_ones_until_one_by_hand(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY] * 9, window_tokens=20_000) as house:
        await grow(house, 8)
        state = await house.runtime_parts.states.get(house.session_id)
        await house.runtime_parts.states.put(replace(state, strikes=1))  # an earlier one did not help
        for number in range(3):
            house.chat.steps.append(Says(f"第 {number} 步。" * 60, usage=Usage(15_000, 200)))
            await house.say(f"{number}: {LONG * 3}")

        state = await house.runtime_parts.states.get(house.session_id)
        assert (state.blocked_reason, state.strikes) == ("ineffective", 2)
        assert house.types("compaction_start") == ["compaction_start"]
        notices = [entry.payload.reason for entry in await house.path() if isinstance(entry.payload, NoticePayload)]
        assert notices == ["ineffective"]
        assert (await house.runtime.snapshot(house.session_id)).blocked_reason == "ineffective"
        await grow(house, 4)
        await house.compact()
        assert (await house.runtime_parts.states.get(house.session_id)).blocked_reason is None


async def test_automatic_off_covers_the_overflow_path(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], window_tokens=100_000) as house:
        await house.set_agent(is_auto_compaction=False)
        await grow(house, 6)
        house.chat.steps.append(Fails(ContextOverflowError("too long", status=400)))
        await house.say("noch etwas")

        assert house.types("compaction_start") == []
        ends = [(event.state, event.reason) for event in house.events if isinstance(event, RunEnd)]
        assert ends[-1] == ("failed", "context_overflow")


async def test_a_system_prompt_over_the_threshold_does_not_start_the_run(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["never"], window_tokens=8_000) as house:
        await house.set_agent(prompt="Regel. " * 9_000)
        await house.say("hallo")

        end = next(event for event in house.events if isinstance(event, RunEnd))
        assert (end.state, end.reason) == ("failed", "system_prompt_too_large")
        assert house.chat.requests == []


async def test_fewer_messages_than_the_head_have_nothing_to_compact(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["hallo"], window_tokens=8_000) as house:
        await house.say("hallo")
        await house.compact()

        assert reasons(house) == ["nothing_to_compact"]
        assert_every_start_has_one_end(house)


async def test_an_unknown_window_is_said_to_be_unknown(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["hallo"], window_tokens=None) as house:
        await house.say("hallo")

        context = (await house.runtime.snapshot(house.session_id)).context
        assert (context.max_tokens, context.percent) == (None, None)
        assert context.used_tokens > 0
