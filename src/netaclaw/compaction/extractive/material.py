"""What a summary can be made of: facts, sentences of the turns, and the lines of the summary before."""

from collections.abc import Iterator, Sequence

from netaclaw.compaction.extractive.item import Item
from netaclaw.compaction.extractive.labels import GATHERING_OF, LABELS, PLACES, RECORD_SEPARATOR, SEPARATORS, Gathering
from netaclaw.compaction.extractive.turns import Spoken, spoken_sentences
from netaclaw.compaction.ledger import Fact, FactKind
from netaclaw.compaction.ledger.cues import constraint_strength, is_announcement, is_decision, is_done, is_planned
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
    "goal": 1.4,
    "done": 1.1,
    "doing": 1.4,
    "blocked": 1.2,
    "decisions": 1.3,
    "files": 1.2,
    "next": 0.5,
    "context": 1.1,
    "tools": 1.1,
}
_LONGEST_LABEL = 60


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
        yield Item(section, text, fact.weight, fact.key or f"{fact.kind}:{text}", label, order=fact.index)


def items_of_turns(serialized: str) -> Iterator[Item]:
    """Yield the sentences of the turns as soft items, each in the section its words speak for."""
    spoken = list(spoken_sentences(serialized))
    turns = spoken[-1].turn + 1 if spoken else 1
    for sentence in spoken:
        section, worth = _place(sentence)
        freshness = 0.7 + 0.3 * (sentence.turn + 1) / turns
        weight = _SOFT_WEIGHT * worth * freshness
        yield Item(section, sentence.text, weight, sentence.text, is_soft=True, order=sentence.turn)


def items_of_summary(summary: str, *, is_superseded: bool) -> Iterator[Item]:
    """Yield the lines of an earlier summary as items, those that gather many things one by one.

    Their worth is told by what they are, as for new ones, and a little less, so that the new wins where room is tight. What was
    in progress is done when a newer request has superseded it.
    """
    for section, lines in read_sections(summary).items():
        home: Section = "done" if section == "doing" and is_superseded else section
        for rank, line in enumerate(lines):
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
        return ("constraints", 1.5) if constraint_strength(text) == 3 else ("goal", 0.9 if text[-1] in "?？" else 1.3)
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
