"""Turns that the auxiliary model cannot read at once are summarised in parts, all of them or none."""

import asyncio

import pytest

from netaclaw.compaction import CompactionSettings, SummaryReply, SummaryRequest, compact
from netaclaw.errors import SummarizerError
from tests.compaction.test_pipeline import SUMMARY, conversation

SETTINGS = CompactionSettings(window_tokens=10_000)


class SmallReader:
    """An auxiliary model with a window in characters; remembers what it was asked."""

    def __init__(self, window_chars: int, fails_at: int | None = None) -> None:
        self.window_chars = window_chars
        self.fails_at = fails_at
        self.read: list[SummaryRequest] = []

    async def __call__(self, request: SummaryRequest) -> SummaryReply:
        if len(request.prompt) > self.window_chars:
            raise SummarizerError("auxiliary_overflow", "too long")
        self.read.append(request)
        if len(self.read) == self.fails_at:
            raise SummarizerError("auxiliary_auth", "401; check the key")
        return SummaryReply(f"{SUMMARY}part {len(self.read)}", input_tokens=100, output_tokens=10)


def test_every_turn_is_read_once_and_each_part_updates_the_summary_before() -> None:
    reader = SmallReader(20_000)

    result = asyncio.run(compact(conversation(60), SETTINGS, reader, audit=False))

    assert result.status == "compacted"
    assert all(len(request.prompt) <= 20_000 for request in reader.read)
    assert [request.previous_summary for request in reader.read][:2] == [None, f"{SUMMARY}part 1"]
    assert result.summary == f"{SUMMARY}part {len(reader.read)}"
    assert (result.summary_input_tokens, result.summary_output_tokens) == (100 * len(reader.read), 10 * len(reader.read))
    read = "\n\n".join(request.serialized for request in reader.read)
    plain = SmallReader(10_000_000)
    asyncio.run(compact(conversation(60), SETTINGS, plain, audit=False))
    assert read == plain.read[0].serialized
    assert len(reader.read) <= 16


@pytest.mark.parametrize("fails_at", [1, 2])
def test_one_failed_part_fails_the_whole_summary(fails_at: int) -> None:
    messages = conversation(60)

    result = asyncio.run(compact(messages, SETTINGS, SmallReader(20_000, fails_at), audit=False))

    assert (result.status, result.reason, result.messages) == ("failed", "auxiliary_auth", tuple(messages))


def test_a_window_that_fits_no_part_is_said_to_be_too_small() -> None:
    result = asyncio.run(compact(conversation(60), SETTINGS, SmallReader(500), audit=False))

    assert (result.status, result.reason) == ("failed", "auxiliary_overflow")
