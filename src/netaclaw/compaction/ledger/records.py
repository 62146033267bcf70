"""Which records of tool results were used, and which of their values the assistant told the user."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum

from netaclaw.compaction.ledger.aging import freshness
from netaclaw.compaction.ledger.fact import Fact
from netaclaw.compaction.ledger.folding import folded
from netaclaw.compaction.ledger.observation import Observation, Row

_KEY_CHARS = 3
_NONE: frozenset[int] = frozenset()
_RECENT_ROWS = 12
_MAX_RECORDS = 300
_MAX_NAMES_TOLD = 3
_PIECE_CHARS = 110
_COMMON_VALUE = 4
"""A word in this many records (a category, a status) tells nothing about one of them."""
_UNITS = r"\s?(?:元|块|分钟|分|小时|天|晚|公里|千米|米|平米|岁|人|次|折|星|号|层|楼|%|％|stars?|hours?|minutes?|days?|nights?|km|miles?)"
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_REFERENCE = re.compile(r"[\w.@-]*\d[\w.@-]*")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d\d?:\d\d")
_PLAIN_WORD = re.compile(r"[a-z]{1,12}")


@dataclass(slots=True)
class _Record:
    label: str
    fields: dict[str, str]
    last: int
    scalars: tuple[tuple[str, bool], ...] = ()
    """(value, whether it stands in a list)"""
    uses: float = 0.0
    told: dict[str, None] = field(default_factory=dict)
    names_told: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True)
class _Known:
    """All records so far, the strings that refer to one of them, and how common each word in them is."""

    records: dict[str, _Record] = field(default_factory=dict)
    firsts: set[str] = field(default_factory=set)
    lengths: dict[str, set[int]] = field(default_factory=dict)
    """{first characters: lengths of the names that begin so}."""
    owners: dict[str, str] = field(default_factory=dict)
    commonness: Counter[str] = field(default_factory=Counter)


def record_facts(seen: Sequence[Observation], value_weights: Mapping[str, float]) -> list[Fact]:
    """Records that were named after they were found; first what was told of each, then what else is known."""
    known = _collect(seen)
    records = known.records
    newest = seen[-1].index
    facts: list[Fact] = []
    for record in sorted(records.values(), key=lambda r: (-r.uses - 2 * len(r.told), -r.last, r.label))[:_MAX_RECORDS]:
        facts.extend(_facts(record, known, newest, value_weights))
    return facts


def _collect(seen: Sequence[Observation]) -> _Known:
    known = _Known()
    recent: list[str] = []
    topic = ""
    for o in seen:
        for row in o.rows:
            _add(known, row, o.index)
        recent = [row.label for row in o.rows[:_RECENT_ROWS]] or recent
        if not known.records:
            continue
        for text, weight in _texts(o):
            named = [known.owners[name] for name in _named(text, known)]
            for label in named:
                known.records[label].uses += weight
                known.records[label].last = o.index
            topic = named[-1] if named else topic
            if o.role == "assistant" and o.spoken:
                _note_told(text, known, named or [topic], recent, o.index)
    _pass_on(known)
    return known


def _add(known: _Known, row: Row, index: int) -> None:
    record = known.records.get(row.label)
    if record is None:
        record = known.records[row.label] = _Record(row.label, dict(row.fields), index, tuple(_scalars(value for _, value in row.fields)))
        _refer(known, row.label, row.label)
        known.commonness.update(value for value, _ in record.scalars)
        for reference in {found for text in record.fields.values() for found in _REFERENCE.findall(text)}:
            if len(reference) >= 5 and not _NUMBER.fullmatch(reference) and not _DATE.match(reference):
                _refer(known, reference, row.label)
    record.last = index
    if any(record.fields.get(name) != value for name, value in row.fields):
        record.fields.update(row.fields)
        record.scalars = tuple(_scalars(record.fields.values()))


def _refer(known: _Known, name: str, label: str) -> None:
    """Let a name stand for a record; a label wins over a value in another record."""
    if len(name) < 2 or _PLAIN_WORD.fullmatch(name):
        return
    if name not in known.owners:
        known.firsts.add(name[0])
        known.lengths.setdefault(name[:_KEY_CHARS], set()).add(len(name))
    if name == label or name not in known.owners:
        known.owners[name] = label


def _pass_on(known: _Known) -> None:
    """A record that a used record names is used too, though less."""
    for record in [record for record in known.records.values() if record.uses >= 1]:
        for name in {name for text in record.fields.values() for name in _named(text, known)}:
            owner = known.records[known.owners[name]]
            if owner is not record and name == owner.label and _REFERENCE.fullmatch(name):
                owner.uses += 1.0


def _texts(o: Observation) -> Iterator[tuple[str, float]]:
    if o.spoken:
        yield o.spoken, 1.0 if o.role == "assistant" else 1.5
    for call in o.calls:
        yield call.arguments, 1.0


def _named(text: str, known: _Known) -> Iterator[str]:
    """Yield the names that stand in a text, in order; of those that begin at one place the longest."""
    end, firsts, lengths = 0, known.firsts, known.lengths
    for place, char in enumerate(text):
        if char not in firsts or place < end:
            continue
        possible = lengths.get(text[place : place + _KEY_CHARS], _NONE) | lengths.get(text[place : place + 2], _NONE)
        for length in sorted(possible, reverse=True):  # the longest wins; names of one beginning may be many, their lengths are few
            name = text[place : place + length]
            if name in known.owners:
                end = place + length
                yield name
                break


def _note_told(text: str, known: _Known, named: Iterable[str], recent: Iterable[str], index: int) -> None:
    sure = [label for label in dict.fromkeys(named) if label]
    for label in dict.fromkeys([*sure, *recent]):
        record = known.records[label]
        for value, is_listed in record.scalars:
            if value in record.label or (known.commonness[value] >= _COMMON_VALUE and not is_listed and not any(map(str.isdigit, value))):
                continue
            said = _said(value, text, is_sure=label in sure)
            if said and not (is_listed and known.commonness[value] > 40):
                (record.names_told if is_listed else record.told)[said] = None
                record.last = index


def _scalars(fields: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield (value, whether it stands in a list)."""
    for text in fields:
        if text[0] == '"':
            yield folded(json.loads(text)), False
        elif text[0] in "[{":
            yield from ((folded(item), True) for item in _items(text) if isinstance(item, str))
        elif text not in ("true", "false"):
            yield text, False


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


def _facts(record: _Record, known: _Known, newest: int, value_weights: Mapping[str, float]) -> Iterator[Fact]:
    """What was told of a record, then its other fields in pieces of some length."""
    aged = freshness(record.last, newest, 0.6)
    told = [*record.told, *list(record.names_told)[:_MAX_NAMES_TOLD]]
    key = f"record:{record.label}"
    if told:
        weight = (4.0 + 6.0 * len(record.told) + 1.5 * (len(told) - len(record.told))) * aged
        yield Fact("record", f"{record.label}: {'; '.join(told)}", (record.label, *told), weight, key, record.last)
    used = 0.5 + min(6.0, 1.5 * record.uses)
    for number, piece in enumerate(_pieces(record, known)):
        exact = {token for token in _REFERENCE.findall(piece) if len(token) > 1}
        worth = 0.4 * fsum(value_weights.get(token, 0.0) for token in exact) + 0.5 * min(8, len(exact)) if record.uses else 0.0
        weight = (used * min(2.0, len(piece) / 100) ** 0.5 + worth) * aged
        yield Fact("record", f"{record.label}: {piece}", (record.label, piece), weight, f"{key}:{number}", record.last)


def _pieces(record: _Record, known: _Known) -> Iterator[str]:
    piece = ""
    for name, text in record.fields.items():
        if _is_told(text, record) or _is_common(text, known):
            continue
        shown = f'"{name}": {text}'
        if piece and len(piece) + len(shown) > _PIECE_CHARS:
            yield piece
            piece = ""
        piece = f"{piece}, {shown}" if piece else shown
    if piece:
        yield piece


def _is_told(text: str, record: _Record) -> bool:
    values = [value for value, _ in _scalars([text])]
    return bool(values) and all(value in record.told or value in record.names_told for value in values)


def _is_common(text: str, known: _Known) -> bool:
    values = [value for value, _ in _scalars([text])]
    limit = max(_COMMON_VALUE, len(known.records) // 2)
    return bool(values) and all(known.commonness[value] >= limit and not value[0].isdigit() for value in values if value)
