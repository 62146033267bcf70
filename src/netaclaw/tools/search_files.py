"""The tool `search_files`: lines of workspace files that match a pattern.

The search runs in a process of its own: a regular expression can take for ever and would hold the whole server meanwhile.
"""

import asyncio
import contextlib
import json
import re
import sys
from dataclasses import dataclass
from typing import Any

from netaclaw.tools.base import Arguments, ToolContext, ToolOutput, failure
from netaclaw.tools.output import clean, lines_of
from netaclaw.tools.workspace import resolve


@dataclass(frozen=True, slots=True)
class SearchFiles:
    """Searches by regular expression, and by plain text where the pattern is none."""

    name: str = "search_files"
    description: str = (
        "Search the files of the workspace for a regular expression (Python syntax); each match comes as path:line: text. "
        "A pattern that is no regular expression is searched as plain text."
    )
    is_parallel: bool = True
    is_protected: bool = False
    max_seconds: float = 10.0
    """After this the search answers with what it has."""
    start_seconds: float = 10.0
    """What a busy machine may need to start the process, on top; then the process is killed."""

    @property
    def parameters(self) -> Arguments:
        """See Tool."""
        return {
            "type": "object",
            "properties": {
                "pattern": {"type": "string", "minLength": 1, "description": "Regular expression."},
                "path": {"type": "string", "description": "File or folder relative to the workspace; all of it if left out."},
                "glob": {"type": "string", "description": "Only files whose name or relative path matches, such as *.py."},
                "ignore_case": {"type": "boolean"},
            },
            "required": ["pattern"],
        }

    def one_line(self, arguments: Arguments, output: str) -> str:
        """See Tool."""
        return f"search_files {arguments.get('pattern', '')!r} in {arguments.get('path') or '.'} · {lines_of(output)} lines"

    def dedup_key(self, arguments: Arguments) -> str | None:
        """See Tool."""
        return json.dumps([arguments.get(key) for key in ("pattern", "path", "glob", "ignore_case")], ensure_ascii=False)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """See Tool."""
        start = await asyncio.to_thread(resolve, context, arguments.get("path") or ".")
        if isinstance(start, ToolOutput) or context.workspace is None:
            return start if isinstance(start, ToolOutput) else failure("This agent has no workspace.")
        pattern = arguments["pattern"]
        note = _fault(pattern)
        query = {
            "root": str(await asyncio.to_thread(context.workspace.resolve)),
            "start": str(start),
            "pattern": re.escape(pattern) if note else pattern,
            "glob": arguments.get("glob") or "",
            "ignore_case": bool(arguments.get("ignore_case")),
            "max_seconds": self.max_seconds,
        }
        found = await _ask_worker(query, self.max_seconds + self.start_seconds)
        return found if found.is_error or not note else ToolOutput(f"[{note}; searched as plain text]\n{found.text}")


def _fault(pattern: str) -> str | None:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        return f"the pattern is no regular expression: {error}"
    return None


async def _ask_worker(query: dict[str, Any], timeout_seconds: float) -> ToolOutput:
    # -P: a file of the workspace or of the working folder must never be imported.
    command = (sys.executable, "-P", "-m", "netaclaw.tools.search_worker")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL)
    try:
        async with asyncio.timeout(timeout_seconds):
            reply, _ = await process.communicate(json.dumps(query).encode())
    except TimeoutError:
        return failure(
            f"The search took longer than {timeout_seconds:.0f} s and was stopped; use a simpler pattern, or narrow path or glob."
        )
    finally:
        await _end(process)
    if process.returncode or not reply:
        return failure("The search failed; try a simpler pattern.")
    return ToolOutput(clean(reply.decode(errors="replace")))


async def _end(process: asyncio.subprocess.Process) -> None:
    """Leave no process behind, also when the run is cancelled."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    await process.wait()
