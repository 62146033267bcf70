"""What a summary can be made of: facts, sentences of the turns, and the lines of the summary before."""

from collections.abc import Iterator, Sequence

from netaclaw.compaction.extractive.item import Item
from netaclaw.compaction.extractive.labels import GATHERING_OF, LABELS, PLACES, RECORD_SEPARATOR, SEPARATORS, Gathering
from netaclaw.compaction.extractive.outcomes import Exchange, is_telling, names_aim, request_key, request_line
from netaclaw.compaction.extractive.turns import Spoken, is_left_out_mark, spoken_sentences
from netaclaw.compaction.ledger import Fact, FactKind
from netaclaw.compaction.ledger.cues import constraint_strength, is_announcement, is_decision, is_done, is_planned, is_rule
from netaclaw.compaction.ledger.folding import folded, shortened
from netaclaw.compaction.ledger.statements import statement_key
from netaclaw.compaction.settings import Language
from netaclaw.compaction.summary_sections import Section, read_sections

SECTION_OF_KIND: dict[FactKind, Section] = {
    "request": "doing",
    "constraint": "constraints",
    "decision": "decisions",
    "file": "files",
    "error": "context",
    "command": "tools",
    "record": "context",
    "value": "context",
    "task": "next",
}
_SERIOUS_ERROR = 10.0
_SOFT_WEIGHT = 0.6
_EARLIER_WEIGHTS: dict[Gathering, float] = {"edited": 16.0, "read": 7.0, "mentioned": 2.0, "values": 3.5, "commands": 3.0}
_EARLIER_CONSTRAINTS = {3: 24.0, 2: 11.0, 1: 6.0, 0: 4.0}
_EARLIER_RECORD = 14.0
_EARLIER_WORDS = 5.0
"""A piece of a record without a number in it."""
_EARLIER_SOFT: dict[Section, float] = {
    "done": 1.1,
    "blocked": 1.2,
    "decisions": 1.3,
    "files": 1.2,
    "next": 0.5,
    "context": 1.1,
    "tools": 1.1,
}
_EARLIER_HARD: dict[Section, float] = {"goal": 60.0, "doing": 24.0}
"""What the words of another line do not replace."""
_LONGEST_LABEL = 60
_GOAL_WEIGHT = 80.0
_GOAL_CHARS = 260
_OUTCOME_WEIGHT = 6.0
_FRESH_OUTCOME_WEIGHT = 20.0
_FRESH_OUTCOMES = 3
_FEW_EXCHANGES = 12
"""In a longer conversation no single outcome matters that much."""
_EARLIER_OUTCOME_WEIGHT = 4.0
ARROW = " → "
"""Between a request and what came of it."""


def items_of_facts(facts: Sequence[Fact], language: Language) -> Iterator[Item]:
    """Yield the facts as items."""
    labels = LABELS[language]
    for fact in facts:
        section, text, label = SECTION_OF_KIND[fact.kind], fact.text, ""
        match fact.kind:
            case "file":
                label, text = _file(fact, labels)
            case "value":
                label = labels["values"]
            case "command":
                label = labels["commands"]
            case "record":
                label = fact.values[0]
                text = fact.text.removeprefix(f"{label}: ")
            case "task":
                section, text = _task(fact)
            case "error" if fact.weight > _SERIOUS_ERROR:
                section = "blocked"
        yield Item(section, folded(text), fact.weight, fact.key or f"{fact.kind}:{text}", folded(label), order=fact.index)


def without_answered(facts: Sequence[Fact], told: Sequence[Exchange]) -> list[Fact]:
    """Leave out the requests whose turn is over: their outcome says more."""
    answered = {request_key(request) for exchange in told if exchange.outcome for request in exchange.requests}
    return [fact for fact in facts if fact.kind != "request" or request_key(fact.text) not in answered]


def items_of_exchanges(told: Sequence[Exchange], *, has_goal: bool) -> Iterator[Item]:
    """Yield the first request as the goal, if there is none yet, and every answered request with its outcome."""
    first = next((exchange for exchange in told if exchange.requests), None)
    if first and not has_goal:
        text = shortened(first.requests[0], _GOAL_CHARS)
        yield Item("goal", text, _GOAL_WEIGHT, f"goal:{text}", order=first.turn)
    for number, exchange in enumerate(told):
        if exchange.outcome:
            text = ARROW.join(filter(None, (request_line(exchange), exchange.outcome)))
            is_fresh = len(told) <= _FEW_EXCHANGES and (number == 0 or number >= len(told) - _FRESH_OUTCOMES)
            weight = (_FRESH_OUTCOME_WEIGHT if is_fresh else _OUTCOME_WEIGHT) * (0.5 + 0.5 * (number + 1) / len(told))
            yield Item("done", text, weight, f"outcome:{text}", is_outcome=True, order=exchange.turn)


def items_of_turns(serialized: str) -> Iterator[Item]:
    """Yield the sentences of the turns as soft items, each in the section its words speak for."""
    spoken = [s for s in spoken_sentences(serialized) if s.role != "ASSISTANT" or is_telling(s.text)]
    turns = spoken[-1].turn + 1 if spoken else 1
    for sentence in spoken:
        section, worth = _place(sentence)
        freshness = 0.7 + 0.3 * (sentence.turn + 1) / turns
        weight = _SOFT_WEIGHT * worth * freshness
        yield Item(section, sentence.text, weight, sentence.text, is_soft=True, order=sentence.turn)


def items_of_summary(summary: str, *, is_superseded: bool, outcome: str = "") -> Iterator[Item]:
    """Yield the lines of an earlier summary as items, those that gather many things one by one.

    Their worth is told by what they are, as for new ones, and a little less, so that the new wins where room is tight. What was
    in progress is done when a newer request has superseded it or the new turns begin with its `outcome`.
    """
    for section, lines in read_sections(summary).items():
        home: Section = "done" if section == "doing" and (is_superseded or outcome) else section
        for rank, line in enumerate(lines):
            if is_left_out_mark(line):
                continue
            if section == "doing" and home == "done" and not (outcome and rank == len(lines) - 1):
                yield Item("done", line, _EARLIER_OUTCOME_WEIGHT, f"outcome:{line}", is_outcome=True, order=-1)
                continue
            if section == "doing" and outcome and rank == len(lines) - 1:
                text = f"{line}{ARROW}{outcome}"
                yield Item("done", text, _OUTCOME_WEIGHT, f"outcome:{text}", is_outcome=True, order=-1)
                continue
            aged = 1 - 0.3 * rank / len(lines)
            pieces = list(_pieces(line, section))
            for place, (label, text) in enumerate(pieces):
                yield _earlier(home, label, text, aged * (1 - 0.5 * place / len(pieces)))


def _earlier(section: Section, label: str, text: str, aged: float) -> Item:
    gathering = GATHERING_OF.get(label)
    if gathering:
        return Item(PLACES[gathering], text, _EARLIER_WEIGHTS[gathering] * aged, _key(gathering, text), label, order=-1)
    key = statement_key(f"{label} {text}")
    if label:
        weight = _EARLIER_RECORD if any(map(str.isdigit, text)) else _EARLIER_WORDS
        return Item(section, text, weight, key, label, order=-1)
    if section == "constraints":
        return Item(section, text, _EARLIER_CONSTRAINTS[constraint_strength(text)], f"constraint:{statement_key(text)}", order=-1)
    if section in _EARLIER_HARD:
        return Item(section, text, _EARLIER_HARD[section] * aged, f"{section}:{text}", order=-1)
    if section == "done" and ARROW in text:
        return Item(section, text, _EARLIER_OUTCOME_WEIGHT * aged, f"outcome:{text}", is_outcome=True, order=-1)
    return Item(section, text, _EARLIER_SOFT[section], text, is_soft=True, order=-1)


def _file(fact: Fact, labels: dict[Gathering, str]) -> tuple[str, str]:
    path = fact.values[0] if fact.values else fact.text
    if fact.text.endswith("edited)"):
        return labels["edited"], path
    return (labels["read"] if fact.text.endswith("(read)") else labels["mentioned"]), path


def _task(fact: Fact) -> tuple[Section, str]:
    mark, text = fact.text[:3], fact.text[4:]
    return ("done" if mark == "[x]" else "doing" if mark == "[>]" else "next"), text


def _place(sentence: Spoken) -> tuple[Section, float]:
    text = sentence.text
    if sentence.role == "USER":
        if is_rule(text):
            return "constraints", 1.5
        return ("goal", 1.4) if names_aim(text) else ("context", 0.9 if text[-1] in "?？" else 1.3)
    if sentence.role in ("TOOL", "OUTLINE") or text[-1] in "?？:：" or is_announcement(text):
        return "context", 0.2
    if is_done(text):
        return "done", 1.0
    return ("decisions", 1.1) if is_decision(text) else ("next", 0.6) if is_planned(text) else ("context", 0.8)


def _pieces(line: str, section: Section) -> Iterator[tuple[str, str]]:
    """Yield (label, text) of what stands on a line."""
    label, colon, rest = line.partition(": ")
    gathering = GATHERING_OF.get(label) if colon else None
    if gathering:
        yield from ((label, text) for text in rest.split(SEPARATORS[gathering]) if text)
    elif section == "context" and colon and len(label) <= _LONGEST_LABEL and RECORD_SEPARATOR in rest:
        yield from ((label, text) for text in rest.split(RECORD_SEPARATOR) if text)
    else:
        yield "", line


def _key(gathering: Gathering | None, text: str) -> str:
    match gathering:
        case "edited" | "read" | "mentioned":
            return f"file:{text}"
        case "values":
            return f"value:{text}"
        case "commands":
            return f"command:{text}"
        case None:
            return statement_key(text)
