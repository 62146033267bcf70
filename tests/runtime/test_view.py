"""What a session's size and threshold say, on the real database."""

from dataclasses import replace
from pathlib import Path

import pytest

from netaclaw.domain.events import ContextUsage
from netaclaw.sessions import Calibration
from tests.runtime.house import SUMMARY, House, open_house
from tests.runtime.test_conversation import grow


async def context_of(house: House) -> ContextUsage:
    return (await house.runtime.snapshot(house.session_id)).context


@pytest.mark.parametrize(
    ("percent", "max_output_tokens", "learned_limit", "threshold_tokens", "limited_by"),
    [
        (70, 8_000, None, 70_000, None),
        (95, 8_000, None, 90_000, "reserve"),
        (70, 40_000, None, 70_000, None),
        (80, 40_000, None, 73_000, "reserve"),
        (70, 8_000, 50_000, 35_000, "learned"),
        (70, 8_000, 200_000, 70_000, None),
    ],
)
async def test_the_threshold_says_what_keeps_it_low(
    percent: int, max_output_tokens: int, learned_limit: int | None, threshold_tokens: int, limited_by: str | None, tmp_path: Path
) -> None:
    async with open_house(tmp_path, [], window_tokens=100_000) as house:
        await house.set_agent(compaction_threshold_percent=percent)
        await house.parts.store.channels.update(replace(house.chat_channel, max_output_tokens=max_output_tokens))
        if learned_limit is not None:
            await house.runtime_parts.calibrations.put(Calibration(house.chat_channel.id, 1.0, 1, learned_limit))
        context = await context_of(house)
        assert (context.threshold_tokens, context.threshold_limited_by) == (threshold_tokens, limited_by)


async def test_room_for_the_reply_and_the_automatic_are_said(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], window_tokens=100_000) as house:
        context = await context_of(house)
        assert (context.reserve_tokens, context.is_automatic) == (500, True)
        await house.set_agent(is_auto_compaction=False)
        assert not (await context_of(house)).is_automatic


async def test_the_session_and_its_size_count_the_same_compactions(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY, f"{SUMMARY}\n第二版"], window_tokens=200_000) as house:
        for expected in (1, 2):
            await grow(house, 8)
            await house.compact()
            assert (await context_of(house)).compaction_count == expected
            assert await house.parts.sessions.compaction_counts([house.session_id]) == {house.session_id: expected}
