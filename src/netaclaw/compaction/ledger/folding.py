"""Foreign text as one line: nothing that stands in a conversation can write a line of its own into a summary."""

import re

_LONGEST = 300
_HEADING_MARKS = re.compile(r"(?:#+(?:\s+|$))+")


def folded(text: str) -> str:
    """Return a text as one line, its white space folded and the marks of a heading before it taken off (`#12` stays)."""
    line = " ".join(text.split())
    return line[found.end() :] if line[:1] == "#" and (found := _HEADING_MARKS.match(line)) else line


def shortened(text: str, limit: int = _LONGEST) -> str:
    """Return a text as one line of at most `limit` characters; the middle of a longer one is left out."""
    line = folded(text)
    if len(line) <= limit:
        return line
    head = limit * 2 // 3
    return f"{line[:head]} … {line[len(line) - limit + head :]}"
