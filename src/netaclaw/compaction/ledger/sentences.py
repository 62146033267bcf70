"""Sentences of a text, in Chinese and English."""

import re

_SCAN_CHARS = 6_000
_LONGEST = 300

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MACHINE = re.compile(
    r"<(system-reminder|local-command-[a-z]+|command-[a-z]+|environment_context|task-notification)>.*?(?:</\1>|\Z)", re.DOTALL
)
_BREAK = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？；!?…])|\n+")
_BULLET = re.compile(r"^(?:\s|[-*•>#|]|\d{1,2}[.)、](?=\D))+|[\s|]+$|\*\*")
_LOG_OR_CODE = re.compile(
    r"^\s*(?:\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d|at \S+ \(|File \"|[{}<>$]"
    r"|#include|import |from \S+ import|def |class |return |const |let |var |\d+ ?[│|→]|[\w.]+ [+*-]?= .*\(|[\w.]+\([^)]*\);?$|.*[({\[]$)"
)


def own_words(text: str) -> str:
    """Return what a person wrote themselves: without code blocks and the notes of machines, long texts cut in the middle."""
    if len(text) > 2 * _SCAN_CHARS:
        text = f"{text[:_SCAN_CHARS]}\n{text[-_SCAN_CHARS:]}"
    if "<" in text:
        text = _MACHINE.sub("\n", text)
    return _FENCE.sub("\n", text) if "```" in text else text


def sentences(text: str) -> list[str]:
    """Split a text at sentence ends and lines; list marks are taken off, lines of code and logs left out."""
    found = []
    for piece in _BREAK.split(text):
        if not piece or piece.isspace() or _LOG_OR_CODE.match(piece):
            continue
        sentence = " ".join(_BULLET.sub("", piece).split())
        if len(sentence) >= 2:
            found.append(sentence)
    return found


def one_line(text: str, limit: int = _LONGEST) -> str:
    """Return a text as one line of at most `limit` characters; the middle of a longer one is left out."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    head = limit * 2 // 3
    return f"{line[:head]} … {line[len(line) - limit + head :]}"
