"""The process that `search_files` starts: reads a query as JSON from standard input, writes the matches to standard output."""

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from netaclaw.tools.workspace import IGNORED_FOLDERS, matches, open_regular

_MAX_MATCHES = 200
_MAX_OUTPUT_CHARS = 45_000
_MAX_FILE_BYTES = 5_000_000
_MAX_LINE_CHARS = 300
_SAMPLE_BYTES = 8_000


@dataclass(frozen=True, slots=True)
class Query:
    """What to search, and how long."""

    root: str
    """The workspace, resolved."""
    start: str
    """File or folder inside it, resolved."""
    pattern: str
    glob: str = ""
    ignore_case: bool = False
    max_seconds: float = 10.0


def main() -> None:
    """Answer one query."""
    query = Query(**json.loads(sys.stdin.buffer.read()))
    sys.stdout.buffer.write(search(query).encode("utf-8", "replace"))


def search(query: Query) -> str:
    """Return the matches as `path:line: text`, and a note where a limit was met."""
    deadline = time.monotonic() + query.max_seconds
    expression = re.compile(query.pattern, re.IGNORECASE if query.ignore_case else 0)
    lines: list[str] = []
    chars = files = 0
    for path in _files(query):
        if time.monotonic() > deadline:
            return _joined(lines, f"stopped after {query.max_seconds:.0f} s and {files} files; narrow path or glob")
        files += 1
        for match in _matches(path, expression, query.root):
            lines.append(match)
            chars += len(match) + 1
            if len(lines) >= _MAX_MATCHES or chars > _MAX_OUTPUT_CHARS:
                return _joined(lines, f"stopped after {len(lines)} matches; use a narrower pattern, path or glob")
    return "\n".join(lines) if lines else f"No match in {files} files."


def _files(query: Query) -> Iterator[Path]:
    start = Path(query.start)
    if not start.is_dir():
        yield start
        return
    for folder, names, files in os.walk(start):  # links to folders are not followed
        names[:] = sorted(name for name in names if name not in IGNORED_FOLDERS)
        for name in sorted(files):
            path = Path(folder, name)
            relative = path.relative_to(query.root).as_posix()
            if matches(relative, query.glob):
                yield path


def _matches(path: Path, expression: re.Pattern[str], root: str) -> Iterator[str]:
    try:
        with open_regular(path) as file:  # refuses links, so nothing outside the workspace is read
            raw = file.read(_MAX_FILE_BYTES)
    except OSError:
        return
    if b"\0" in raw[:_SAMPLE_BYTES]:
        return
    name = path.relative_to(root).as_posix()
    for number, line in enumerate(_decoded(raw).splitlines(), start=1):
        found = expression.search(line)
        if found:
            yield f"{name}:{number}: {_around(line, found.start())}"


def _decoded(raw: bytes) -> str:
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", "replace")


def _around(line: str, position: int) -> str:
    if len(line) <= _MAX_LINE_CHARS:
        return line.strip()
    start = max(0, position - _MAX_LINE_CHARS // 3)
    return f"{'…' if start else ''}{line[start : start + _MAX_LINE_CHARS]}…"


def _joined(lines: list[str], note: str) -> str:
    return "\n".join([*lines, f"[{note}]"])


if __name__ == "__main__":
    main()
