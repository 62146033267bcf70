"""Sentences of a text, in Chinese and English."""

import re

_SCAN_CHARS = 6_000

_NOT_OWN = re.compile(
    r"```.*?(?:```|\Z)"
    r"|<(?P<note>system-reminder|local-command-[a-z]{1,40}|command-[a-z]{1,40}|environment_context|task-notification)>.*?(?:</(?P=note)>|\Z)",
    re.DOTALL,
)
"""A block of code or the note of a machine, whichever begins first; one that does not end reaches to the end of the text."""
_REST_OF_NOTE = re.compile(
    r".*</(?:system-reminder|local-command-[a-z]{1,40}|command-[a-z]{1,40}|environment_context|task-notification)>", re.DOTALL
)
"""What a cut has left of a note, up to the mark of its end."""
_LEFT_OUT = re.compile(r"^\[\.\.\. [^\n]{0,60} \.\.\.\]$", re.MULTILINE)
_BREAK = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？；!?…])|\n+")
_BULLET = re.compile(r"^(?:\s|[-*•>#|]|\d{1,2}[.)、](?=\D))+|[\s|]+$|\*\*")
_LOG_OR_CODE = re.compile(
    r"^\s*(?:\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d|at \S+ \(|File \"|[{}<>$]"
    r"|#include|import |from \S+ import|def |class |return |const |let |var |\d+ ?[│|→]|[\w.]+ [+*-]?= .*\(|[\w.]+\([^)]*\);?$|.*[({\[]$)"
)


def own_words(text: str) -> str:
    """Return what a person wrote themselves: without code blocks and the notes of machines, long texts cut in the middle."""
    if "<" in text or "```" in text:
        text = _NOT_OWN.sub("\n", text)
        if "</" in text:
            first, *rest = _LEFT_OUT.split(text)
            text = "\n".join([first, *map(_without_rest_of_note, rest)])
    return text if len(text) <= 2 * _SCAN_CHARS else f"{text[:_SCAN_CHARS]}\n{text[-_SCAN_CHARS:]}"


def _without_rest_of_note(text: str) -> str:
    found = _REST_OF_NOTE.match(text)
    return text[found.end() :] if found else text


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
