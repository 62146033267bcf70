"""Tokens by kind: what the system prompt, the user, the assistant, its calls and their results each cost, by both counters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from netaclaw.compaction import CompactionSettings, message_counter
from netaclaw.compaction.plan import Progress
from netaclaw.compaction.settings import CounterName
from netaclaw.domain.messages import Message, Opaque, Part, Role, Text
from netaclaw.terminal.words import Kind

KINDS: tuple[Kind, ...] = get_args(Kind)

_TEXT_KIND: dict[Role, Kind] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "toolResults"}
_NO_TEXT: tuple[Kind, ...] = ("thinking", "images")
_PROGRESS_STEP = 100


@dataclass(frozen=True, slots=True)
class KindTokens:
    """What one kind costs, by counter. `messages` counts the messages that have some of it."""

    kind: Kind
    messages: int
    o200k: int
    chars4: int

    @property
    def is_text(self) -> bool:
        """Whether it is text or arguments, which is what `token-counts` of a transcript means."""
        return self.kind not in _NO_TEXT

    def tokens(self, counter: CounterName) -> int:
        """Return the figure of one counter."""
        return self.o200k if counter == "o200k" else self.chars4


@dataclass(frozen=True, slots=True)
class CountedMessages:
    """Messages that carry their size, so that whoever plans with them need not count again."""

    messages: tuple[Message, ...]
    """By the counter of the settings; a size that was known before stays."""
    kinds: tuple[KindTokens, ...]


def count_by_kind(messages: Sequence[Message], settings: CompactionSettings, progress: Progress | None = None) -> CountedMessages:
    """Count every text once by each counter; text and arguments add up to exactly what the counter says of them."""
    o200k, chars4 = (message_counter(replace(settings, counter=name)) for name in ("o200k", "chars4"))
    found = dict.fromkeys(KINDS, 0)
    exact, rough = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
    counted: list[Message] = []
    for number, message in enumerate(messages):
        if progress is not None and number % _PROGRESS_STEP == 0:
            progress("count", number, len(messages))
        size = 0
        for kind, parts in _parts_by_kind(message):
            exact_tokens, rough_tokens = (_tokens_of(kind, parts, message.role, count) for count in (o200k, chars4))
            found[kind] += 1
            exact[kind] += exact_tokens
            rough[kind] += rough_tokens
            size += exact_tokens if settings.counter == "o200k" else rough_tokens
        counted.append(message if message.tokens is not None else replace(message, tokens=size))
    return CountedMessages(tuple(counted), tuple(KindTokens(kind, found[kind], exact[kind], rough[kind]) for kind in KINDS))


def _parts_by_kind(message: Message) -> list[tuple[Kind, tuple[Part, ...]]]:
    """Return the parts of each kind; a message without text has its text kind too, since a counter may charge for the message."""
    texts = tuple(part for part in message.parts if isinstance(part, Text))
    documents = tuple(part for part in message.parts if isinstance(part, Opaque))
    groups: list[tuple[Kind, tuple[Part, ...]]] = [
        (_TEXT_KIND[message.role], texts),
        ("arguments", message.tool_calls),
        ("thinking", message.thinking),
        ("images", (*message.images, *documents)),
    ]
    return [group for group in groups if group[1] or group is groups[0]]


def _tokens_of(kind: Kind, parts: tuple[Part, ...], role: Role, count: Callable[[Message], int]) -> int:
    if kind in _TEXT_KIND.values():
        return count(Message(role, parts))
    return sum(count(Message("assistant", (part,))) - count(Message("assistant")) for part in parts)
