"""Hides secrets, so that they reach neither the model that writes summaries nor the summary itself.

A secret becomes a short mark such as `[REDACTED:openai-key]`; the name of a key stays, its value goes. Linear in the text.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from netaclaw.compaction.secret_assignments import ASSIGNMENT_TRIGGERS, SHORT_TRIGGERS, assigned_secret, short_secret
from netaclaw.compaction.secret_patterns import IN_CONTEXT, VENDOR_KEYS, SecretPattern
from netaclaw.domain.messages import Message, Part, Text, ToolCall

_Span = tuple[int, int, str]

_MARK = "[REDACTED:"

_PEM_MARK = re.compile(r"-----(?P<side>BEGIN|END) (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BREAK = r"(?:[\s\"'+>|,]|\\[nrt])"
_PEM_CUT_BODY = re.compile(
    rf"(?:{_PEM_BREAK}{{1,16}}(?:[A-Za-z-]{{2,24}}: [^\n\\]{{0,120}}|[A-Za-z0-9+/=]{{16,}}))*"
    rf"(?:{_PEM_BREAK}{{1,16}}[A-Za-z0-9+/=]{{2,}}(?=\s*$))?"
)
_PEM_LINE = re.compile(r"[\s\"'+>|,]*[A-Za-z0-9+/=]{1,80}[\s\"'+>|,]*(?:\\n)?$")
_PEM_LINE_BREAK = re.compile(r"(?<=\n)|(?<=\\n)")
_LONGEST_KEY = 16_384
_LONGEST_LAST_LINE = 100
_BATCH_CHARS = 65_536
_CROSSES_LINES = "PRIVATE KEY"
_RECORD_MARK = "\x1e"
_BETWEEN = f"\n{_RECORD_MARK}\n"


def redact(text: str) -> str:
    """Return `text` with every secret replaced by a mark that says what it was. Doing it twice changes nothing more."""
    while (redacted := _redact_once(text)) != text:
        text = redacted
    return text


def redact_all(texts: Sequence[str]) -> list[str]:
    """Return what `redact` gives for each text. Short texts are searched together: asking each for every mark costs most."""
    redacted: list[str] = []
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= _BATCH_CHARS:
            redacted += _redact_batch(batch)
            batch, size = [], 0
    return redacted + _redact_batch(batch)


def redact_messages(messages: Sequence[Message], clean: Callable[[Sequence[str]], Sequence[str]] = redact_all) -> tuple[Message, ...]:
    """Return the messages with secrets hidden in their texts and arguments; one without secrets stays the same object."""
    cleaned = iter(clean([text for message in messages for text in map(_text_of, message.parts) if text]))
    return tuple([_with_texts(message, cleaned) for message in messages])


def _with_texts(message: Message, cleaned: Iterator[str]) -> Message:
    parts: list[Part] = []
    for part in message.parts:
        text = _text_of(part)
        clean_text = next(cleaned) if text else text
        if clean_text == text:
            parts.append(part)
        elif isinstance(part, ToolCall):
            parts.append(replace(part, arguments=clean_text))
        elif isinstance(part, Text):
            parts.append(replace(part, text=clean_text))
    same = all(new is old for new, old in zip(parts, message.parts, strict=True))
    return message if same else replace(message, parts=tuple(parts), tokens=None)


def _text_of(part: Part) -> str:
    return part.text if isinstance(part, Text) else part.arguments if isinstance(part, ToolCall) else ""


def _redact_batch(texts: Sequence[str]) -> list[str]:
    joined = _BETWEEN.join(texts)
    is_plain = _CROSSES_LINES not in joined and joined.count(_RECORD_MARK) == len(texts) - 1
    together = redact(joined).split(_BETWEEN) if is_plain else []
    return together if len(together) == len(texts) else [redact(text) for text in texts]  # a secret might cross a border


def _redact_once(text: str) -> str:
    spans = sorted(_spans(text), key=lambda span: (span[0], -span[1]))
    if not spans:
        return text
    pieces: list[str] = []
    done = 0
    for start, end, label in _merged(spans):
        pieces += (text[done:start], _MARK, label, "]")
        done = end
    return "".join([*pieces, text[done:]])


def _merged(spans: list[_Span]) -> Iterator[_Span]:
    """Join spans that overlap under the label of the one that begins first."""
    start, end, label = spans[0]
    for next_start, next_end, next_label in spans[1:]:
        if next_start < end:
            end = max(end, next_end)
            continue
        yield start, end, label
        start, end, label = next_start, next_end, next_label
    yield start, end, label


def _spans(text: str) -> Iterator[_Span]:
    if _CROSSES_LINES in text:
        yield from _private_keys(text)
    for pattern in VENDOR_KEYS:
        yield from _pattern_spans(text, pattern)
    for pattern in IN_CONTEXT:
        yield from _pattern_spans(text, pattern)
    yield from _assignment_spans(text)


def _pattern_spans(text: str, pattern: SecretPattern) -> Iterator[_Span]:
    for trigger in pattern.triggers:
        place = text.find(trigger)
        while place >= 0:
            found = pattern.regex.match(text, place)
            if found:
                yield *found.span("secret"), pattern.label
            place = text.find(trigger, found.end() if found else place + len(trigger))


def _assignment_spans(text: str) -> Iterator[_Span]:
    for triggers, find in ((ASSIGNMENT_TRIGGERS, assigned_secret), (SHORT_TRIGGERS, short_secret)):
        for trigger in triggers:
            place = text.find(trigger)
            while place >= 0:
                after = place + len(trigger)
                found = find(text, place, after)
                if found:
                    yield found
                place = text.find(trigger, max(after, found[1] if found else 0))


def _private_keys(text: str) -> Iterator[_Span]:
    """PEM blocks, whole or with their end or beginning cut off; what stands between two of them is no key."""
    begin: int | None = None
    done = 0
    for mark in _PEM_MARK.finditer(text):
        body_end = None if begin is None else _cut_key_end(text, done)
        is_begin = mark["side"] == "BEGIN"
        is_whole = body_end is not None and not is_begin and mark.start() - body_end <= _LONGEST_LAST_LINE
        if begin is not None and body_end is not None and not is_whole:
            yield begin, body_end, "private-key"
        if begin is not None and is_whole:
            yield begin, mark.end(), "private-key"
        elif not is_begin:
            yield _first_key_line(text, mark.start(), body_end or done), mark.end(), "private-key"
        begin = mark.start() if is_begin else None
        done = mark.end()
    if begin is not None:
        yield begin, _cut_key_end(text, done), "private-key"


def _cut_key_end(text: str, body_start: int) -> int:
    body = _PEM_CUT_BODY.match(text, body_start)
    return body.end() if body else body_start


def _first_key_line(text: str, end: int, floor: int) -> int:
    """Return where the lines of base64 begin that lead up to the END line at `end`."""
    *lines, unfinished = _PEM_LINE_BREAK.split(text[max(floor, end - _LONGEST_KEY) : end])
    if any(map(str.isalnum, unfinished)):
        return end
    start = end - len(unfinished)
    for line in reversed(lines):
        if line.strip() and not _PEM_LINE.match(line):
            break
        start -= len(line)
    return max(floor, start)
