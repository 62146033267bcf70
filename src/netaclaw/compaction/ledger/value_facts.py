"""Which files and which exact values matter: by who used them, how often and how lately."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2, sqrt

from netaclaw.compaction.ledger.aging import freshness
from netaclaw.compaction.ledger.fact import Fact
from netaclaw.compaction.ledger.observation import FileUse, Observation

_MAX_VALUES = 500
_MAX_FILES = 150
_SOURCE_WEIGHTS = {"user": 3.0, "assistant": 2.0, "tool": 0.35, "system": 0.0}
_ARGUMENT_WEIGHT = 1.4
_USE_WEIGHTS: dict[FileUse, float] = {"changed": 17.0, "read": 7.0, "mentioned": 1.8}
_USES: dict[FileUse, str] = {"read": "read", "changed": "edited", "mentioned": ""}


_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(slots=True)
class _Tally:
    strength: float = 0.0
    count: int = 0
    index: int = 0
    spoken: bool = False

    def add(self, strength: float, index: int, *, spoken: bool) -> None:
        self.strength += strength
        self.count += 1
        self.index = index
        self.spoken = self.spoken or spoken


def value_facts(seen: Sequence[Observation]) -> list[Fact]:
    """The exact values, ranked; those that stand only in tool output count little."""
    newest = seen[-1].index
    tallies: dict[str, _Tally] = {}
    for o in seen:
        for value in o.values:
            tallies.setdefault(value, _Tally()).add(_SOURCE_WEIGHTS[o.role], o.index, spoken=o.role != "tool")
        for call in o.calls:
            for value in call.values:
                tallies.setdefault(value, _Tally()).add(_ARGUMENT_WEIGHT, o.index, spoken=True)
    facts = [
        Fact("value", value, (value,), _value_weight(value, tally, newest), f"value:{value}", tally.index)
        for value, tally in tallies.items()
    ]
    return sorted((fact for fact in facts if fact.weight > 0.05), key=lambda fact: (-fact.weight, fact.text))[:_MAX_VALUES]


def file_facts(seen: Sequence[Observation]) -> list[Fact]:
    """The files, changed ones first, each with what was done with it."""
    newest = seen[-1].index
    tallies: dict[str, dict[FileUse, _Tally]] = {}
    for o in seen:
        strength = 0.2 if o.role == "tool" else 1.0
        for file in o.files:
            tallies.setdefault(file.path, {}).setdefault(file.use, _Tally()).add(strength, o.index, spoken=o.role != "tool")
    facts = []
    for path, uses in tallies.items():
        index = max(tally.index for tally in uses.values())
        done = ", ".join(_USES[use] for use in ("read", "changed") if use in uses)
        facts.append(Fact("file", f"{path} ({done})" if done else path, (path,), _file_weight(uses, newest), f"file:{path}", index))
    return sorted(facts, key=lambda fact: (-fact.weight, fact.text))[:_MAX_FILES]


def _value_weight(value: str, tally: _Tally, newest: int) -> float:
    weight = sqrt(min(6.0, tally.strength)) * log2(2 + tally.count) * freshness(tally.index, newest, 0.35)
    return weight * _kind_factor(value, tally.spoken) * (1.0 if tally.spoken else 0.4)


def _kind_factor(value: str, is_spoken: bool) -> float:
    """What names one thing counts more than a number or a word that needs its sentence."""
    if value[0] == "《" or "@" in value or "://" in value:
        return 2.0
    digits = sum(map(str.isdigit, value))
    if digits and not any(char.isascii() and char.isalpha() for char in value):
        if not is_spoken and digits < 7:
            return 0.0
        if _DATE.fullmatch(value):
            return 0.5
        return 0.12 if digits <= 3 else 0.4 if digits == 4 else 1.0
    return 0.4 if value.isascii() and value.isalpha() and value.islower() else 1.0


def _file_weight(uses: dict[FileUse, _Tally], newest: int) -> float:
    weight = 0.0
    for use, tally in uses.items():
        weight += _USE_WEIGHTS[use] * sqrt(min(3.0, tally.strength)) * freshness(tally.index, newest, 0.35)
    return weight
