"""Which tool the user asked for by name, and with what argument: `read_file src/app.py`, `用 list_files 看看`, `search_files TODO`."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from netaclaw.compaction.settings import Language
from netaclaw.domain.messages import Message, Part, Text, ToolCall
from netaclaw.providers.base import ToolSpec
from netaclaw.providers.offline_answer import own_words

_QUOTED = re.compile(r"[`\"'“”‘’「」《》]([^`\"'“”‘’「」《》\n]+)[`\"'“”‘’「」《》]")
_PATH = re.compile(r"[\w.~@-]*[/\\][\w./\\@~-]*|[\w-]+\.[A-Za-z]\w{0,7}\b|https?://[^\s，。；]+")
_WORD = re.compile(r"[^\s，。；、！？,;:：!?()（）]+")
_FILLERS = frozenset(
    "please the a an for on in of at to with and then file files folder directory dir show me it tool call run use using about what is are"
    " 看看 看一下 一下 看 文件 目录 请 帮我 里 里面 的 中 读 读取 搜索 查找 一看 内容 和 吧 工具 调用".split()
)
_ASKS = re.compile(r"[?？]\s*$|\b(?:do|does|mean|work)\b|什么|怎么")
"""A question about the tool itself."""
_PATH_NAMES = ("path", "file", "file_path", "filename", "directory", "folder", "url")
_SAYING = {"en": "I am the offline model. You named `{name}`, so I call it.", "zh": "我是离线模型。你点名了 `{name}`，我来调用它。"}


def asked_call(messages: Sequence[Message], tools: Sequence[ToolSpec], language: Language) -> tuple[Part, ...] | None:
    """Return a sentence and the call that the newest user message asks for; None where it names no tool or lacks an argument."""
    newest = messages[-1] if messages else None
    if newest is None or newest.role != "user":
        return None
    asked = own_words(newest)
    named = [(match.start(), match.end(), tool) for tool in tools if (match := _named(tool.name, asked))]
    if not named:
        return None
    _, end, tool = min(named, key=lambda found: found[:2])
    arguments = _arguments(tool, asked, asked[end:])
    if arguments is None:
        return None
    number = sum(len(message.tool_calls) for message in messages) + 1
    call = ToolCall(f"offline_{number}", tool.name, json.dumps(arguments, ensure_ascii=False))
    return Text(_SAYING[language].format(name=tool.name)), call


def _named(name: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text)


def _arguments(tool: ToolSpec, asked: str, rest: str) -> dict[str, Any] | None:
    """Arguments written as JSON win; else each text parameter that must be there gets what stands behind the name."""
    written = _json_object(rest)
    if written is not None:
        return written
    properties = tool.parameters.get("properties", {})
    required = [name for name in tool.parameters.get("required", ()) if isinstance(name, str)]
    wanted = required or [name for name in properties if name in _PATH_NAMES][:1]
    arguments: dict[str, Any] = {}
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
    return arguments


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
    words = [match for match in _WORD.finditer(text) if match.group(0).lower() not in _FILLERS]
    if not words or (is_path and _ASKS.search(text)):
        return None, text
    if is_last and not is_path:  # a query or a command is the rest of the line
        return text[words[0].start() :].partition("\n")[0].strip(" 。.!?！？"), ""
    return words[0].group(0), text[words[0].end() :]
