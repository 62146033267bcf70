"""The tool `read_file`: numbered lines of a text file in the workspace."""

import asyncio
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from netaclaw.tools.base import OUTPUT_LIMIT_BYTES, Arguments, ToolContext, ToolOutput, failure
from netaclaw.tools.output import clean, lines_of
from netaclaw.tools.workspace import open_regular, resolve, shown

_SAMPLE_BYTES = 64_000
_SCAN_BYTES = 200_000_000
"""Where counting lines stops."""
_LINE_BYTES = 20_000
"""A longer line is read in pieces."""
_HEAD_BYTES = int(OUTPUT_LIMIT_BYTES * 0.75)
_TAIL_BYTES = int(OUTPUT_LIMIT_BYTES * 0.2)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Reads a file, whole or by lines; a long one shows its head and its end."""

    name: str = "read_file"
    description: str = (
        "Read a text file of the workspace. Lines come numbered. Large files show their beginning and end; "
        "read the rest with start_line and end_line."
    )
    is_parallel: bool = True
    is_protected: bool = False

    @property
    def parameters(self) -> Arguments:
        """See Tool."""
        return {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Path relative to the workspace."},
                "start_line": {"type": "integer", "minimum": 1, "description": "First line, from 1."},
                "end_line": {"type": "integer", "minimum": 1, "description": "Last line, included."},
            },
            "required": ["path"],
        }

    def one_line(self, arguments: Arguments, output: str) -> str:
        """See Tool."""
        return f"read_file {_range(arguments)} · {lines_of(output)} lines, {len(output):,} characters"

    def dedup_key(self, arguments: Arguments) -> str | None:
        """See Tool."""
        return _range(arguments)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """See Tool."""
        return await asyncio.to_thread(_read, arguments, context)


def _read(arguments: Arguments, context: ToolContext) -> ToolOutput:
    path = resolve(context, arguments["path"])
    if isinstance(path, ToolOutput):
        return path
    name = shown(context, path)
    if path.is_dir():
        return failure(f"{name!r} is a folder; use list_files.")
    try:
        with open_regular(path) as file:
            return _text_of(file, name, arguments.get("start_line", 1), arguments.get("end_line"))
    except OSError:
        return failure(f"{name!r} cannot be read: it is no regular file, or the server has no rights to it.")


def _text_of(file: BinaryIO, name: str, first: int, last: int | None) -> ToolOutput:
    if last is not None and last < first:
        return failure(f"end_line {last} lies before start_line {first}.")
    sample = file.read(_SAMPLE_BYTES)
    size = file.seek(0, 2)
    file.seek(0)
    if b"\0" in sample:
        return ToolOutput(f"{name} is a binary file ({_kind(sample)}, {size:,} bytes); it is not shown.")
    if not size:
        return ToolOutput(f"{name} is empty.")
    picked = _pick(_lines(file, _encoding(sample)), first, last)
    if picked.total < first:
        return failure(f"{name} has {picked.total} lines; start_line {first} lies behind its end.")
    return ToolOutput(clean(picked.text(name, first, last)))


@dataclass(frozen=True, slots=True)
class _Picked:
    head: tuple[str, ...]
    tail: tuple[str, ...]
    gap: tuple[int, int] | None
    """First and last line left out."""
    total: int

    def text(self, name: str, first: int, last: int | None) -> str:
        lines = list(self.head)
        if self.gap:
            lines.append(f"[lines {self.gap[0]} to {self.gap[1]} left out; read them with start_line and end_line]")
        lines += self.tail
        if first > 1 or (last is not None and last < self.total):
            lines.append(f"[{name}: lines {first} to {min(last or self.total, self.total)} of {self.total}]")
        return "\n".join(lines)


def _pick(lines: Iterator[tuple[int, str]], first: int, last: int | None) -> _Picked:
    """Keep the first bytes and the last bytes of the range; what lies between is counted, not held."""
    head: list[str] = []
    tail: deque[tuple[int, str, int]] = deque()
    head_bytes = tail_bytes = total = 0
    gap: tuple[int, int] | None = None
    for number, line in lines:
        total = number
        if number < first or (last is not None and number > last):
            continue
        shown_line = f"{number}\t{line}"
        size = len(shown_line.encode(errors="replace")) + 1
        if not tail and head_bytes + size <= _HEAD_BYTES:
            head.append(shown_line)
            head_bytes += size
            continue
        tail.append((number, shown_line, size))
        tail_bytes += size
        while tail_bytes > _TAIL_BYTES and len(tail) > 1:
            dropped, _, dropped_size = tail.popleft()
            tail_bytes -= dropped_size
            gap = (gap[0] if gap else dropped, dropped)
    return _Picked(tuple(head), tuple(text for _, text, _ in tail), gap, total)


def _lines(file: BinaryIO, encoding: str) -> Iterator[tuple[int, str]]:
    """Yield numbered lines; a very long line comes in pieces of one number."""
    number = 1
    scanned = 0
    while scanned < _SCAN_BYTES and (raw := file.readline(_LINE_BYTES)):
        scanned += len(raw)
        yield number, raw.decode(encoding, errors="replace").rstrip("\r\n")
        number += raw.endswith(b"\n")


def _encoding(sample: bytes) -> str:
    """UTF-8, else GB 18030 (what Chinese Windows writes) where the sample is valid in it, else UTF-8 with replacements."""
    if sample.startswith(b"\xef\xbb\xbf"):
        return "utf-8-sig"
    for encoding in ("utf-8", "gb18030"):
        try:
            sample[: sample.rfind(b"\n") + 1 or None].decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "utf-8"


def _kind(sample: bytes) -> str:
    known = {
        b"\x89PNG": "PNG picture",
        b"\xff\xd8\xff": "JPEG picture",
        b"%PDF": "PDF",
        b"PK\x03\x04": "ZIP archive",
        b"\x7fELF": "ELF program",
    }
    known |= {b"SQLite format 3": "SQLite database", b"\x1f\x8b": "gzip archive", b"GIF8": "GIF picture"}
    return next((kind for start, kind in known.items() if sample.startswith(start)), "unknown type")


def _range(arguments: Arguments) -> str:
    path = Path(str(arguments.get("path", ""))).as_posix()
    first, last = arguments.get("start_line"), arguments.get("end_line")
    return path if first is None and last is None else f"{path}:{first or 1}-{last or ''}"
