"""Warnings about faults that a reader lived with, and how foreign content is quoted in messages for people."""

from collections.abc import Mapping

from netaclaw.transcripts.base import Record
from netaclaw.transcripts.json_text import json_text

_NOTED_PER_KIND = 20
_QUOTED_CHARS = 40


class Notes:
    """Collects warnings while one transcript is read; after 20 of one kind they are only counted."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._noted: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}

    def add(self, kind: str, what: str, where: Record | int | None = None) -> None:
        """Note one fault. `kind` is a plural noun for the count of the rest, `where` a record or a line number."""
        count = self._counts.get(kind, 0) + 1
        self._counts[kind] = count
        if count <= _NOTED_PER_KIND:
            self._noted.setdefault(kind, []).append(f"{self._label}{_place(where)}: {what}")

    def texts(self) -> tuple[str, ...]:
        """Return the warnings, grouped by kind in the order in which the kinds first occurred."""
        texts: list[str] = []
        for kind, noted in self._noted.items():
            texts.extend(noted)
            more = self._counts[kind] - len(noted)
            if more:
                texts.append(f"{self._label}: and {more} more {kind}")
        return tuple(texts)


def quote(text: str) -> str:
    """Return foreign text as one short printable piece in quotation marks."""
    shown = printable(text[:_QUOTED_CHARS])
    return f"'{shown}…'" if len(text) > _QUOTED_CHARS else f"'{shown}'"


def describe(value: object) -> str:
    """Return a foreign value in few words: texts quoted, numbers as they are, anything larger by its kind."""
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, list):
        return "an array"
    return "an object" if isinstance(value, Mapping) else json_text(value)[:_QUOTED_CHARS]


def file_label(path: str) -> str:
    """Return a path as it is shown in messages: printable and whole, so that it can be found again."""
    return printable(path) or "''"


def printable(text: str) -> str:
    """Replace line breaks, control characters and lone surrogates."""
    return text if text.isprintable() else "".join(char if char.isprintable() else "?" for char in text)


def _place(where: Record | int | None) -> str:
    if where is None:
        return ""
    if isinstance(where, int):
        return f":{where}"
    return f":{where.line}" if where.line is not None else f": message {where.number}"
