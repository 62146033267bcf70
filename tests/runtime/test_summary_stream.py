"""What those who watch a compaction read of its summary while it is being written."""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

from netaclaw.domain.entries import CompactionPayload
from netaclaw.domain.events import CompactionProgress
from netaclaw.errors import ContextOverflowError, ProviderAuthError, ProviderBusyError
from netaclaw.providers.scripted import Fails, Says, Step
from tests.runtime.house import SUMMARY, House, open_house
from tests.runtime.test_conversation import grow

BROKEN_OFF = SUMMARY[:48]
HALF_OF_IT = SUMMARY[:24]
FIRST_PART = "## 目标\n先读前一半。" * 40


def texts_shown(house: House) -> list[str]:
    """Return the texts as a page shows them: pieces are joined, a restart begins the next text."""
    shown = [""]
    for event in house.events:
        if isinstance(event, CompactionProgress):
            if event.restart:
                shown.append("")
            shown[-1] += event.text or ""
    return shown


async def summary_stored(house: House) -> str | None:
    [stored] = [entry.payload.summary for entry in await house.path() if isinstance(entry.payload, CompactionPayload)]
    return stored


@pytest.mark.parametrize(
    ("auxiliary", "shown"),
    [
        (["zu kurz", SUMMARY], ["zu kurz", SUMMARY]),
        ([Says(BROKEN_OFF, breaks_with=ProviderBusyError("503")), SUMMARY], [HALF_OF_IT, SUMMARY]),
        ([Fails(ContextOverflowError("too long", status=400)), FIRST_PART, SUMMARY], [FIRST_PART, SUMMARY]),
        ([Fails(ProviderBusyError("503")), SUMMARY], [SUMMARY]),
    ],
    ids=["refused", "cut off", "in parts", "nothing was shown"],
)
async def test_a_text_that_became_void_is_taken_back_before_the_next_begins(
    auxiliary: list[Step], shown: list[str], tmp_path: Path
) -> None:
    async with open_house(tmp_path, [], auxiliary, window_tokens=200_000) as house:
        await grow(house, 8)
        await house.compact()
        assert texts_shown(house) == shown
        assert (await summary_stored(house) or "").startswith(SUMMARY)


async def test_who_comes_while_a_summary_is_written_reads_it_from_its_beginning(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with open_house(tmp_path, [], [Says(SUMMARY, gate_in_the_middle=gate)], window_tokens=200_000) as house:
        await grow(house, 8)
        await house.runtime.compact(house.session_id, None, None, "c")
        while not texts_shown(house)[-1]:
            await asyncio.sleep(0.01)
        async with aclosing(house.runtime.subscribe(house.session_id, None)) as events:
            heard = [await anext(events) for _ in range(4)]
            gate.set()
            async for event in events:
                heard.append(event)
                if event.type == "compaction_done":
                    break
        assert [event.type for event in heard[:2]] == ["session_snapshot", "compaction_start"]
        assert "".join(event.text or "" for event in heard if isinstance(event, CompactionProgress)) == SUMMARY


async def test_what_the_auxiliary_model_wrote_is_taken_back_when_the_chat_model_steps_in(tmp_path: Path) -> None:
    broken = Says(BROKEN_OFF, breaks_with=ProviderAuthError("401; check the key", status=401))
    async with open_house(tmp_path, [], [broken], window_tokens=200_000) as house:
        await grow(house, 8)
        await house.set_agent(use_main_model_when_auxiliary_fails=True)
        house.chat.steps.append(SUMMARY)
        await house.compact()
        assert texts_shown(house) == [HALF_OF_IT, SUMMARY]
