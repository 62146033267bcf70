"""Which tools the user asked for by name, and with what arguments: `read_file src/app.py 1-40`, `用 list_files 看看`, `search_files TODO`.

Several in one message are called one after the other, in the order in which they are named.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from netaclaw.domain.messages import Message, Part, ToolCall
from netaclaw.providers.base import ToolSpec
from netaclaw.providers.offline_words import own_words

_QUOTED = re.compile(r"[`\"'“”‘’「」《》]([^`\"'“”‘’「」《》\n]+)[`\"'“”‘’「」《》]")
_PATH = re.compile(r"[\w.~@-]*[/\\][\w./\\@~-]*|[\w-]+\.[A-Za-z]\w{0,7}\b|https?://[^\s，。；]+")
_WORD = re.compile(r"[^\s，。；、！？,;:：!?()（）]+")
_FILLERS = frozenset(
    "please the a an for on in of at to with and then file files folder directory dir show me it tool call run use using about what is are"
    " once more again 看看 看一下 一下 看 文件 目录 请 帮我 里 里面 的 中 读 读取 搜索 查找 一看 内容 和 吧 工具 调用 再".split()
)
_ASKS = re.compile(r"[?？]\s*$|\b(?:do|does|mean|work)\b|什么|怎么")
"""A question about the tool itself."""
_PATH_NAMES = ("path", "file", "file_path", "filename", "directory", "folder", "url")
_LINES = re.compile(r"(?:\blines?\s+|第\s*)?\b(\d{1,6})\s*(?:-|–|~|to|到|至)\s*(\d{1,6})\b")
_END_OF_CLAUSE = re.compile(r"\n|[。！？；;，,](?!\S)|[。！？；，]")
_PLACE = re.compile(r"\s*[(（]?(?:\b(?:in|under|within)\s+|在\s*)(?P<path>[\w./\\@~-]*\w/?)(?=[^\w./\\@~-]|$).*$", re.DOTALL)
_LEADS_ON = re.compile(r"(?:\s*(?:\b(?:and|then)\b|然后|接着|并且|再|并|和))+\s*$")
_TASK = re.compile(r"\[(?P<mark>[ xX>])\]\s*(?P<text>[^\n\[]*[^\s\[,，;；])")
_TASK_STATES = {" ": "pending", ">": "in_progress", "x": "done", "X": "done"}
_CALL_ID = re.compile(r"offline_(?P<number>\d+)_(?P<step>\d+)")


def asked_call(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> tuple[Part, ...] | None:
    """Return the next call that the newest user message asks for.

    None where it names no tool, a tool without its argument, or no more tools than were called since.
    """
    turn = _newest_turn(messages)
    if not turn:
        return None
    wanted = _wanted_calls(own_words(turn[0]), tools)
    made = _calls_made(turn)
    if made >= len(wanted):
        return None
    name, arguments = wanted[made]
    numbers = [int(known["number"]) for message in messages for call in message.tool_calls if (known := _CALL_ID.fullmatch(call.id))]
    call_id = f"offline_{max(numbers, default=0) + 1}_{made + 1}"
    return (ToolCall(call_id, name, json.dumps(arguments, ensure_ascii=False)),)


def _newest_turn(messages: Sequence[Message]) -> Sequence[Message]:
    """Return the newest user message and what came after it."""
    start = next((index for index in range(len(messages) - 1, -1, -1) if messages[index].role == "user"), None)
    return () if start is None else messages[start:]


def _calls_made(turn: Sequence[Message]) -> int:
    """The newest call knows its step: a compaction in the middle of a turn takes earlier ones out of the context."""
    calls = [call for message in turn for call in message.tool_calls]
    known = _CALL_ID.fullmatch(calls[-1].id) if calls else None
    return int(known["step"]) if known else len(calls)


def _wanted_calls(asked: str, tools: Sequence[ToolSpec]) -> list[tuple[str, dict[str, Any]]]:
    """Return name and arguments of each tool that is named with its argument; the text up to the next name belongs to it."""
    by_name = {tool.name: tool for tool in tools}
    names = "|".join(map(re.escape, by_name))
    named = list(re.finditer(rf"(?<![A-Za-z0-9_])(?:{names})(?![A-Za-z0-9_])", asked)) if by_name else []
    calls = []
    for position, match in enumerate(named, 1):
        end = named[position].start() if position < len(named) else len(asked)
        whole = asked if len(named) == 1 else asked[match.start() : end]
        arguments = _arguments(by_name[match.group(0)], whole, _LEADS_ON.sub("", asked[match.end() : end]))
        if arguments is not None:
            calls.append((match.group(0), arguments))
    return calls


def _arguments(tool: ToolSpec, asked: str, rest: str) -> dict[str, Any] | None:
    """Arguments written as JSON win; else each parameter that must be there gets what stands behind the name, and so do a folder to
    search, a range of lines and a list of tasks where the tool takes them."""
    written = _json_object(rest)
    if written is not None:
        return written
    properties = tool.parameters.get("properties", {})
    required = [name for name in tool.parameters.get("required", ()) if isinstance(name, str)]
    arguments: dict[str, Any] = {}
    if "items" in properties and not required:
        return _tasks(rest)
    if "path" in properties and required and required[-1] not in _PATH_NAMES and (place := _PLACE.search(rest)):
        arguments["path"] = place["path"]
        rest = rest[: place.start()]
    wanted = required or [name for name in properties if name in (*_PATH_NAMES, "query")][:1]
    left = rest
    for name in wanted:
        value, left = _value(name, properties.get(name, {}), left, is_last=name == wanted[-1])
        if value is None and name in _PATH_NAMES:
            found = _PATH.search(asked)
            value = found.group(0) if found else None
        if value is not None:
            arguments[name] = value
        elif name in required:
            return None
    if "start_line" in properties and "end_line" in properties and (lines := _LINES.search(left)):
        arguments |= {"start_line": int(lines[1]), "end_line": int(lines[2])}
    return arguments


def _tasks(text: str) -> dict[str, Any]:
    """Read `[x] done`, `[>] in progress` and `[ ] open`; without one the list is only shown."""
    items = [{"text": task["text"].strip(), "status": _TASK_STATES[task["mark"]]} for task in _TASK.finditer(text)]
    return {"items": items} if items else {}


def _json_object(text: str) -> dict[str, Any] | None:
    start = text.find("{")
    if start < 0:
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(text[start:])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _value(name: str, schema: Mapping[str, Any], text: str, *, is_last: bool) -> tuple[Any, str]:
    """Return the value of a parameter, None where there is none, and what is left of the text."""
    match schema.get("type", "string"):
        case "integer" | "number":
            found = re.search(r"-?\d+", text)
            return (int(found.group(0)), text[found.end() :]) if found else (None, text)
        case "array":
            return [text.strip()] if text.strip() else None, ""
        case "string":
            return _string(name, text, is_last=is_last)
        case _:
            return None, text


def _string(name: str, text: str, *, is_last: bool) -> tuple[str | None, str]:
    is_path = name in _PATH_NAMES
    found = _QUOTED.search(text) or (_PATH.search(text) if is_path else None)
    if found:
        return found.group(1 if found.re is _QUOTED else 0).rstrip("."), text[found.end() :]
    clause = _END_OF_CLAUSE.split(text, maxsplit=1)[0] if is_path else text
    words = [match for match in _WORD.finditer(clause) if match.group(0).lower() not in _FILLERS]
    if not words or (is_path and _ASKS.search(text)):
        return None, text
    if is_last and not is_path:  # a query or a command is the rest of the clause
        return _END_OF_CLAUSE.split(text[words[0].start() :], maxsplit=1)[0].strip(" .!?"), ""
    return words[0].group(0), text[words[0].end() :]
