"""Phase 1: old tool output goes, without a model. The result keeps its place and id; only its content is replaced."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from netaclaw.compaction.grouping import Pairing
from netaclaw.compaction.prompts import Wording
from netaclaw.compaction.pruned_text import cleared_result, head_and_tail, shorter_arguments
from netaclaw.domain.messages import Message, ToolCall

_SHORTENED_HEAD_CHARS = 2_000
_SHORTENED_TAIL_CHARS = 1_000
_LONG_ARGUMENTS_CHARS = 500


@dataclass(frozen=True, slots=True)
class PruneInput:
    """What pruning looks at: the messages with their tokens and pairs, and the rules of this session."""

    messages: Sequence[Message]
    tokens: Sequence[int]
    pairing: Pairing
    words: Wording
    count: Callable[[Message], int]
    over_chars: int
    """Results longer than this many characters are pruned."""


def prune(given: PruneInput, head_end: int, tail_budget_tokens: int) -> dict[int, Message]:
    """Return `{index: shorter message}`: exact duplicates first (the newest stays), then by age beyond the tail budget.

    The walk goes from the end; everything before the message that spends the budget is old (spec section 3, phase 1).
    Messages before `head_end` are spared.
    """
    old_end = _start_of_newest(given.tokens, tail_budget_tokens)
    replacements = _duplicates(given, head_end, old_end)
    for index in range(head_end, old_end):
        message = given.messages[index]
        if message.role == "tool" and _is_bulky(message, given.over_chars) and index not in replacements:
            _replace_if_smaller(replacements, given, index, _cleared(given, index))
        elif message.role == "assistant" and message.tool_calls:
            _replace_if_smaller(replacements, given, index, _with_shorter_arguments(given, message))
    return replacements


def relieve(given: PruneInput, done: Mapping[int, Message], start: int, excess_tokens: int) -> dict[int, Message]:
    """Return more replacements from `start` on until `excess_tokens` are freed or nothing bulky is left.

    The pressure pass: oldest first. The newest block of results, which the model may not have read yet, comes last and
    keeps its head and tail.
    """
    newest_block = _newest_block(given.messages)
    replacements: dict[int, Message] = {}
    for index in range(start, len(given.messages)):
        if excess_tokens <= 0:
            break
        message = done.get(index, given.messages[index])
        if index not in given.pairing.call_of or not _is_bulky(message, given.over_chars):
            continue
        shorter = _shortened(given, message) if index >= newest_block else _cleared(given, index)
        freed = given.count(message) - given.count(shorter)
        if freed > 0:
            replacements[index] = shorter
            excess_tokens -= freed
    return replacements


def _duplicates(given: PruneInput, head_end: int, old_end: int) -> dict[int, Message]:
    """Replace all but the newest of equal results; they refer to it only if it is not old itself."""
    newest: dict[str, int] = {}
    replacements: dict[int, Message] = {}
    for index in range(len(given.messages) - 1, head_end - 1, -1):
        message = given.messages[index]
        if message.role != "tool" or len(message.text) <= given.over_chars or message.images:
            continue
        twin = newest.setdefault(message.text, index)
        if twin != index:
            _replace_if_smaller(replacements, given, index, _cleared(given, index, is_duplicate=twin >= old_end))
    return replacements


def _start_of_newest(tokens: Sequence[int], budget_tokens: int) -> int:
    total = 0
    for index in range(len(tokens) - 1, -1, -1):
        total += tokens[index]
        if total > budget_tokens:
            return index
    return 0


def _newest_block(messages: Sequence[Message]) -> int:
    index = len(messages)
    while index > 0 and messages[index - 1].role == "tool":
        index -= 1
    return index


def _is_bulky(message: Message, over_chars: int) -> bool:
    return len(message.text) > over_chars or any(image.is_sent for image in message.images)


def _cleared(given: PruneInput, index: int, *, is_duplicate: bool = False) -> Message:
    message = given.messages[index]
    return message.with_text(cleared_result(message, _call_of(given, index), given.words, is_duplicate=is_duplicate))


def _shortened(given: PruneInput, message: Message) -> Message:
    return message.with_text(head_and_tail(message.text, _SHORTENED_HEAD_CHARS, _SHORTENED_TAIL_CHARS, given.words))


def _call_of(given: PruneInput, index: int) -> ToolCall | None:
    found = given.pairing.call_of.get(index)
    return given.messages[found[0]].tool_calls[found[1]] if found else None


def _with_shorter_arguments(given: PruneInput, message: Message) -> Message:
    parts = tuple(
        replace(part, arguments=shorter_arguments(part.arguments, given.words, over_chars=given.over_chars))
        if isinstance(part, ToolCall) and len(part.arguments) > _LONG_ARGUMENTS_CHARS
        else part
        for part in message.parts
    )
    return message if parts == message.parts else replace(message, parts=parts, tokens=None)


def _replace_if_smaller(replacements: dict[int, Message], given: PruneInput, index: int, shorter: Message) -> None:
    if shorter is not given.messages[index] and given.count(shorter) < given.tokens[index]:
        replacements[index] = shorter
