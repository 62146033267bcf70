"""What an assistant did with its tools: files it read and changed, commands it ran, the task list it keeps."""

import json
import re
from collections.abc import Iterator
from typing import Any

from netaclaw.compaction.ledger.observation import CallSeen, FileSeen, FileUse, TaskState
from netaclaw.compaction.ledger.values import WordReader, as_path
from netaclaw.domain.messages import ToolCall

_SCAN_CHARS = 4_000
_ARGUMENT_CHARS = 600
_LONGEST_COMMAND = 200

_WRITES = re.compile(r"(?i)write|edit|creat|replac|patch|insert|updat|append|delet|remov|renam|save|move|put_file|apply")
_PATH_NAMES = re.compile(r"(?i)(?:path|file|filename|notebook|uri|target)s?$|_path$|_file$|^dir(?:ectory)?$|文件|路径")
_COMMAND_NAMES = ("command", "cmd", "script", "commands", "shell_command", "bash", "input")
_EDITOR_COMMANDS: dict[str, FileUse] = {
    "view": "read",
    "create": "changed",
    "str_replace": "changed",
    "insert": "changed",
    "undo_edit": "changed",
    "replace": "changed",
}
_PATCH_FILE = re.compile(r"^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ b/)(\S+)", re.MULTILINE)
_SHELL_WRITE = re.compile(
    r"(?:^|[\s;&|])(?:rm|mv|cp|touch|tee|mkdir|chmod|sed -i\S*|git (?:add|rm|mv|checkout --|restore))\s([^;&|<>\n]+)|>{1,2}\s?([\w./~@-]+)"
)
_TASK_STATES: dict[str, TaskState] = {"completed": "done", "done": "done", "in_progress": "doing", "doing": "doing", "active": "doing"}


def see_call(call: ToolCall, reader: WordReader) -> tuple[CallSeen, tuple[FileSeen, ...], tuple[tuple[TaskState, str], ...]]:
    """Return the call in short, the files it names, and the task list if it writes one."""
    arguments = _parsed(call.arguments)
    command = _command(call.name, arguments)
    scanned = call.arguments[:_SCAN_CHARS]
    leaves = list(_leaves(arguments)) if arguments else []
    target = command or next((value for _, value in leaves if 0 < len(value) <= 200 and "\n" not in value), "")
    seen = CallSeen(
        id=call.id,
        name=call.name,
        command=command,
        target=" ".join(target.split())[:_LONGEST_COMMAND],
        values=reader.exact_values(" ".join(value for _, value in leaves)[:_SCAN_CHARS] if leaves else scanned),
        arguments=scanned[:_ARGUMENT_CHARS],
    )
    return seen, tuple(_files(call.name, command, arguments, leaves, reader)), tuple(_tasks(arguments))


def _parsed(arguments: str) -> dict[str, Any]:
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _command(name: str, arguments: dict[str, Any]) -> str:
    for key in _COMMAND_NAMES:
        value = arguments.get(key)
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            value = value[-1] if value[0] in ("bash", "sh", "zsh") else " ".join(value)
        if isinstance(value, str) and value.strip() and value not in _EDITOR_COMMANDS and "***" not in value[:20]:
            return value.strip()[:_SCAN_CHARS]
    return ""


def _leaves(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of the short texts and numbers in the arguments; whole files among them are cut."""
    if isinstance(value, dict) and depth < 4:
        for key, item in value.items():
            yield from _leaves(item, str(key), depth + 1)
    elif isinstance(value, list) and depth < 4:
        for item in value[:40]:
            yield from _leaves(item, name, depth + 1)
    elif isinstance(value, str):
        yield name, value[:1_000]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield name, str(value)


def _files(name: str, command: str, arguments: dict[str, Any], leaves: list[tuple[str, str]], reader: WordReader) -> Iterator[FileSeen]:
    editor = arguments.get("command")
    use: FileUse = "changed" if _WRITES.search(name) else "read"
    if isinstance(editor, str) and editor in _EDITOR_COMMANDS:
        use = _EDITOR_COMMANDS[editor]
    for key, value in leaves:
        if _PATH_NAMES.search(key) and len(value) <= 300 and "\n" not in value and " " not in value.strip():
            path = as_path(value) or (value if "/" in value and "://" not in value else None)
            if path:
                yield FileSeen(path.rstrip("/"), use)
        elif "*** " in value or "+++ b/" in value:
            yield from (FileSeen(path, "changed") for path in _PATCH_FILE.findall(value))
    if command:
        written = {path for found in _SHELL_WRITE.finditer(command) for path in reader.paths(found[1] or found[2] or "")}
        yield from (FileSeen(path, "changed" if path in written else "mentioned") for path in reader.paths(command[:_SCAN_CHARS]))


def _tasks(arguments: dict[str, Any]) -> Iterator[tuple[TaskState, str]]:
    """Task lists as agents write them: todos or plan, each with a text and a status."""
    items: list[Any] = next(
        (arguments[key] for key in ("todos", "plan", "tasks", "todo_list", "task_list") if isinstance(arguments.get(key), list)), []
    )
    for item in items[:40]:
        if isinstance(item, dict):
            text = next(
                (item[key] for key in ("content", "step", "title", "text", "description", "task") if isinstance(item.get(key), str)), ""
            )
            if text.strip():
                yield _TASK_STATES.get(str(item.get("status", "")), "open"), " ".join(text.split())[:200]
