"""The summariser that needs no model, no key and no network: it extracts. Every line it writes stands in its input."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from netaclaw.compaction.extractive.choice import choose
from netaclaw.compaction.extractive.item import Item
from netaclaw.compaction.extractive.lines import lines_of
from netaclaw.compaction.extractive.material import items_of_exchanges, items_of_facts, items_of_summary, items_of_turns, without_answered
from netaclaw.compaction.extractive.outcomes import exchanges
from netaclaw.compaction.ledger.content_words import content_words
from netaclaw.compaction.ledger.statements import statement_key
from netaclaw.compaction.plan import SummaryReply, SummaryRequest
from netaclaw.compaction.settings import Language
from netaclaw.compaction.size_estimate import estimated_tokens
from netaclaw.compaction.summary_sections import NOTHING, NOTHING_AT_ALL, SECTIONS, read_sections, write_sections

_MIN_CHARS = 200
_ROOMY_TOKENS = 400
"""Below this budget empty sections stand without a word."""
_FOCUS_FACTOR = 4.0


async def offline_summarizer(request: SummaryRequest) -> SummaryReply:
    """Return an extract of the turns in the sections of the template, within the budget but at least 200 characters long."""
    return SummaryReply(extract(request), finish_reason="stop")


def extract(request: SummaryRequest) -> str:
    """Return the summary itself."""
    items = _focused(_distinct(_items(request)), request.focus)
    language, budget = request.language, float(request.budget_tokens)
    summary = _written(items, budget, language, NOTHING[language] if budget >= _ROOMY_TOKENS else None)
    while len(summary) < _MIN_CHARS and budget < _MIN_CHARS:
        budget = max(budget * 1.3, 40.0)
        summary = _written(items, budget, language, None)
    return summary if len(summary) >= _MIN_CHARS else _written(items, _ROOMY_TOKENS, language, NOTHING_AT_ALL[language])


def _items(request: SummaryRequest) -> Iterable[Item]:
    earlier = read_sections(request.previous_summary or "")
    told = exchanges(request.serialized)
    late = told[0].outcome if told and not told[0].requests and earlier["doing"] else ""
    told = told[1:] if late else told
    yield from items_of_facts(without_answered(request.facts, told), request.language)
    yield from items_of_exchanges(told, has_goal=bool(earlier["goal"]))
    yield from items_of_turns(request.serialized)
    is_superseded = any(fact.kind == "request" for fact in request.facts)
    said_anew = {statement_key(fact.text) for fact in request.facts if fact.kind in ("request", "constraint", "decision")}
    for item in items_of_summary(request.previous_summary or "", is_superseded=is_superseded, outcome=late):
        if statement_key(item.text) not in said_anew:
            yield item


def _distinct(items: Iterable[Item]) -> list[Item]:
    """Keep the first of each key: facts before sentences, new before old."""
    known: dict[str, Item] = {}
    for item in items:
        known.setdefault(item.key, item)
    return list(known.values())


def _focused(items: list[Item], focus: str | None) -> list[Item]:
    """Raise what shares words with what the user asked to keep."""
    wanted = content_words(focus or "")
    if not wanted:
        return items
    return [
        replace(item, weight=item.weight * _FOCUS_FACTOR) if wanted & content_words(f"{item.label} {item.text}") else item for item in items
    ]


def _written(items: Sequence[Item], budget_tokens: float, language: Language, nothing: str | None) -> str:
    frame = estimated_tokens(write_sections({}, language, nothing=nothing))
    chosen = choose(items, budget_tokens - frame)
    return write_sections({section: lines_of(section, chosen) for section in SECTIONS}, language, nothing=nothing)
