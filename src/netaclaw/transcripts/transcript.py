"""A transcript that was read: its messages, the format it was in, and what was wrong with it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from netaclaw.domain.messages import Message


@dataclass(frozen=True, slots=True)
class Transcript(Sequence[Message]):
    """The messages of one file, usable as a sequence."""

    messages: tuple[Message, ...]
    format: str
    """Name of the format it was read from."""
    warnings: tuple[str, ...] = ()
    """One line a fault that was lived with: `FILE:LINE: what was wrong and how it was mended`."""

    @overload
    def __getitem__(self, index: int) -> Message: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Message, ...]: ...
    def __getitem__(self, index: int | slice) -> Message | tuple[Message, ...]:
        return self.messages[index]

    def __len__(self) -> int:
        return len(self.messages)

    def __iter__(self) -> Iterator[Message]:
        return iter(self.messages)
