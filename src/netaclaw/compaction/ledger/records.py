"""Which records of tool results were used, and which of their values the assistant told the user."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from netaclaw.compaction.ledger.aging import freshness
from netaclaw.compaction.ledger.fact import Fact
from netaclaw.compaction.ledger.observation import Observation, Row

_KEY_CHARS = 2
_RECENT_ROWS = 12
_MAX_RECORDS = 200
_UNITS = r"\s?(?:元|块|分钟|分|小时|天|晚|公里|千米|米|平米|岁|人|次|折|星|号|层|楼|%|％|stars?|hours?|minutes?|days?|nights?|km|miles?)"
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(slots=True)
class _Record:
    label: str
    fields: dict[str, str]
    first: int
    last: int
    uses: float = 0.0
    told: dict[str, None] = field(default_factory=dict)


def record_facts(seen: Sequence[Observation], value_weights: Mapping[str, float]) -> list[Fact]:
    """Records that were named after they were found; first what was told of each, then what else is known."""
    records = _collect(seen)
    newest = seen[-1].index
    facts: list[Fact] = []
    for record in sorted(records.values(), key=lambda r: (-r.uses - len(r.told), -r.last, r.label))[:_MAX_RECORDS]:
        facts.extend(_facts(record, newest, value_weights))
    return facts


def _collect(seen: Sequence[Observation]) -> dict[str, _Record]:
    records: dict[str, _Record] = {}
    starts: dict[str, list[str]] = {}
    recent: list[str] = []
    topic = ""
    for o in seen:
        if o.rows:
            for row in o.rows:
                _add(records, starts, row, o.index)
            recent = [row.label for row in o.rows[:_RECENT_ROWS]]
        if not records:
            continue
        for text, weight in _texts(o):
            named = list(_named(text, starts))
            for label in named:
                records[label].uses += weight
                records[label].last = o.index
            topic = named[-1] if named else topic
            if o.role == "assistant" and o.spoken:
                _note_told(text, records, named or [topic], recent, o.index)
    return records


def _add(records: dict[str, _Record], starts: dict[str, list[str]], row: Row, index: int) -> None:
    known = records.get(row.label)
    if known is None:
        records[row.label] = _Record(row.label, dict(row.fields), index, index)
        starts.setdefault(row.label[:_KEY_CHARS], []).append(row.label)
        return
    known.fields.update(row.fields)
    known.last = index


def _texts(o: Observation) -> Iterator[tuple[str, float]]:
    if o.spoken:
        yield o.spoken, 1.0 if o.role == "assistant" else 1.5
    for call in o.calls:
        yield call.arguments, 1.0


def _named(text: str, starts: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield the labels that stand in a text, in order; of those that begin at one place the longest."""
    end = 0
    for place in range(len(text) - _KEY_CHARS + 1):
        if place < end:
            continue
        candidates = starts.get(text[place : place + _KEY_CHARS])
        if candidates:
            found = max((label for label in candidates if text.startswith(label, place)), key=len, default="")
            if found:
                end = place + len(found)
                yield found


def _note_told(text: str, records: dict[str, _Record], named: Iterable[str], recent: Iterable[str], index: int) -> None:
    sure = [label for label in dict.fromkeys(named) if label]
    for label in dict.fromkeys([*sure, *recent]):
        record = records.get(label)
        if record is None:
            continue
        for value in _scalars(record.fields.values()):
            said = _said(value, text, is_sure=label in sure)
            if said:
                record.told[said] = None
                record.last = index


def _scalars(fields: Iterable[str]) -> Iterator[str]:
    for text in fields:
        if text[0] == '"':
            yield json.loads(text)
        elif text[0] in "[{":
            yield from (item for item in _items(text) if isinstance(item, str))
        elif text not in ("true", "false"):
            yield text


def _items(text: str) -> list[object]:
    value = json.loads(text)
    return value if isinstance(value, list) else []


def _said(value: str, text: str, *, is_sure: bool) -> str:
    """Return how a value of a record was told, with its unit, or nothing."""
    if not _NUMBER.fullmatch(value):
        return value if len(value) >= (2 if is_sure else 4) and value in text else ""
    number = value.removesuffix(".0")
    if number not in text:
        return ""
    found = re.search(rf"(?<![\d.]){re.escape(number)}(?:\.0)?(?:{_UNITS})?(?![\d.]\d)", text)
    if not found or (len(found[0]) < 2 and not is_sure) or (not is_sure and len(number) < 3):
        return ""
    return found[0] if len(found[0]) > 1 else ""


def _facts(record: _Record, newest: int, value_weights: Mapping[str, float]) -> Iterator[Fact]:
    aged = freshness(record.last, newest, 0.6)
    told = list(record.told)
    if told:
        weight = (6.0 + 3.0 * len(told)) * aged
        yield Fact("record", f"{record.label}: {'; '.join(told)}", (record.label, *told), weight, f"record:{record.label}", record.last)
    rest = [f'"{name}": {value}' for name, value in record.fields.items() if not any(said in value for said in told)]
    if rest:
        worth = sum(weight for value, weight in value_weights.items() if len(value) > 3 and any(value in text for text in rest)) if record.uses else 0
        weight = (1.0 + min(8.0, 2.0 * record.uses) + 0.5 * worth) * aged
        yield Fact("record", f"{record.label}: {', '.join(rest)}", (record.label, *rest), weight, f"record:{record.label}:more", record.last)
