"""Reads a transcript of any known format, chosen by its content."""

from pathlib import Path

from netaclaw.errors import TranscriptError
from netaclaw.transcripts.anthropic import AnthropicReader
from netaclaw.transcripts.base import Document, Reader
from netaclaw.transcripts.claude_code import ClaudeCodeReader
from netaclaw.transcripts.collection_pause import collection_pause
from netaclaw.transcripts.json_document import parse_document
from netaclaw.transcripts.neutral import NeutralReader
from netaclaw.transcripts.notes import Notes, quote
from netaclaw.transcripts.openai import OpenAIReader
from netaclaw.transcripts.pairing import note_pairing
from netaclaw.transcripts.pi import PiReader
from netaclaw.transcripts.recognise import what_document_looks_like
from netaclaw.transcripts.source import load_text, source_label
from netaclaw.transcripts.transcript import Transcript

READERS: tuple[Reader, ...] = (ClaudeCodeReader(), PiReader(), AnthropicReader(), OpenAIReader(), NeutralReader())
"""Asked in this order: the form that is the easiest to tell comes first."""

FORMATS: tuple[str, ...] = ("neutral", "openai", "anthropic", "pi", "claude-code")
"""Names of the formats that are read."""

_AUTO = "auto"


def read_transcript(source: str | Path, format: str = _AUTO) -> Transcript:  # noqa: A002
    """Read a transcript from a file, or from standard input for `-`. Raises TranscriptError where no message can be read."""
    label = source_label(source)
    named = _named_reader(format, label)
    with collection_pause():
        return _read(source, named, label)


def _read(source: str | Path, named: Reader | None, label: str) -> Transcript:
    notes = Notes(label)
    text = load_text(source, notes, label)
    try:
        document = parse_document(text, label, notes)
        reader = named or _recognised_reader(document, label)
        placed = reader.read(document, notes)
    except RecursionError as error:
        raise TranscriptError(label, "is nested too deep to be read", "give a transcript that is not") from error
    if not placed:
        remedy = "give another file" if named is None else "leave the format to be recognised"
        raise TranscriptError(label, f"holds no message of the form {reader.name}", remedy)
    note_pairing(placed, notes)
    return Transcript(tuple(message for _, message in placed), reader.name, notes.texts())


def _named_reader(name: str, label: str) -> Reader | None:
    if name == _AUTO:
        return None
    for reader in READERS:
        if reader.name == name:
            return reader
    raise TranscriptError(label, f"{quote(name)} is no known format", f"use {_AUTO} or one of {', '.join(FORMATS)}")


def _recognised_reader(document: Document, label: str) -> Reader:
    for reader in READERS:
        if reader.sniff(document):
            return reader
    form = what_document_looks_like(document)
    what = f"looks like {form}; this version does not read it" if form else "holds no messages of a known form"
    raise TranscriptError(label, what, f"give one of {', '.join(FORMATS)}")
