"""Commands that were run and what went wrong: each failure with the command that failed, until the same command succeeds."""

import re
from collections.abc import Iterator, Sequence

from netaclaw.compaction.ledger.aging import freshness
from netaclaw.compaction.ledger.fact import Fact
from netaclaw.compaction.ledger.folding import folded
from netaclaw.compaction.ledger.observation import CallSeen, Observation
from netaclaw.compaction.ledger.statements import statement_key

_LOOKS = re.compile(
    r"^(?:cd\s+\S+\s*(?:&&|;)\s*)*(?:grep|rg|cat|head|tail|ls|find|sed -n|wc|pwd|echo|tree|file|which|awk"
    r"|git (?:status|diff|log|show|grep|blame|branch))\b|^cd\s+\S+$"
)
_LOOKING_TOOLS = re.compile(
    r"(?i)^(?:read|view|open|grep|search|glob|find|list|ls|get|fetch|browse|web)|_(?:read|search|list|get|view)$|read|search"
)
_CHANGE_OF_PLACE = re.compile(r"^(?:cd\s+\S+\s*(?:&&|;)\s*)+")
_LONGEST_COMMAND = 120


def failure_facts(seen: Sequence[Observation]) -> list[Fact]:
    """Errors, newest last; one that the same command later did not show any more counts less."""
    newest = seen[-1].index
    failures: dict[str, tuple[Fact, str]] = {}
    passed: dict[str, int] = {}
    for call, result in _answered(seen):
        lines = result.errors or (result.diagnostics if call and not _only_looks(call) else ())
        if result.errors and not result.is_certain_error and call and _only_looks(call):
            lines = ()
        name = _shown(call) if call else ""
        if not lines:
            passed[name] = result.index
            continue
        text = f"{name} → {' | '.join(lines)}" if name else " | ".join(lines)
        weight = 16.0 if result.is_certain_error else 9.0
        fact = Fact("error", text, lines[:1], weight, f"error:{statement_key(lines[0])}", result.index)
        failures.pop(fact.key, None)
        failures[fact.key] = (fact, name)
    return [_aged(fact, newest, passed.get(name, -1) > fact.index) for fact, name in failures.values()]


def command_facts(seen: Sequence[Observation]) -> list[Fact]:
    """Commands that did something, the often repeated ones first."""
    newest = seen[-1].index
    counts: dict[str, tuple[int, int]] = {}
    for o in seen:
        for call in o.calls:
            if call.command and not _LOOKS.match(call.command):
                shown = _shown(call)
                counts[shown] = (counts.get(shown, (0, 0))[0] + 1, o.index)
    return [
        Fact("command", command, (command,), 3.0 * min(count, 4) * freshness(index, newest, 0.3), f"command:{command}", index)
        for command, (count, index) in counts.items()
    ]


def _answered(seen: Sequence[Observation]) -> Iterator[tuple[CallSeen | None, Observation]]:
    """Pair results with the newest call of their id."""
    calls: dict[str, CallSeen] = {}
    for o in seen:
        for call in o.calls:
            calls[call.id] = call
        if o.role == "tool":
            yield calls.get(o.answers), o


def _only_looks(call: CallSeen) -> bool:
    return bool(_LOOKS.match(call.command)) if call.command else bool(_LOOKING_TOOLS.search(call.name))


def _shown(call: CallSeen) -> str:
    command = folded(_CHANGE_OF_PLACE.sub("", call.command).split("\n")[0]) or folded(f"{call.name} {call.target}")
    return command if len(command) <= _LONGEST_COMMAND else f"{command[:_LONGEST_COMMAND]}…"


def _aged(fact: Fact, newest: int, is_resolved: bool) -> Fact:
    weight = fact.weight * freshness(fact.index, newest, 0.35) * (0.5 if is_resolved else 1.0)
    return Fact(fact.kind, fact.text, fact.values, weight, fact.key, fact.index)
