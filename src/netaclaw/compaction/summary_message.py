"""The one user message that stands for what was compacted: preamble, body, end marker; and how to read it back."""

import re
from collections.abc import Sequence
from dataclasses import replace

from netaclaw.compaction.prompts import ALL_WORDINGS, wording
from netaclaw.compaction.settings import Language
from netaclaw.domain.messages import Message, Part, Text, text_message

SUMMARY_FRAME_TOKENS = 150
"""About the size of preamble and end marker, by either counter and in either language."""

_BLANK_LINE = "\n\n"
"""What `join_neighbours` puts between two texts."""
_LONGEST_HEAD = 12
"""User and assistant messages among which a head can end (`protect_first_n` is 10 at the most in the server)."""
_END = "[END OF CONTEXT COMPACTION]"
_START = "[CONTEXT COMPACTION]"
_FIRST_LINES = "|".join(re.escape(words.preamble.partition("\n")[0]) for words in ALL_WORDINGS)
_END_LINES = "|".join(re.escape(words.end_marker) for words in ALL_WORDINGS)
_SUMMARY = re.compile(rf"^(?:{_FIRST_LINES})\n(?:[^\n]+\n)*\n(?P<body>.*?)(?:^(?:{_END_LINES})$|\Z)", re.MULTILINE | re.DOTALL)


def summary_message(body: str, language: Language, *, has_recall: bool = False) -> Message:
    """Return the message that carries a summary in the context."""
    words = wording(language)
    preamble = f"{words.preamble}{' ' if has_recall else ''}{words.recall_hint if has_recall else ''}"
    return text_message("user", f"{preamble}\n\n{plain_body(body)}\n\n{words.end_marker}", origin="summary")


def plain_body(text: str) -> str:
    """Return the body of a summary: preambles and end markers that a model repeated are taken off, marks inside defused."""
    found = _SUMMARY.search(text)
    body = found["body"] if found else text
    return body.replace(_END, "(END OF CONTEXT COMPACTION)").replace(_START, "(CONTEXT COMPACTION)").strip()


def split_summaries(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages with each summary of ours as a message of its own, cut out of the user text it was joined with.

    A frame is ours where `join_neighbours` puts it: at the start of a text, or behind the user text of a head. Further down a
    user who quotes a frame only quotes it.
    """
    split: list[Message] = []
    turns = 0
    for message in messages:
        turns += message.role in ("user", "assistant")
        if message.role == "user" and message.origin != "notice" and _START in message.text:
            split.extend(_pieces(message, may_follow_text=turns <= _LONGEST_HEAD))
        else:
            split.append(message)
    return tuple(split)


def is_our_summary(message: Message) -> bool:
    """Whether a message is a summary that this engine wrote, and nothing else."""
    return message.origin == "summary" and message.text.startswith(_START)


def summary_body(message: Message) -> str:
    """Return the body of a summary message, ours or one of another product."""
    return plain_body(message.text)


def _pieces(message: Message, *, may_follow_text: bool) -> list[Message]:
    if message.origin == "summary":
        return [message]
    pieces: list[Message] = []
    waiting: list[Part] = []
    for part in message.parts:
        if not isinstance(part, Text) or _START not in part.text:
            waiting.append(part)
            continue
        end = 0
        for found in _SUMMARY.finditer(part.text):
            if found.start() > 0 and not may_follow_text:
                break
            waiting += _text(part.text[end : found.start()].removesuffix(_BLANK_LINE))
            pieces += _user_message(message, waiting)
            pieces.append(text_message("user", found[0], origin="summary"))
            waiting, end = [], found.end()
        waiting += [part] if end == 0 else _text(part.text[end:].removeprefix(_BLANK_LINE))
    return [*pieces, *_user_message(message, waiting)] if pieces else [message]


def _text(text: str) -> list[Part]:
    return [Text(text)] if text.strip() else []


def _user_message(message: Message, parts: Sequence[Part]) -> list[Message]:
    return [replace(message, parts=tuple(parts), tokens=None, origin="conversation")] if parts else []
