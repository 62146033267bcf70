"""What was said in a message, without what the system put around it: attached state, a summary that it was joined with."""

import re
from collections.abc import Iterator

from netaclaw.domain.messages import Message, Text

_STATE = re.compile(r"\s*<state>.*?</state>\s*", re.DOTALL)
_SUMMARY = re.compile(r"\[CONTEXT COMPACTION\](?P<body>.*?)(?:\[END OF CONTEXT COMPACTION\][^\n]*|\n\n(?!.*\n\n)|\Z)", re.DOTALL)
"""Up to its end mark; without one, only what stands behind the last blank line is not the summary's."""
_JOINED = "\n\n"


def own_words(newest: Message) -> str:
    """Return what the user wrote last: of a joined message (summary, then the request) only its end, without the attached state."""
    texts = [text for role, text in spoken_parts(newest) if role == newest.role]
    return texts[-1] if texts else ""


def spoken_parts(message: Message) -> Iterator[tuple[str, str]]:
    """Yield who speaks (a role, or `summary`) and what, in order."""
    if message.origin == "summary":
        yield "summary", message.text
        return
    text = _JOINED.join(part.text for part in message.parts if isinstance(part, Text))
    done = 0
    for summary in _SUMMARY.finditer(text) if message.role == "user" else ():
        yield from _said(message.role, text[done : summary.start()])
        yield "summary", summary["body"]
        done = summary.end()
    yield from _said(message.role, text[done:])


def _said(role: str, text: str) -> Iterator[tuple[str, str]]:
    """The state is attached to the end of a user's message: what follows it is another one."""
    yield from ((role, piece.strip()) for piece in (_STATE.split(text) if role == "user" else [text]) if piece.strip())
