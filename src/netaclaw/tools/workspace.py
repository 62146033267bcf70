"""The border of the workspace: a path of the model becomes a file inside the folder, or a refusal."""

import os
import stat
from fnmatch import fnmatch
from pathlib import Path
from typing import BinaryIO

from netaclaw.tools.base import ToolContext, ToolOutput, failure

IGNORED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"}
)
"""Never listed or searched: large, and nothing that a person wrote."""

_OPEN_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
)
"""Not blocking: a FIFO that took the file's place must not hang the server."""


def resolve(context: ToolContext, path: str) -> Path | ToolOutput:
    """Return the real path that `path` names, or why it is refused; links are followed and must end inside the workspace."""
    if context.workspace is None:
        return failure("This agent has no workspace; a person must set one in the agent's settings.")
    try:
        root = context.workspace.resolve(strict=True)
        found = (root / path).resolve(strict=True)
    except FileNotFoundError:
        return failure(f"{path!r} does not exist in the workspace; use list_files to see what does.")
    except (OSError, ValueError, RuntimeError):  # too long a name, a NUL character, links in a circle, no rights
        return failure(f"{path[:200]!r} cannot be opened; give a path relative to the workspace.")
    if not found.is_relative_to(root):
        return failure(f"{path!r} lies outside the workspace and cannot be read; give a path relative to the workspace.")
    return found


def shown(context: ToolContext, path: Path) -> str:
    """Return a path as the model knows it, relative to the workspace."""
    root = context.workspace.resolve() if context.workspace else path
    return path.relative_to(root).as_posix() or "."


def matches(relative: str, pattern: str) -> bool:
    """Whether a file's name or its relative path matches a pattern such as `*.py` or `src/**/*.py`; an empty pattern takes all."""
    flat = pattern.removeprefix("**/").replace("/**/", "/*")  # here a star crosses folders
    return not pattern or fnmatch(relative, flat) or fnmatch(relative.rpartition("/")[2], flat)


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading. Raises OSError for a folder, device, FIFO, socket or link."""
    descriptor = os.open(path, _OPEN_FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a regular file")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise
