"""From text to records: JSON Lines with faults lived with line by line, or one whole JSON value that must be sound."""

import json
import re
from typing import Any

from netaclaw.errors import TranscriptError
from netaclaw.transcripts.base import Document, Record
from netaclaw.transcripts.json_text import decode_json
from netaclaw.transcripts.notes import Notes, describe, quote
from netaclaw.transcripts.recognise import what_text_looks_like
from netaclaw.transcripts.source import BLANK

_GIVE_JSON = "give a JSON or JSONL transcript"
_NOT_BLANK = re.compile(f"[^{BLANK}]")
_TOO_DEEP = "is nested too deep to be read"


def parse_document(text: str, label: str, notes: Notes) -> Document:
    """Return the records of a file. Raises TranscriptError where there are none or the one JSON value is broken."""
    start = _after_blank(text, 0)
    try:
        value, end = decode_json(text, start)
    except (json.JSONDecodeError, RecursionError) as error:
        return _lines_despite(error, text, start, label, notes)
    rest = text[end:].strip(BLANK)
    if rest and not isinstance(value, list):
        document = _parse_spread_values(text, start, notes) if "\n" in text[start:end] else _parse_lines(text, notes)
        if document.records:
            return document
    if rest:
        notes.add("pieces of text after the JSON value", "the text after the JSON value was left out", text.count("\n", 0, end) + 1)
    return _whole(value, "\n" in text[start:end], label, notes)


def _lines_despite(error: Exception, text: str, start: int, label: str, notes: Notes) -> Document:
    """Read JSON Lines whose first line is broken; a whole-file value that is broken is an error that names its line."""
    if not _opens_a_whole_value(text, start) and _has_sound_line(text):
        return _parse_lines(text, notes)
    if isinstance(error, RecursionError):
        raise TranscriptError(label, _TOO_DEEP, _GIVE_JSON) from error
    if text[start] not in "{[":
        form = what_text_looks_like(text[start:])
        what = f"looks like {form}, not JSON" if form else f"is not JSON; it starts with {quote(text[start:])}"
        raise TranscriptError(label, what, _GIVE_JSON, text.count("\n", 0, start) + 1) from error
    raise _broken_json(error, text, label) from error


def _opens_a_whole_value(text: str, start: int) -> bool:
    """Whether the first line only opens an array or object, so that objects on later lines are parts of it."""
    first_line = text[start : _line_end(text, start)].rstrip(BLANK)
    if text[start] == "[" and (first_line.endswith(",") or first_line.startswith("[{")):
        return True
    return text[start] in "{[" and first_line.endswith(("[", "{"))


def _has_sound_line(text: str) -> bool:
    """Whether some line is one JSON object from its first column to its end, as in JSON Lines."""
    return any(line.startswith("{") and _is_one_object(line.rstrip(BLANK)) for line in text.split("\n"))


def _is_one_object(line: str) -> bool:
    try:
        return decode_json(line)[1] == len(line)
    except (json.JSONDecodeError, RecursionError):
        return False


def _broken_json(error: Exception, text: str, label: str) -> TranscriptError:
    position = error.pos if isinstance(error, json.JSONDecodeError) else len(text)
    reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    end = len(text.rstrip(BLANK))
    if position >= end or reason.startswith("Unterminated string"):
        return TranscriptError(label, "the JSON ends early", "give the whole file", text.count("\n", 0, end) + 1)
    column = position - text.rfind("\n", 0, position)
    return TranscriptError(label, f"is no valid JSON at column {column} ({reason})", "mend it there", text.count("\n", 0, position) + 1)


def _after_blank(text: str, start: int) -> int:
    found = _NOT_BLANK.search(text, start)
    return found.start() if found else len(text)


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _whole(value: Any, is_spread: bool, label: str, notes: Notes) -> Document:
    if isinstance(value, dict):
        record = Record(value, 1, None if is_spread else 1)
        return Document("object" if is_spread or "messages" in value else "lines", (record,))
    if not isinstance(value, list):
        raise TranscriptError(label, f"holds only {describe(value)}, no messages", _GIVE_JSON)
    for number, element in enumerate(value, start=1):
        if not isinstance(element, dict):
            notes.add("elements that are no objects", f"element {number} is no object and was left out")
    records = tuple(Record(element, number) for number, element in enumerate(value, start=1) if isinstance(element, dict))
    if not records:
        raise TranscriptError(label, "holds an array without messages", _GIVE_JSON)
    return Document("array", records)


def _parse_lines(text: str, notes: Notes) -> Document:
    records: list[Record] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip(BLANK)
        if not line:
            continue
        try:
            value, end = decode_json(line)
        except (json.JSONDecodeError, RecursionError) as error:
            notes.add("lines that are no JSON", _bad_line(error, line), number)
            continue
        values = [value] if end == len(line) else [value, *_glued_values(line, end, number, notes)]
        for found in values:
            if isinstance(found, dict):
                records.append(Record(found, len(records) + 1, number))
            else:
                notes.add("lines that are no objects", f"holds {describe(found)}, no object; it was left out", number)
    return Document("lines", tuple(records))


def _parse_spread_values(text: str, start: int, notes: Notes) -> Document:
    """Read JSON values that follow each other and span several lines each, as `jq` prints them."""
    records: list[Record] = []
    line = 1 + text.count("\n", 0, start)
    while start < len(text):
        try:
            value, end = decode_json(text, start)
        except (json.JSONDecodeError, RecursionError):
            notes.add("pieces of text after a JSON value", f"the text from {quote(text[start:])} on was left out", line)
            break
        if isinstance(value, dict):
            records.append(Record(value, len(records) + 1, line))
        else:
            notes.add("values that are no objects", f"holds {describe(value)}, no object; it was left out", line)
        next_start = _after_blank(text, end)
        line += text.count("\n", start, next_start)
        start = next_start
    return Document("lines", tuple(records))


def _bad_line(error: Exception, line: str) -> str:
    if isinstance(error, RecursionError):
        return "is nested too deep; it was left out"
    return f"is no valid JSON ({quote(line)}); it was left out"


def _glued_values(line: str, end: int, number: int, notes: Notes) -> list[Any]:
    """Return further JSON values that a lost line break left on the same line."""
    values: list[Any] = []
    while end < len(line):
        start = _after_blank(line, end)
        try:
            value, end = decode_json(line, start)
        except (json.JSONDecodeError, RecursionError):
            notes.add("lines with text after the JSON value", f"the text {quote(line[start:])} after the JSON value was left out", number)
            break
        values.append(value)
    if values:
        notes.add("lines with several JSON values", f"{len(values) + 1} JSON values on one line were read one by one", number)
    return values
