"""Facts in the words of the speakers: requests, rules, decisions, the task list."""

import re
from collections.abc import Sequence

from netaclaw.compaction.ledger.aging import freshness
from netaclaw.compaction.ledger.fact import Fact
from netaclaw.compaction.ledger.observation import Observation

_OPEN_REQUESTS = 3
_CONSTRAINTS = {3: (28.0, 0.75), 2: (14.0, 0.5), 1: (8.0, 0.4)}
_REQUEST_WEIGHTS = (60.0, 24.0, 14.0)
_NUMBER = re.compile(r"(?<![A-Za-z0-9_./-])\d+(?:\.\d+)?(?![A-Za-z0-9_/-])")
_NOISE = re.compile(r"[\W_]+")
_TASK_MARKS = {"done": "[x]", "doing": "[>]", "open": "[ ]"}
_SMALL_TALK = re.compile(
    r"(?i)^\W*(?:ok(?:ay)?|yes|yeah|yep|no|thanks?|thank you.*|continue|go on|go ahead|great|nice|good|perfect|cool|sure|hi|hello"
    r"|bye.*|got it|好的?|好吧|嗯+|谢谢.*|多谢.*|继续|可以|行|对|是的?|不客气.*|再见.*|你好|收到|明白了?)\W*$"
)


def is_small_talk(text: str) -> bool:
    """Whether a message asks for nothing: thanks, a greeting, `continue`."""
    return len(text) < 40 and bool(_SMALL_TALK.match(text))


def statement_key(text: str) -> str:
    """Return what two wordings of one statement share: letters without case, numbers that stand alone masked."""
    return _NOISE.sub(" ", _NUMBER.sub("0", text)).strip().lower()


def request_facts(seen: Sequence[Observation]) -> list[Fact]:
    """The newest requests of the user, the last of all first."""
    asked = [o for o in seen if o.is_request and o.request and not is_small_talk(o.request) and not o.request.startswith("/")]
    newest = asked[-_OPEN_REQUESTS:][::-1]
    return [
        Fact("request", o.request, weight=weight, key=f"request:{statement_key(o.request)}", index=o.index)
        for o, weight in zip(newest, _REQUEST_WEIGHTS, strict=False)
    ]


def constraint_facts(seen: Sequence[Observation]) -> list[Fact]:
    """Rules and wishes in the user's own words; hard ones hardly age."""
    newest = seen[-1].index
    facts = []
    for o in seen:
        for statement in o.constraints:
            base, floor = _CONSTRAINTS[statement.strength]
            weight = base * freshness(o.index, newest, floor)
            weight *= min(1.0, 60 / max(30, len(statement.text) / 2)) if len(statement.text) > 120 else 1.0
            facts.append(
                Fact("constraint", statement.text, weight=weight, key=f"constraint:{statement_key(statement.text)}", index=o.index)
            )
    return facts


def decision_facts(seen: Sequence[Observation]) -> list[Fact]:
    """Decisions and findings of the assistant."""
    newest = seen[-1].index
    return [
        Fact("decision", s.text, weight=7.0 * freshness(o.index, newest, 0.5), key=f"decision:{s.text}", index=o.index)
        for o in seen
        for s in o.decisions
    ]


def task_facts(seen: Sequence[Observation]) -> list[Fact]:
    """The newest task list, one fact a task."""
    latest = next((o for o in reversed(seen) if o.tasks), None)
    if latest is None:
        return []
    weights = {"doing": 30.0, "open": 22.0, "done": 8.0}
    return [
        Fact("task", f"{_TASK_MARKS[state]} {text}", values=(text,), weight=weights[state], key=f"task:{text}", index=latest.index)
        for state, text in latest.tasks
    ]
