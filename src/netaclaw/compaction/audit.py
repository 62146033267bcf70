"""The audit of a summary: each fact is looked up in it, and what is missing is added, most important first."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

from netaclaw.compaction.extractive.item import Item
from netaclaw.compaction.extractive.lines import lines_of
from netaclaw.compaction.extractive.material import items_of_facts
from netaclaw.compaction.ledger import Fact, collect_facts
from netaclaw.compaction.ledger.content_words import content_words
from netaclaw.compaction.settings import Language
from netaclaw.compaction.summary_sections import SECTIONS, add_lines

__all__ = ["AuditReport", "Fact", "audit_summary", "collect_facts"]

_WORTH_LOOKING_UP = 1.0
"""Facts of less weight (names that stand in tool output alone) are not missed."""
_SAME_WORDS = 0.7
"""A statement is kept if a line has this share of its words."""
_LINE_TOKENS = 3


@dataclass(frozen=True, slots=True)
class AuditReport:
    """How many facts were looked up in the summary, how many were missing, how many of those were added."""

    checked: int
    missing: int
    repaired: int


def audit_summary(
    summary: str, facts: Sequence[Fact], budget_tokens: int, count: Callable[[str], int], language: Language
) -> tuple[str, AuditReport]:
    """Return the summary with missing facts added under their sections while it stays within the budget, and the figures.

    A summary over the budget is returned as it is. Auditing the result again changes nothing.
    """
    looked_up = [fact for fact in facts if fact.weight >= _WORTH_LOOKING_UP]
    missing = _missing(looked_up, _Said(summary))
    first_missing = len(missing)
    candidates = _candidates(missing, count, language)
    while candidates:
        added = _fitting(summary, candidates, budget_tokens, count, language)
        if not added:
            break
        lines = {section: lines_of(section, added) for section in SECTIONS}
        summary = add_lines(summary, lines, language)
        missing = _missing(missing, _Said("\n".join(line for section in SECTIONS for line in lines[section]), before=summary))
        still_missing = set(map(id, missing))
        candidates = [candidate for candidate in candidates if id(candidate.fact) in still_missing]
    return summary, AuditReport(len(looked_up), first_missing, first_missing - len(missing))


class _Said:
    """A text in which facts are looked up, with the lines that each word stands in.

    With `before`, facts that were not kept so far are looked up in what was added; their other values may stand anywhere.
    """

    def __init__(self, text: str, before: str = "") -> None:
        self._text = text
        self._all = before or text
        self._lines = [content_words(line) for line in text.split("\n")]
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(self._lines):
            for word in line:
                self._places[word].append(number)

    def keeps(self, fact: Fact) -> bool:
        """Whether a fact stands in it: all its values, else its text, else most of the words of its text on one line."""
        if fact.values:
            return any(value in self._text for value in fact.values) and all(value in self._all for value in fact.values)
        return fact.text in self._text or self._says(content_words(fact.text))

    def _says(self, wanted: set[str]) -> bool:
        """A line with most of the words has one of the rarest of them: only such lines are compared."""
        if not wanted:
            return False
        enough = ceil(_SAME_WORDS * len(wanted) - 1e-9)
        rarest = sorted(wanted, key=lambda word: (len(self._places.get(word, ())), word))[: len(wanted) - enough + 1]
        numbers = {number for word in rarest for number in self._places.get(word, ())}
        return any(len(wanted & self._lines[number]) >= enough for number in numbers)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A missing fact as it would be written, and what that would cost."""

    fact: Fact
    item: Item
    tokens: int
    label_tokens: int


def _missing(facts: Sequence[Fact], said: _Said) -> list[Fact]:
    return [fact for fact in facts if not said.keeps(fact)]


def _candidates(missing: Sequence[Fact], count: Callable[[str], int], language: Language) -> list[_Candidate]:
    """Return the missing facts that a line of theirs would show."""
    label_tokens: dict[str, int] = {}
    candidates = []
    for fact, item in zip(missing, items_of_facts(missing, language), strict=True):
        if item.label not in label_tokens:
            label_tokens[item.label] = count(item.label)
        if _Said(f"{item.label}: {item.text}").keeps(fact):
            candidates.append(_Candidate(fact, item, count(item.text), label_tokens[item.label]))
    return candidates


def _fitting(
    summary: str, candidates: Sequence[_Candidate], budget_tokens: int, count: Callable[[str], int], language: Language
) -> list[Item]:
    """Take what fits by an estimate that adds up the parts, then take back from the end what was too much after all."""
    left = budget_tokens - count(summary)
    added: list[Item] = []
    labels: set[str] = set()
    for candidate in candidates:
        cost = candidate.tokens + _LINE_TOKENS + (0 if candidate.item.label in labels else candidate.label_tokens)
        if cost <= left:
            left -= cost
            labels.add(candidate.item.label)
            added.append(candidate.item)
    while added:
        repaired = add_lines(summary, {section: lines_of(section, added) for section in SECTIONS}, language)
        if count(repaired) <= budget_tokens:
            return added
        added = added[: -max(1, len(added) // 20)]
    return added
