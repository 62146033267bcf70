"""What a fact is: one thing that a summary must not lose, found without a model."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

FactKind: TypeAlias = Literal["request", "constraint", "decision", "file", "error", "command", "record", "value", "task"]
"""What a fact is about; each kind has its section in a summary."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing worth keeping."""

    kind: FactKind
    text: str
    """The line that shows it, taken from the conversation."""
    values: tuple[str, ...] = ()
    """Strings that stand in every summary that keeps this fact; empty: the words of `text` are looked up."""
    weight: float = 0.0
    """How much it matters; comparable across kinds."""
    key: str = ""
    """Facts of one key say the same thing; the later one holds."""
    index: int = 0
    """Number of the last message it stands in."""
