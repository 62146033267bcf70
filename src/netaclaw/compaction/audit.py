"""The audit of a summary: each fact is looked up in it, and what is missing is added, most important first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from netaclaw.compaction.extractive.item import Item
from netaclaw.compaction.extractive.lines import lines_of
from netaclaw.compaction.extractive.material import items_of_facts
from netaclaw.compaction.ledger import Fact, collect_facts
from netaclaw.compaction.ledger.wording import words
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
    missing = _missing(summary, looked_up)
    first_missing = still_missing = len(missing)
    while missing:
        repaired = _with_added(summary, missing, budget_tokens, count, language)
        if repaired == summary:
            break
        summary = repaired
        missing = _missing(summary, looked_up)
        still_missing = len(missing)
    return summary, AuditReport(len(looked_up), first_missing, first_missing - still_missing)


def _missing(summary: str, facts: Sequence[Fact]) -> list[Fact]:
    lines = [words(line) for line in summary.split("\n")]
    return [fact for fact in facts if not _is_kept(fact, summary, lines)]


def _is_kept(fact: Fact, summary: str, lines: Sequence[set[str]]) -> bool:
    if fact.values:
        return all(value in summary for value in fact.values)
    if fact.text in summary:
        return True
    wanted = words(fact.text)
    return bool(wanted) and any(len(wanted & line) >= _SAME_WORDS * len(wanted) for line in lines)


def _with_added(summary: str, missing: Sequence[Fact], budget_tokens: int, count: Callable[[str], int], language: Language) -> str:
    """Add what fits by an estimate that adds up the parts, then take back from the end what was too much after all."""
    left = budget_tokens - count(summary)
    added: list[Item] = []
    labels: set[str] = set()
    for fact, item in zip(missing, items_of_facts(missing, language), strict=True):
        cost = count(item.text) + _LINE_TOKENS + (0 if item.label in labels else count(item.label))
        if cost > left or not _is_kept(fact, f"{item.label}: {item.text}", [words(item.text)]) or "\n" in item.text:
            continue
        left -= cost
        labels.add(item.label)
        added.append(item)
    while added:
        repaired = add_lines(summary, {section: lines_of(section, added) for section in SECTIONS}, language)
        if count(repaired) <= budget_tokens:
            return repaired
        added = added[: -max(1, len(added) // 20)]
    return summary
