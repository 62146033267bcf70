"""Phase 2: where the kept start ends, where the kept end begins, and what between them the summary must cover."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from netaclaw.compaction.settings import CompactionSettings
from netaclaw.domain.messages import Message

TAIL_TOLERANCE = 1.5
"""A whole turn may exceed the tail budget by this factor before it is split."""
HEAD_SHARE = 0.10
"""Share of the threshold that the head may fill, the system prompt left out."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Indices of the messages: `head` and `kept` stay word for word, `middle` is summarised, the tail begins at `tail_start`.

    A kept message with tool calls stands in `middle` too: only its text is shown, its calls and results are summarised.
    """

    head: tuple[int, ...]
    middle: tuple[int, ...]
    kept: tuple[int, ...]
    tail_start: int


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is settled before the cut."""

    head_end: int
    """The head is `[0:head_end]`."""
    tail_floor: int
    """The tail begins here at the earliest: behind the head and behind the newest earlier summary."""
    tail_budget_tokens: int


def find_cut(messages: Sequence[Message], tokens: Sequence[int], settings: CompactionSettings, bounds: Bounds) -> Cut:
    """Choose the middle and the tail behind a head. `messages` have every result behind its call (`projection.settle`).

    The middle has nothing but an earlier summary, or nothing at all, where nothing can be summarised.
    """
    head_end = bounds.head_end
    always_kept = newest_request_and_reply(messages)
    weights = [0 if index in always_kept else size for index, size in enumerate(tokens)]
    tail_start = _find_tail_start(messages, weights, settings, bounds)
    kept = _kept_before_tail(messages, always_kept, head_end, tail_start)
    whole = {index for index in kept if not messages[index].tool_calls}
    middle = tuple(index for index in range(head_end, tail_start) if index not in whole)
    return Cut(tuple(range(head_end)), middle, kept, tail_start)


def spent_tokens(messages: Sequence[Message], tokens: Sequence[int], tail_start: int) -> int:
    """Return what a tail takes of its budget: its size without the newest request and reply, which stay in any case."""
    always_kept = newest_request_and_reply(messages)
    return sum(tokens[index] for index in range(tail_start, len(messages)) if index not in always_kept)


def find_head_end(messages: Sequence[Message], tokens: Sequence[int], summaries: Collection[int], settings: CompactionSettings) -> int:
    """Return the index behind the protected start: `protect_first_n` messages, never into a group of calls and results.

    The system prompt is always in; what follows it fills at most 10 % of the threshold; a former summary (`summaries`: their
    indices) ends the head, so that a later head is never larger than an earlier one.
    """
    prompt_end = 0
    while prompt_end < len(messages) and messages[prompt_end].role == "system":
        prompt_end += 1
    end = min(max(prompt_end, settings.protect_first_n), len(messages))
    end = min([end, *summaries])
    while end < len(messages) and messages[end].role == "tool":
        end += 1
    limit = settings.threshold_tokens * HEAD_SHARE
    size = sum(tokens[prompt_end:end])
    while end > prompt_end and size > limit:
        end -= 1
        size -= tokens[end]
        while end > prompt_end and messages[end].role == "tool":
            end -= 1
            size -= tokens[end]
    return end


def newest_request_and_reply(messages: Sequence[Message]) -> frozenset[int]:
    """Return the newest request of a person, the newest user message with text, and the newest reply that can be read."""
    found = (
        _newest(messages, len(messages), lambda message: message.is_human_request),
        _newest(messages, len(messages), lambda message: message.role == "user" and bool(message.text.strip())),
        _newest(messages, len(messages), lambda message: message.role == "assistant" and bool(message.text.strip())),
    )
    return frozenset(index for index in found if index is not None)


def never_before_a_result(messages: Sequence[Message]) -> list[bool]:
    """For each index, whether the tail may begin there: a result must follow its call."""
    return [message.role != "tool" for message in messages]


def leaves_enough_messages(messages: Sequence[Message], min_tail_messages: int) -> list[bool]:
    """For each index, whether a tail from there has the least number of messages."""
    last = len(messages) - min_tail_messages
    return [index <= last for index in range(len(messages))]


def never_before(messages: Sequence[Message], floor: int) -> list[bool]:
    """For each index, whether it lies behind the head and behind every earlier summary."""
    return [index >= floor for index in range(len(messages))]


def _find_tail_start(messages: Sequence[Message], tokens: Sequence[int], settings: CompactionSettings, bounds: Bounds) -> int:
    floor, budget_tokens = bounds.tail_floor, bounds.tail_budget_tokens
    rules = (
        never_before_a_result(messages),
        leaves_enough_messages(messages, settings.min_tail_messages),
        never_before(messages, floor),
    )
    legal = [all(allowed) for allowed in zip(*rules, strict=True)]
    if not any(legal):
        return floor
    spent = _walk_back(tokens, budget_tokens, floor)
    turn = _turn_start(messages, min(spent, len(messages) - 1), floor)
    if legal[turn] and sum(tokens[turn:]) <= budget_tokens * TAIL_TOLERANCE:
        return turn
    following = _next_turn(messages, spent)
    if following is not None and legal[following] and sum(tokens[turn:following]) <= budget_tokens:
        return following
    return _split_point(messages, legal, spent)


def _walk_back(tokens: Sequence[int], budget_tokens: int, floor: int) -> int:
    """Return the first index of the longest end that fits the budget."""
    total = 0
    index = len(tokens)
    while index > floor and total + tokens[index - 1] <= budget_tokens:
        index -= 1
        total += tokens[index]
    return index


def _turn_start(messages: Sequence[Message], index: int, floor: int) -> int:
    """Return where the turn around `index` begins: the first of the user messages that opened it."""
    while index > floor and messages[index].role != "user":
        index -= 1
    while index > floor and messages[index - 1].role == "user":
        index -= 1
    return index


def _next_turn(messages: Sequence[Message], index: int) -> int | None:
    for later in range(index, len(messages)):
        if messages[later].role == "user" and (later == 0 or messages[later - 1].role != "user"):
            return later
    return None


def _split_point(messages: Sequence[Message], legal: Sequence[bool], spent: int) -> int:
    """Return where a turn is split: at an assistant message within the budget, else at any legal place, else the last one."""
    for index in range(spent, len(messages)):
        if legal[index] and messages[index].role == "assistant":
            return index
    for index in range(spent, len(messages)):
        if legal[index]:
            return index
    return max(index for index, is_legal in enumerate(legal) if is_legal)


def _kept_before_tail(messages: Sequence[Message], always_kept: Collection[int], head_end: int, tail_start: int) -> tuple[int, ...]:
    """Return what stays word for word though it lies before the tail: what always stays, and the request of a split turn."""
    wanted: set[int | None] = set(always_kept)
    if not _opens_with_request(messages, tail_start):
        wanted.add(_newest(messages, tail_start, lambda message: message.is_human_request))
    return tuple(sorted(index for index in wanted if index is not None and head_end <= index < tail_start))


def _opens_with_request(messages: Sequence[Message], start: int) -> bool:
    """Whether a person speaks in the user messages that begin at `start`."""
    for message in messages[start:]:
        if message.role != "user":
            return False
        if message.is_human_request:
            return True
    return False


def _newest(messages: Sequence[Message], end: int, is_wanted: Callable[[Message], bool]) -> int | None:
    return next((index for index in range(end - 1, -1, -1) if is_wanted(messages[index])), None)
