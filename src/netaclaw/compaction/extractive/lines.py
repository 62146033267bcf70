"""Items written as lines of a section."""

from collections.abc import Sequence

from netaclaw.compaction.extractive.item import Item
from netaclaw.compaction.extractive.labels import GATHERING_OF, RECORD_SEPARATOR, SEPARATORS
from netaclaw.compaction.summary_sections import Section

_ITEMS_ON_A_LINE = 40


def lines_of(section: Section, chosen: Sequence[Item]) -> list[str]:
    """Single lines and records in the order of the conversation, then what is gathered, the most important first."""
    here = [item for item in chosen if item.section == section]
    lines: dict[tuple[int, str], list[str]] = {}
    places: dict[str, tuple[int, str]] = {}
    for item in sorted((item for item in here if item.label not in GATHERING_OF), key=lambda item: item.order):
        place = places.setdefault(item.label, (item.order, item.label)) if item.label else (item.order, item.text)
        lines.setdefault(place, []).append(item.text)
    written = [f"{label}: {RECORD_SEPARATOR.join(texts)}" if label in places else label for (_, label), texts in lines.items()]
    for label, gathering in GATHERING_OF.items():
        texts = [item.text for item in here if item.label == label]
        for start in range(0, len(texts), _ITEMS_ON_A_LINE):
            written.append(f"{label}: {SEPARATORS[gathering].join(texts[start : start + _ITEMS_ON_A_LINE])}")
    return written
