"""What every format shares: records with their place in the file, the parsed document, and the interface of a reader."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from netaclaw.domain.messages import Message

if TYPE_CHECKING:
    from netaclaw.transcripts.notes import Notes

_SNIFFED_RECORDS = 2_000
_CONTENT_KEYS = ("content", "tool_calls", "function_call")


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object of a transcript and where it stands."""

    value: Mapping[str, Any]
    number: int
    """Position among the records, from 1."""
    line: int | None = None
    """Line of the file where each record has a line of its own."""


PlacedMessage: TypeAlias = tuple[Record, Message]
"""A message and the record it was read from, so that a warning can name the place."""


@dataclass(frozen=True)
class Document:
    """A parsed file: one JSON object a line, or one array of objects, or one object."""

    form: Literal["lines", "array", "object"]
    records: tuple[Record, ...]

    @property
    def top(self) -> Mapping[str, Any]:
        """The one object of the file; empty where there are several."""
        return self.records[0].value if len(self.records) == 1 else {}

    @cached_property
    def chat(self) -> tuple[Record, ...]:
        """The records that may be chat messages: those in `messages` of a request object, else all."""
        messages = self.top.get("messages")
        return number_records(messages) if isinstance(messages, list) else self.records

    @property
    def sample(self) -> Sequence[Record]:
        """The records that a format is recognised by."""
        return self.records[:_SNIFFED_RECORDS]

    @cached_property
    def chat_sample(self) -> tuple[Mapping[str, Any], ...]:
        """Chat messages among the first records; none unless at least half of these are some."""
        first = self.chat[:_SNIFFED_RECORDS]
        found = tuple(record.value for record in first if _is_chat_message(record.value))
        return found if 2 * len(found) >= len(first) else ()


class Reader(Protocol):
    """Reads one format."""

    name: str

    def sniff(self, document: Document) -> bool:
        """Whether the content looks like this format."""

    def read(self, document: Document, notes: "Notes") -> list[PlacedMessage]:
        """Return the messages that a model would see; faults that were mended are noted."""


def number_records(values: Sequence[object]) -> tuple[Record, ...]:
    """Return the objects among `values` as records without a line; anything else is left out."""
    return tuple(Record(value, number) for number, value in enumerate(values, start=1) if isinstance(value, Mapping))


def content_blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the objects in the content list of a chat message."""
    content = message.get("content")
    return [block for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []


def called_tools(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the objects in the `tool_calls` of a chat message."""
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, Mapping)] if isinstance(calls, list) else []


def _is_chat_message(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("role"), str) and any(key in value for key in _CONTENT_KEYS)
