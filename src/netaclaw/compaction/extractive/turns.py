"""The serialized turns read back: who said what."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from netaclaw.compaction.ledger.cues import constraint_strength
from netaclaw.compaction.ledger.orders import gives_orders
from netaclaw.compaction.ledger.sentences import one_line, own_words, sentences
from netaclaw.compaction.ledger.statements import is_small_talk

_MARK = re.compile(r"^\[(?P<role>USER|ASSISTANT|SYSTEM|TOOL)(?: [^\]\n]{0,120})?\](?: |$)", re.MULTILINE)
_CALL = re.compile(r"^\[CALL [^\]\n]{0,120}\].*$", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(?=\[(?:USER|ASSISTANT|SYSTEM|TOOL|CALL)\b)", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LISTING_NUMBER = re.compile(r"^ *\d{1,6}(?:→|\t)", re.MULTILINE)
_REQUEST_OR_ORDER = re.compile(r"(?i)\b(?:please|instructions?|assistant|prompt)\b|请|指令")
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
    """Yield the sentences of users and assistants and some lines of tool output and code, in order."""
    for turn, (role, text) in enumerate(_turns(_CONTROL.sub(" ", serialized))):
        yield from (Spoken("OUTLINE", line, turn) for line in _definitions(text))
        said = _ESCAPED.sub("", _CALL.sub("", text))
        if role == "TOOL":
            yield from (Spoken(role, line, turn) for line in _output_lines(said))
        elif role in ("USER", "ASSISTANT"):
            yield from (Spoken(role, one_line(sentence, _LONGEST_SENTENCE), turn) for sentence in _sentences(role, said))


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
    found = islice(_DEFINITION.finditer(text), _MAX_DEFINITIONS)
    return [" ".join(definition[1].split()).rstrip(" {:(") for definition in found]


def _output_lines(text: str) -> list[str]:
    """The first and last sentences or lines of an output, without those that give orders."""
    pieces = (" ".join(piece.split()) for piece in _OUTPUT_BREAK.split(_LISTING_NUMBER.sub("", text)))
    lines = [line for line in pieces if 12 <= len(line) <= _LONGEST_SENTENCE]
    if len(lines) > _OUTPUT_SENTENCES:
        lines = [*lines[: _OUTPUT_SENTENCES // 2], *lines[-_OUTPUT_SENTENCES // 2 :]]
    return [line for line in lines if not (_REQUEST_OR_ORDER.search(line) or gives_orders(line) or constraint_strength(line) == 3)]
