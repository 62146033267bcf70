"""The serialized turns read back: who said what."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import get_args

from netaclaw.compaction.ledger.cues import is_rule
from netaclaw.compaction.ledger.folding import folded, shortened
from netaclaw.compaction.ledger.orders import could_give_orders, gives_orders
from netaclaw.compaction.ledger.sentences import own_words, sentences
from netaclaw.compaction.ledger.statements import is_small_talk
from netaclaw.compaction.prompts import wording
from netaclaw.compaction.settings import Language

_MARK = re.compile(r"^\[(?P<role>USER|ASSISTANT|SYSTEM|TOOL)(?: [^\]\n]{0,120})?\](?: |$)", re.MULTILINE)
_CALL = re.compile(r"^\[CALL [^\]\n]{0,120}\].*$", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(?=\[(?:USER|ASSISTANT|SYSTEM|TOOL|CALL)\b)", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LISTING_NUMBER = re.compile(r"^ *\d{1,6}(?:→|\t)", re.MULTILINE)
_REQUEST_OR_ORDER = re.compile(r"(?i)\b(?:please|instructions?|assistant|prompt)\b|请|指令")
_LISTED_CODE = re.compile(r"^\s*\d{1,6}(?:  |\t|→| ?[|│])")
_COUNT = r"[\d,]{1,16}(?: of [\d,]{1,16})?"
_LEFT_OUT_MARK = re.compile(
    "|".join(_COUNT.join(map(re.escape, wording(spoken).left_out.split("{chars}"))) for spoken in get_args(Language))
)
_LONGEST_SENTENCE = 260
_MAX_SENTENCES = 30
_DEFINITION = re.compile(
    r"(?:^|\\n|\n)[ \t+]*((?:(?:export|default|pub|public|private|protected|static|async|abstract|final) )*"
    r"(?:def|class|function|fn|func|interface|struct|enum|trait|impl|type|module|CREATE TABLE) [A-Za-z_][^\n\\]{3,140})"
)
_IS_CODE = re.compile(
    r"\b(?:def|class|function|fn|func|interface|struct|enum|trait|impl|type|module|TABLE) "
    r"[\w.$]+(?: (?:extends|implements|is|for|struct|interface) [\w.$<>, ]{0,80}| < [\w:.]+$)? ?(?:[(:{<=;\[]|$)"
)
"""After the name of what it defines, code goes on with punctuation or ends."""
_MAX_DEFINITIONS = 30
_OUTPUT_SENTENCES = 40
_OUTPUT_BREAK = re.compile(r"\n|\\n|(?<=[.!?])\s+(?=[A-Z])|(?<=[。！？])|\", |\"\}, ?\{")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence of a turn, a line of a tool's output (`TOOL`), or of code (`OUTLINE`)."""

    role: str
    text: str
    turn: int


@dataclass(frozen=True, slots=True)
class Block:
    """One message of the serialized turns, without its calls and our marks of what was left out."""

    role: str
    text: str
    has_call: bool
    is_marked: bool = True
    """The text of nobody in particular stands without a mark."""


def blocks(serialized: str) -> Iterator[Block]:
    """Yield who said what, in order."""
    is_marked = bool(_MARK.search(serialized))
    for role, text in _turns(_CONTROL.sub(" ", serialized)):
        yield Block(role, _said(text), bool(_CALL.search(text)), is_marked)


def is_left_out_mark(line: str) -> bool:
    """Whether a line is nothing but our own note that something was cut."""
    return bool(_LEFT_OUT_MARK.fullmatch(line.strip()))


def spoken_sentences(serialized: str) -> Iterator[Spoken]:
    """Yield the sentences of users and assistants and some lines of tool output and code, in order."""
    for turn, (role, text) in enumerate(_turns(_CONTROL.sub(" ", serialized))):
        yield from (Spoken("OUTLINE", line, turn) for line in _definitions(role, text))
        said = _said(text)
        if role == "TOOL":
            yield from (Spoken(role, line, turn) for line in _output_lines(said))
        elif role in ("USER", "ASSISTANT"):
            yield from (Spoken(role, shortened(sentence, _LONGEST_SENTENCE), turn) for sentence in _sentences(role, said))


def _turns(serialized: str) -> Iterator[tuple[str, str]]:
    marks = list(_MARK.finditer(serialized))
    if not marks:
        yield "ASSISTANT", serialized
        return
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        yield mark["role"], serialized[mark.end() : following.start() if following else len(serialized)]


def _said(text: str) -> str:
    return _LEFT_OUT_MARK.sub("\n", _ESCAPED.sub("", _CALL.sub("", text)))


def _sentences(role: str, text: str) -> list[str]:
    spoken = own_words(text)
    if role == "USER" and is_small_talk(spoken):
        return []
    found = sentences(spoken)
    return found if len(found) <= _MAX_SENTENCES else [*found[: _MAX_SENTENCES // 2], *found[-_MAX_SENTENCES // 2 :]]


def _definitions(role: str, text: str) -> list[str]:
    """The lines of code that name what it defines: the outline of a file that was read or written.

    In a tool's output a line needs more than a word of code to be one: a sentence may begin with `class` or `type`, too.
    """
    lines = [folded(definition[1]) for definition in islice(_DEFINITION.finditer(text), _MAX_DEFINITIONS)]
    if role == "TOOL":
        lines = [line for line in lines if _IS_CODE.search(line) and not is_rule(line)]
    return [line.rstrip(" {:(") for line in _without_orders(lines, text)]


def _output_lines(text: str) -> list[str]:
    """The first and last sentences or lines of an output, without those that give orders."""
    split = _OUTPUT_BREAK.split(_LISTING_NUMBER.sub("", text))
    pieces = (folded(piece) for piece in split if not _LISTED_CODE.match(piece))
    lines = [line for line in pieces if 12 <= len(line) <= _LONGEST_SENTENCE]
    if len(lines) > _OUTPUT_SENTENCES:
        lines = [*lines[: _OUTPUT_SENTENCES // 2], *lines[-_OUTPUT_SENTENCES // 2 :]]
    lines = [line for line in lines if not _REQUEST_OR_ORDER.search(line) and not is_rule(line)]
    return _without_orders(lines, text)


def _without_orders(lines: list[str], text: str) -> list[str]:
    return [line for line in lines if not gives_orders(line)] if could_give_orders(text) else lines
