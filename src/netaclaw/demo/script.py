"""The form of a conversation's script."""

from collections.abc import Sequence
from dataclasses import dataclass

from netaclaw.compaction.settings import Language


@dataclass(frozen=True, slots=True)
class Script:
    """The user's side of one conversation."""

    language: Language
    title: str
    turns: Sequence[str]
    further: Sequence[str]
    """As many of these follow as it takes until the threshold is near and clearing old tool output would not help."""
    plan: str
    """The last turn but one: the list of tasks, which goes with every later message."""
    last: str
    """The last turn; how many lines it reads, `{last_line}`, is what brings the context to the edge of its threshold."""
