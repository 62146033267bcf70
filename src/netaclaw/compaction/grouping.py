"""Which tool result answers which call. Pairs are found by position, because real transcripts use call ids again."""

from collections.abc import Sequence
from dataclasses import dataclass

from netaclaw.domain.messages import Message


@dataclass(frozen=True, slots=True)
class Pairing:
    """Calls and results of one list of messages, by index.

    results  {assistant index: one entry a call, the index of its result or None}
    call_of  {result index: (assistant index, number of the call in it)}
    """

    results: dict[int, list[int | None]]
    call_of: dict[int, tuple[int, int]]


def pair_calls(messages: Sequence[Message]) -> Pairing:
    """Pair each result with the newest unanswered call of its id before it; a result without an id with the next open call
    of the assistant message directly before it. Results that answer nothing are left out. Linear."""
    results: dict[int, list[int | None]] = {}
    call_of: dict[int, tuple[int, int]] = {}
    open_calls: dict[str, list[tuple[int, int]]] = {}
    current: int | None = None
    for index, message in enumerate(messages):
        if message.role != "tool":
            current = None
            if message.role == "assistant" and message.tool_calls:
                current = index
                results[index] = [None] * len(message.tool_calls)
                for number, call in enumerate(message.tool_calls):
                    open_calls.setdefault(call.id, []).append((index, number))
            continue
        found = _take_open_call(message.tool_call_id or "", open_calls, results, current, messages)
        if found is not None:
            results[found[0]][found[1]] = index
            call_of[index] = found
    return Pairing(results, call_of)


def order_results(messages: Sequence[Message]) -> tuple[tuple[Message, ...], Pairing]:
    """Return the messages with every result directly behind the message that called for it, and their pairing.

    A result that came late is moved up to its call; one that answers nothing stays where it is, behind the block. Nothing
    else is moved.
    """
    pairing = pair_calls(messages)
    blocks = {index: sorted(found for found in answers if found is not None) for index, answers in pairing.results.items()}
    if all(not block or (block[0] == index + 1 and block[-1] == index + len(block)) for index, block in blocks.items()):
        return tuple(messages), pairing
    ordered: list[Message] = []
    for index, message in enumerate(messages):
        if index in pairing.call_of:
            continue
        ordered.append(message)
        ordered.extend(messages[found] for found in blocks.get(index, ()))
    return tuple(ordered), pair_calls(ordered)


def _take_open_call(
    call_id: str,
    open_calls: dict[str, list[tuple[int, int]]],
    results: dict[int, list[int | None]],
    current: int | None,
    messages: Sequence[Message],
) -> tuple[int, int] | None:
    waiting = open_calls.get(call_id)
    if waiting and (call_id or waiting[-1][0] == current):
        newest = waiting[-1][0]
        first = len(waiting) - 1
        while first > 0 and waiting[first - 1][0] == newest:
            first -= 1
        return waiting.pop(first)
    if current is None or (call_id and not _has_nameless_call(messages[current])):
        return None
    for number, answer in enumerate(results[current]):
        call = messages[current].tool_calls[number]
        if answer is None and (not call_id or not call.id):
            _close(open_calls[call.id], (current, number))
            return current, number
    return None


def _close(waiting: list[tuple[int, int]], call: tuple[int, int]) -> None:
    """Take a call out of those that wait; it is one of the newest, so the search begins at the end."""
    place = len(waiting) - 1
    while waiting[place] != call:
        place -= 1
    del waiting[place]


def _has_nameless_call(message: Message) -> bool:
    return any(not call.id for call in message.tool_calls)
