"""Writes messages as a transcript that a provider accepts; a file is replaced whole or not at all."""

import errno
import gzip
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, BinaryIO

from netaclaw.compaction import detect_language, project
from netaclaw.domain.messages import Message
from netaclaw.errors import TranscriptError
from netaclaw.transcripts.anthropic_request import to_anthropic
from netaclaw.transcripts.collection_pause import collection_pause
from netaclaw.transcripts.json_text import json_text
from netaclaw.transcripts.neutral import to_neutral
from netaclaw.transcripts.notes import file_label, quote
from netaclaw.transcripts.openai_request import to_openai

_NAME_CHARS = 100


def write_transcript(messages: Sequence[Message], target: str | Path | IO[str], format: str = "neutral") -> None:  # noqa: A002
    """Repair the messages and write them to a file, a text stream, or standard output for `-`. Raises TranscriptError."""
    label = file_label(str(target)) if isinstance(target, str | Path) else "output"
    pieces_of = _WRITERS.get(format)
    if pieces_of is None:
        raise TranscriptError(label, f"{quote(format)} is no format that is written", f"use one of {', '.join(_WRITERS)}")
    with collection_pause():
        _write(pieces_of(project(messages, detect_language(messages))), target, label)


def _write(pieces: Iterator[str], target: str | Path | IO[str], label: str) -> None:
    if target == "-":
        _write_stream(sys.stdout, pieces)
        return
    if not isinstance(target, str | Path):
        _write_stream(target, pieces)
        return
    try:
        _write_file(Path(target), pieces)
    except FileNotFoundError as error:
        raise TranscriptError(label, "cannot be written: its folder does not exist", "make the folder") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise TranscriptError(label, f"cannot be written ({reason})", "choose another place") from error


def _neutral_pieces(messages: Sequence[Message]) -> Iterator[str]:
    return (f"{json_text(record)}\n" for record in to_neutral(messages))


def _openai_pieces(messages: Sequence[Message]) -> Iterator[str]:
    separator = "[\n"
    for record in to_openai(messages):
        yield f"{separator}{json_text(record)}"
        separator = ",\n"
    yield "\n]\n" if separator == ",\n" else "[]\n"


def _anthropic_pieces(messages: Sequence[Message]) -> Iterator[str]:
    yield f"{json_text(to_anthropic(messages))}\n"


_WRITERS: Mapping[str, Callable[[Sequence[Message]], Iterator[str]]] = {
    "neutral": _neutral_pieces,
    "openai": _openai_pieces,
    "anthropic": _anthropic_pieces,
}


def _write_stream(stream: IO[str], pieces: Iterator[str]) -> None:
    for piece in pieces:
        try:
            stream.write(piece)
        except UnicodeEncodeError:  # a stream that is not UTF-8
            stream.write(_in_ascii(piece))


def _in_ascii(piece: str) -> str:
    return "".join(char if char.isascii() else json.dumps(char)[1:-1] for char in piece)


def _write_file(path: Path, pieces: Iterator[str]) -> None:
    if path.exists() and not path.is_file():
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a directory")
        with path.open("w", encoding="utf-8", newline="\n") as device:  # a pipe or a device cannot be replaced
            _write_stream(device, pieces)
        return
    final = Path(os.path.realpath(path))
    temporary = final.with_name(f".{final.name[:_NAME_CHARS]}.{os.urandom(4).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            _write_bytes(file, pieces, is_gzip=final.suffix == ".gz")
        if final.exists():
            temporary.chmod(final.stat().st_mode)
        temporary.replace(final)
    finally:
        temporary.unlink(missing_ok=True)


def _write_bytes(file: BinaryIO, pieces: Iterator[str], *, is_gzip: bool) -> None:
    if not is_gzip:
        file.writelines(piece.encode() for piece in pieces)
        return
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
        packed.writelines(piece.encode() for piece in pieces)
