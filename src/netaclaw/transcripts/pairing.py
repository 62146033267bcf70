"""Warnings about calls and results that do not pair. The engine's projection mends them; a reader only tells."""

from collections.abc import Sequence

from netaclaw.compaction import pair_calls
from netaclaw.domain.messages import Message
from netaclaw.transcripts.base import PlacedMessage
from netaclaw.transcripts.notes import Notes, quote


def note_pairing(placed: Sequence[PlacedMessage], notes: Notes) -> None:
    """Note results without a call, calls without a result, late results and empty ids."""
    messages = [message for _, message in placed]
    pairing = pair_calls(messages)
    block_ends = _block_ends(messages)
    for index, (record, message) in enumerate(placed):
        if message.role == "tool":
            if not message.tool_call_id:
                notes.add("tool results without a call id", "a tool result has no call id; it is paired by its position", record)
            if index not in pairing.call_of:
                what = f"the tool result of {quote(message.tool_call_id or '')} answers no call; it will be left out"
                notes.add("tool results that answer no call", what, record)
            continue
        answers = pairing.results.get(index, [])
        for call, answer in zip(message.tool_calls, answers, strict=False):
            if not call.id:
                notes.add("calls without an id", f"the call of {quote(call.name)} has no id; it is paired by its position", record)
            if answer is None:
                what = f"the call {quote(call.id)} of {quote(call.name)} has no result; a placeholder will stand for it"
                notes.add("calls without a result", what, record)
        late = [answer for answer in answers if answer is not None and answer >= block_ends[index]]
        if late:
            notes.add("late tool results", f"{len(late)} results stand behind other messages; they will be moved to their call", record)


def _block_ends(messages: Sequence[Message]) -> list[int]:
    """Return for each message the index of the next one that is no tool result."""
    ends: list[int] = []
    end = len(messages)
    for index in range(len(messages) - 1, -1, -1):
        ends.append(end)
        if messages[index].role != "tool":
            end = index
    return ends[::-1]
