"""One thing that may go into a summary, with what it is worth."""

from dataclasses import dataclass

from netaclaw.compaction.summary_sections import Section


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of a summary's line, taken from the conversation."""

    section: Section
    text: str
    weight: float
    key: str
    """Items of one key say the same; the first holds."""
    label: str = ""
    """Items of one label share a line that begins with it: `label: text, text`."""
    is_soft: bool = False
    """A sentence that is worth only the words that no other line brings."""
    is_outcome: bool = False
    """A finished request with what came of it: first to get room that is left."""
    order: int = 0
    """Place in the conversation: lines of a section stand in this order."""
