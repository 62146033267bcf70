"""Facts of many messages: what was seen in each, joined, counted, aged and put in order of importance."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from netaclaw.compaction.ledger.fact import Fact, FactKind
from netaclaw.compaction.ledger.failures import command_facts, failure_facts
from netaclaw.compaction.ledger.observation import Observation
from netaclaw.compaction.ledger.records import record_facts
from netaclaw.compaction.ledger.statements import constraint_facts, decision_facts, request_facts, task_facts
from netaclaw.compaction.ledger.value_facts import file_facts, value_facts

_KEPT_RECORD_WEIGHT = 4.0
_MOST_OF_A_KIND: dict[FactKind, int] = {"constraint": 800, "decision": 400, "error": 400, "command": 400}


def merge_facts(observations: Iterable[Observation]) -> tuple[Fact, ...]:
    """Return the facts of messages in order, most important first; a later value of the same statement replaces the earlier."""
    seen = sorted(observations, key=lambda observation: observation.index)
    if not seen:
        return ()
    values = value_facts(seen)
    records = record_facts(seen, {fact.text: fact.weight for fact in values})
    facts = [
        *request_facts(seen),
        *constraint_facts(seen),
        *decision_facts(seen),
        *task_facts(seen),
        *file_facts(seen),
        *failure_facts(seen),
        *command_facts(seen),
        *records,
        *_outside(values, records),
    ]
    newest: dict[str, Fact] = {}
    for fact in facts:
        newest[fact.key or f"{fact.kind}:{fact.text}"] = fact
    return tuple(_most_important(sorted(newest.values(), key=lambda fact: (-fact.weight, -fact.index, fact.kind, fact.text))))


def _most_important(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Leave out the least of a kind that has more facts than any summary can hold."""
    counts: Counter[FactKind] = Counter()
    for fact in facts:
        counts[fact.kind] += 1
        if counts[fact.kind] <= _MOST_OF_A_KIND.get(fact.kind, len(facts)):
            yield fact


def _outside(values: Sequence[Fact], records: Sequence[Fact]) -> list[Fact]:
    """Lower the values that stand in a record worth keeping: the record brings them with what they belong to."""
    text = "\n".join(record.text for record in records if record.weight >= _KEPT_RECORD_WEIGHT)
    return [replace(value, weight=0.25 * value.weight) if value.text in text else value for value in values]
