"""Tokens by kind: what the system prompt, the user, the assistant, its calls and their results each cost, by both counters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from netaclaw.compaction import CompactionSettings, message_counter
from netaclaw.domain.messages import Message, Part, Role, Text
from netaclaw.terminal.progress import Progress
from netaclaw.terminal.wording import Kind

CounterName: TypeAlias = Literal["o200k", "chars4"]

KINDS: tuple[Kind, ...] = ("system", "user", "assistant", "arguments", "toolResults", "thinking", "images")
COUNTERS: tuple[CounterName, ...] = ("o200k", "chars4")

_TEXT_KIND: dict[Role, Kind] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "toolResults"}
_NO_TEXT: tuple[Kind, ...] = ("thinking", "images")


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


def count_kinds(messages: Sequence[Message], settings: CompactionSettings, progress: Progress | None = None) -> tuple[KindTokens, ...]:
    """Return what each kind costs by both counters; text and arguments add up to exactly what the counter says of them."""
    counters = [message_counter(replace(settings, counter=name)) for name in COUNTERS]
    found = dict.fromkeys(KINDS, 0)
    tokens = {kind: [0, 0] for kind in KINDS}
    for number, message in enumerate(messages):
        if progress is not None:
            progress("counting", number, len(messages))
        for kind, parts in _parts_by_kind(message):
            found[kind] += 1
            for place, count in enumerate(counters):
                tokens[kind][place] += _tokens_of(kind, parts, message.role, count)
    return tuple(KindTokens(kind, found[kind], *tokens[kind]) for kind in KINDS)


def _parts_by_kind(message: Message) -> list[tuple[Kind, tuple[Part, ...]]]:
    """Return the parts of each kind; a message without text has its text kind too, since a counter may charge for the message."""
    texts: list[Part] = [part for part in message.parts if isinstance(part, Text)]
    groups: list[tuple[Kind, tuple[Part, ...]]] = [
        (_TEXT_KIND[message.role], tuple(texts)),
        ("arguments", message.tool_calls),
        ("thinking", message.thinking),
        ("images", message.images),
    ]
    return [group for group in groups if group[1] or group is groups[0]]


def _tokens_of(kind: Kind, parts: tuple[Part, ...], role: Role, count: Callable[[Message], int]) -> int:
    if kind in _TEXT_KIND.values():
        return count(Message(role, parts))
    return sum(count(Message("assistant", (part,))) - count(Message("assistant")) for part in parts)
