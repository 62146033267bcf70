"""The tool `list_files`: what lies in a folder of the workspace."""

import asyncio
import os
import time
from dataclasses import dataclass
from pathlib import Path

from netaclaw.tools.base import Arguments, ToolContext, ToolOutput, failure
from netaclaw.tools.output import clean, lines_of
from netaclaw.tools.workspace import IGNORED_FOLDERS, matches, resolve, shown

_MAX_FILES = 1_000
_MAX_SECONDS = 5.0
_DEFAULT_DEPTH = 3


@dataclass(frozen=True, slots=True)
class ListFiles:
    """Lists files and folders with sizes; links are named, never followed."""

    name: str = "list_files"
    description: str = "List the files below a folder of the workspace, sorted, with sizes in bytes. Folders end with a slash."
    is_parallel: bool = True
    is_protected: bool = False

    @property
    def parameters(self) -> Arguments:
        """See Tool."""
        return {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Folder relative to the workspace; its root if left out."},
                "pattern": {"type": "string", "description": "Only files whose name or relative path matches, such as *.py."},
                "depth": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 20,
                    "description": f"Levels to go down, {_DEFAULT_DEPTH} if left out.",
                },
            },
        }

    def one_line(self, arguments: Arguments, output: str) -> str:
        """See Tool."""
        return f"list_files {arguments.get('path', '.')} {arguments.get('pattern', '')}".rstrip() + f" · {lines_of(output)} lines"

    def dedup_key(self, arguments: Arguments) -> str | None:
        """See Tool."""
        return f"{arguments.get('path', '.')}|{arguments.get('pattern', '')}|{arguments.get('depth', '')}"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """See Tool."""
        return await asyncio.to_thread(_list, arguments, context)


def _list(arguments: Arguments, context: ToolContext) -> ToolOutput:
    folder = resolve(context, arguments.get("path") or ".")
    if isinstance(folder, ToolOutput):
        return folder
    if not folder.is_dir():
        return failure(f"{shown(context, folder)!r} is a file; use read_file.")
    pattern = arguments.get("pattern") or ""
    walk = _Walk(folder, pattern, arguments.get("depth") or (20 if pattern else _DEFAULT_DEPTH), time.monotonic() + _MAX_SECONDS)
    lines = walk.lines(folder, 1)
    if not lines:
        return ToolOutput("No files here." if not pattern else f"No file matches {pattern!r} here.")
    text = "\n".join(lines[:_MAX_FILES])
    if len(lines) > _MAX_FILES or walk.is_late:
        text += "\n[there is more; list a folder below, or give a pattern]"
    return ToolOutput(clean(text))


@dataclass(frozen=True, slots=True)
class _Walk:
    root: Path
    pattern: str
    depth: int
    deadline: float

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.deadline

    def lines(self, folder: Path, level: int) -> list[str]:
        lines: list[str] = []
        for entry in _sorted_entries(folder):
            if len(lines) > _MAX_FILES or self.is_late:
                break
            name = Path(entry.path).relative_to(self.root).as_posix()
            if not entry.is_dir(follow_symlinks=False):
                lines += [f"{name}  {_size(entry)}"] if matches(name, self.pattern) else []
                continue
            lines += [] if self.pattern else [f"{name}/"]
            if level < self.depth and entry.name not in IGNORED_FOLDERS:
                lines += self.lines(Path(entry.path), level + 1)
        return lines


def _sorted_entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:  # no rights, or gone meanwhile
        return []


def _size(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "(link)"
    try:
        return str(entry.stat(follow_symlinks=False).st_size) if entry.is_file(follow_symlinks=False) else "(no regular file)"
    except OSError:
        return "(gone)"
