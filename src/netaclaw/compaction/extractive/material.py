"""What a summary can be made of: facts, sentences of the turns, and the lines of the summary before."""

from collections.abc import Iterator, Sequence

from netaclaw.compaction.extractive.item import Item
from netaclaw.compaction.extractive.labels import GATHERING_OF, LABELS, PLACES, RECORD_SEPARATOR, SEPARATORS, Gathering
from netaclaw.compaction.extractive.turns import Spoken, spoken_sentences
from netaclaw.compaction.ledger import Fact, FactKind
from netaclaw.compaction.ledger.sentences import constraint_strength, is_decision, is_done, is_planned
from netaclaw.compaction.ledger.statements import statement_key
from netaclaw.compaction.settings import Language
from netaclaw.compaction.size_estimate import estimated_tokens
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
_EARLIER_DENSITY: dict[Section, float] = {
    "goal": 0.6,
    "constraints": 0.9,
    "done": 0.3,
    "doing": 0.3,
    "blocked": 0.3,
    "decisions": 0.35,
    "files": 0.6,
    "next": 0.15,
    "context": 0.5,
    "tools": 0.3,
}
"""What a token of an earlier summary's line is worth, by its section; the first line of a section most."""
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
        yield Item(section, sentence.text, weight, statement_key(sentence.text), is_soft=True, order=sentence.turn)


def items_of_summary(summary: str) -> Iterator[Item]:
    """Yield the lines of an earlier summary as items, those that gather many things one by one."""
    for section, lines in read_sections(summary).items():
        for rank, line in enumerate(lines):
            density = _EARLIER_DENSITY[section] * (1 - 0.5 * rank / len(lines))
            for label, text in _pieces(line, section):
                gathering = GATHERING_OF.get(label)
                place = PLACES[gathering] if gathering else "done" if section == "doing" else section
                weight = density * (estimated_tokens(text) + 2)
                yield Item(place, text, weight, _key(gathering, text), label, order=-1)


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
    if sentence.role in ("TOOL", "OUTLINE"):
        return "context", 0.2
    if text[-1] in "?？:：":
        return "context", 0.2
    if is_done(text):
        return "done", 1.0
    if is_decision(text):
        return "decisions", 1.1
    if is_planned(text):
        return "next", 0.6
    return "context", 0.8


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
