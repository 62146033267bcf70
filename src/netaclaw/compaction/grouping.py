"""Which tool result answers which call. Pairs are found by position, because real transcripts use call ids again."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from netaclaw.domain.messages import Message, ToolCall


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
    waiting = _Waiting()
    call_of: dict[int, tuple[int, int]] = {}
    for index, message in enumerate(messages):
        if message.role == "tool":
            found = waiting.answer(index, message.tool_call_id or "")
            if found is not None:
                call_of[index] = found
        else:
            waiting.turn_to(index, message)
    return Pairing(waiting.results, call_of)


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


class _Waiting:
    """The calls that have no result yet, while a list is walked."""

    def __init__(self) -> None:
        self.results: dict[int, list[int | None]] = {}
        self._by_id: dict[str, list[tuple[int, deque[int]]]] = {}
        """{call id: [(assistant index, numbers of its calls)]}, oldest first; answered ones are dropped when they are met."""
        self._current: int | None = None
        """The assistant message whose block of results is being read."""
        self._calls: tuple[ToolCall, ...] = ()
        self._next_call = 0
        self._next_nameless = 0

    def turn_to(self, index: int, message: Message) -> None:
        """Take up a message that is no result: its calls wait, or the block before it is over."""
        self._current = None
        if message.role != "assistant" or not message.tool_calls:
            return
        self._current, self._calls, self._next_call, self._next_nameless = index, message.tool_calls, 0, 0
        self.results[index] = [None] * len(message.tool_calls)
        for number, call in enumerate(message.tool_calls):
            groups = self._by_id.setdefault(call.id, [])
            if not groups or groups[-1][0] != index:
                groups.append((index, deque()))
            groups[-1][1].append(number)

    def answer(self, result: int, call_id: str) -> tuple[int, int] | None:
        """Give a result to a call that waits, and return which, or None."""
        found = self._of_id(call_id) or self._of_current(call_id)
        if found is not None:
            self.results[found[0]][found[1]] = result
        return found

    def _of_id(self, call_id: str) -> tuple[int, int] | None:
        groups = self._by_id.get(call_id, [])
        while groups:
            index, numbers = groups[-1]
            if not call_id and index != self._current:
                return None
            while numbers:
                number = numbers.popleft()
                if self.results[index][number] is None:
                    return index, number
            groups.pop()
        return None

    def _of_current(self, call_id: str) -> tuple[int, int] | None:
        """A result without an id takes the next open call; one with an unknown id takes the next open call without an id."""
        if self._current is None:
            return None
        number = self._next_nameless if call_id else self._next_call
        answers = self.results[self._current]
        while number < len(answers) and (answers[number] is not None or (call_id and self._calls[number].id)):
            number += 1
        if call_id:
            self._next_nameless = number
        else:
            self._next_call = number
        return (self._current, number) if number < len(answers) else None
