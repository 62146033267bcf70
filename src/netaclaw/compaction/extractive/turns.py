"""The serialized turns read back: who said what."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from netaclaw.compaction.ledger.sentences import constraint_strength, one_line, own_words, sentences
from netaclaw.compaction.ledger.statements import is_small_talk

_MARK = re.compile(r"^\[(?P<role>USER|ASSISTANT|SYSTEM|TOOL)(?: [^\]\n]{0,120})?\](?: |$)", re.MULTILINE)
_CALL = re.compile(r"^\[CALL [^\]\n]{0,120}\].*$", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(?=\[(?:USER|ASSISTANT|SYSTEM|TOOL|CALL)\b)", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LISTING_NUMBER = re.compile(r"^ *\d{1,6}(?:→|\t)", re.MULTILINE)
_ORDER_TO_THE_MODEL = re.compile(
    r"(?i)\b(?:ignore|disregard|system:|instructions?|you (?:must|should|are|will)|assistant|important message|do not tell|before you|please|prompt)\b|指令|忽略|请"
)
"""Lines of tool output that speak to the model are not carried on: a poisoned page must not become a standing order."""
_LONGEST_SENTENCE = 260
_MAX_SENTENCES = 30
_DEFINITION = re.compile(
    r"(?:^|\\n|\n)[ \t+]*((?:(?:export|default|pub|public|private|protected|static|async|abstract|final) )*"
    r"(?:def|class|function|fn|func|interface|struct|enum|trait|impl|type|module|CREATE TABLE) [A-Za-z_][^\n\\]{3,140})"
)
_MAX_DEFINITIONS = 30
_OUTPUT_SENTENCES = 40
_OUTPUT_BREAK = re.compile(r"\n|\\n|(?<=[.!?])\s+(?=[A-Z])|(?<=[。！？])|\", |\"\}, ?\{")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence of a turn, a line of a tool's output (`TOOL`), or of code (`OUTLINE`)."""

    role: str
    text: str
    turn: int


def spoken_sentences(serialized: str) -> Iterator[Spoken]:
    """Yield the sentences of users and assistants and some lines of tool output, in order."""
    for turn, (role, text) in enumerate(_turns(_CONTROL.sub(" ", serialized))):
        yield from (Spoken("OUTLINE", line, turn) for line in _definitions(text))
        text = _ESCAPED.sub("", _CALL.sub("", text))
        if role == "TOOL":
            yield from (Spoken(role, line, turn) for line in _output_lines(text))
        elif role in ("USER", "ASSISTANT"):
            yield from (Spoken(role, one_line(sentence, _LONGEST_SENTENCE), turn) for sentence in _sentences(role, text))


def _turns(serialized: str) -> Iterator[tuple[str, str]]:
    marks = list(_MARK.finditer(serialized))
    if not marks:
        yield "ASSISTANT", serialized
        return
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        yield mark["role"], serialized[mark.end() : following.start() if following else len(serialized)]


def _sentences(role: str, text: str) -> list[str]:
    spoken = own_words(text)
    if role == "USER" and is_small_talk(spoken):
        return []
    found = sentences(spoken)
    return found if len(found) <= _MAX_SENTENCES else [*found[: _MAX_SENTENCES // 2], *found[-_MAX_SENTENCES // 2 :]]


def _definitions(text: str) -> list[str]:
    """The lines of code that name what it defines: the outline of a file that was read or written."""
    return [" ".join(found[1].split()).rstrip(" {:(") for found, _ in zip(_DEFINITION.finditer(text), range(_MAX_DEFINITIONS), strict=False)]


def _output_lines(text: str) -> list[str]:
    """The first and last sentences or lines of an output, without those that give orders."""
    pieces = (" ".join(piece.split()) for piece in _OUTPUT_BREAK.split(_LISTING_NUMBER.sub("", text)))
    lines = [line for line in pieces if 12 <= len(line) <= _LONGEST_SENTENCE]
    if len(lines) > _OUTPUT_SENTENCES:
        lines = [*lines[: _OUTPUT_SENTENCES // 2], *lines[-_OUTPUT_SENTENCES // 2 :]]
    return [line for line in lines if not _ORDER_TO_THE_MODEL.search(line) and constraint_strength(line) < 3]
