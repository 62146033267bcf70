"""The one user message that stands for what was compacted: preamble, body, end marker; and how to read it back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

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
_FIRST_LINES = tuple(words.preamble.partition("\n")[0] for words in ALL_WORDINGS)


def summary_message(body: str, language: Language, *, has_recall: bool = False) -> Message:
    """Return the message that carries a summary in the context; `has_recall`: whether the agent can fetch originals."""
    preamble, end_marker = _frame(language, has_recall=has_recall)
    return text_message("user", f"{preamble}{plain_body(body)}{end_marker}", origin="summary")


def plain_body(text: str) -> str:
    """Return the body of a summary: a preamble before it and an end marker behind it are taken off, marks inside defused."""
    body = text.strip()
    if body.startswith(_FIRST_LINES):
        body = body.partition(_BLANK_LINE)[2]
    for words in ALL_WORDINGS:
        body = body.removesuffix(words.end_marker)
    return body.replace(_END, "(END OF CONTEXT COMPACTION)").replace(_START, "(CONTEXT COMPACTION)").strip()


def split_summaries(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages with each summary of ours as a message of its own, cut out of the user text it was joined with.

    A frame is ours where `join_neighbours` puts it, whole: at the start of a text, or behind the user text of a head. Joined again,
    the pieces give the same bytes. A user who quotes a frame only quotes it.
    """
    split: list[Message] = []
    turns = 0
    for message in messages:
        turns += message.role in ("user", "assistant")
        if message.role == "user" and message.origin == "conversation" and _START in message.text:
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


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int


def _frame(language: Language, *, has_recall: bool) -> tuple[str, str]:
    words = wording(language)
    hint = f" {words.recall_hint}" if has_recall else ""
    return f"{words.preamble}{hint}{_BLANK_LINE}", f"{_BLANK_LINE}{words.end_marker}"


_FRAMES = tuple(_frame(language, has_recall=has_recall) for language in ("zh", "en") for has_recall in (False, True))


def _pieces(message: Message, *, may_follow_text: bool) -> list[Message]:
    pieces: list[Message] = []
    waiting: list[Part] = []
    for part in message.parts:
        spans = list(_summaries(part.text, may_follow_text=may_follow_text)) if isinstance(part, Text) and part.extra is None else []
        if not spans or not isinstance(part, Text):
            waiting.append(part)
            continue
        end = 0
        for span in spans:
            waiting += _text(part.text[end : span.start].removesuffix(_BLANK_LINE))
            pieces += _user_message(message, waiting)
            pieces.append(text_message("user", part.text[span.start : span.end], origin="summary"))
            waiting, end = [], span.end
        waiting += _text(part.text[end:].removeprefix(_BLANK_LINE))
    return [*pieces, *_user_message(message, waiting)] if pieces else [message]


def _summaries(text: str, *, may_follow_text: bool) -> Iterator[_Span]:
    """Find whole frames, each bordered by blank lines or the text's ends. Linear: a mark without its end is the last one tried."""
    place = 0
    while (start := text.find(_START, place)) >= 0:
        place = start + 1
        if start > 0 and not (may_follow_text and text.endswith(_BLANK_LINE, 0, start)):
            continue
        for preamble, end_marker in _FRAMES:
            if not text.startswith(preamble, start):
                continue
            found = text.find(end_marker, start + len(preamble) - len(_BLANK_LINE))
            if found < 0:
                return
            end = found + len(end_marker)
            if end == len(text) or text.startswith(_BLANK_LINE, end):
                yield _Span(start, end)
                place = end
            break


def _text(text: str) -> list[Part]:
    return [Text(text)] if text.strip() else []


def _user_message(message: Message, parts: Sequence[Part]) -> list[Message]:
    return [replace(message, parts=tuple(parts), tokens=None)] if parts else []
