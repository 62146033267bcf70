"""What the offline model says of the results of its tools: what a file defines, where a pattern stands, what is left to do."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from netaclaw.compaction.settings import Language
from netaclaw.domain.messages import Message, ToolCall

_QUOTE_CHARS = 160
_MAX_NAMES = 6
_MAX_OUTLINE = 12
_OUTLINE_CHARS = 100
_NUMBERED = re.compile(r"(?P<number>\d+)\t(?P<line>.*)")
_NOTE = re.compile(r"\[.*\]")
_RANGE = re.compile(r"\[.*: lines (?P<first>\d+) to (?P<last>\d+) of (?P<total>\d+)\]")
_MATCH = re.compile(r"(?P<path>[^:\n]+):(?P<number>\d+): .*")
_LISTED = re.compile(r"(?P<name>.+?)(?:/|  (?P<size>\d+|\(.+\)))")
_TASK = re.compile(r"\[(?P<mark>[ >x])\] (?P<text>.+)")
_RECALLED = re.compile(r"^\[entry (?P<id>\d+) · ", re.MULTILINE)
_DEFINITION = re.compile(r" {,4}(?:async def|def|class) \w+")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?:\s|$)")

_SAID = {
    "en": {
        "read": "`{path}`, {lines}: {begin}",
        "part": "`{path}`, {lines}.",
        "lines": "{count} lines",
        "range": "lines {first} to {last} of {total}",
        "found": "`{pattern}` stands in {lines} of {files}: {places}.",
        "one_file": "1 file",
        "files": "{count} files",
        "one_line": "1 line",
        "listed": "`{path}` holds {files} and {folders}; the largest are {largest}.",
        "one_folder": "1 folder",
        "folders": "{count} folders",
        "tasks": "The list has {count} tasks.",
        "recalled": "I found the originals: {entries}.",
        "entry": "entry {id}",
        "one": "`{name}` returned 1 line: {quote}",
        "many": "`{name}` returned {lines} lines, {chars} characters: {quote}",
        "error": "`{name}` failed: {quote}",
        "empty": "`{name}` returned nothing.",
        "more": "{count} more",
        "and": ", ",
    },
    "zh": {
        "read": "`{path}`（{lines}）：{begin}",
        "part": "`{path}`（{lines}）。",
        "lines": "{count} 行",
        "range": "第 {first} 到 {last} 行，共 {total} 行",
        "found": "`{pattern}` 出现在 {files}的 {lines}里：{places}。",
        "one_file": "1 个文件",
        "files": "{count} 个文件",
        "one_line": "1 行",
        "listed": "`{path}` 下有 {files}、{folders}，最大的是 {largest}。",
        "one_folder": "1 个文件夹",
        "folders": "{count} 个文件夹",
        "tasks": "清单共 {count} 项。",
        "recalled": "找到了原文：{entries}。",
        "entry": "条目 {id}",
        "one": "`{name}` 返回 1 行：{quote}",
        "many": "`{name}` 返回 {lines} 行、{chars} 个字符：{quote}",
        "error": "`{name}` 失败：{quote}",
        "empty": "`{name}` 没有返回内容。",
        "more": "另有 {count} 处",
        "and": "、",
    },
}
_Words = Mapping[str, str]


def report_of_results(messages: Sequence[Message], language: Language) -> str:
    """Return a short report of each result since the newest user message; what is quoted of a file stands in a block of code."""
    calls = {call.id: call for message in messages for call in message.tool_calls}
    results: list[Message] = []
    for message in reversed(messages):
        if message.role == "user":
            break
        if message.role == "tool":
            results.insert(0, message)
    return "\n\n".join(_report(calls.get(result.tool_call_id or ""), result, _SAID[language]) for result in results)


def one_line(text: str, chars: int) -> str:
    """Return a text in one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= chars else line[: chars - 1] + "…"


def _report(call: ToolCall | None, result: Message, said: _Words) -> str:
    name, text = result.name or (call.name if call else "tool"), result.text.strip()
    if result.is_error:
        return said["error"].format(name=name, quote=one_line(text, _QUOTE_CHARS))
    if not text:
        return said["empty"].format(name=name)
    arguments = _arguments(call)
    for told in (_of_file, _of_matches, _of_folder, _of_tasks, _of_originals):
        report: Callable[[str, Mapping[str, Any], _Words], str | None] = told
        if (line := report(text, arguments, said)) is not None:
            return line
    lines = len(text.splitlines())
    quote = one_line(text, _QUOTE_CHARS)
    return said["one" if lines == 1 else "many"].format(name=name, lines=f"{lines:,}", chars=f"{len(text):,}", quote=quote)


def _arguments(call: ToolCall | None) -> Mapping[str, Any]:
    try:
        value = json.loads(call.arguments) if call else {}
    except ValueError:
        value = {}
    return value if isinstance(value, dict) else {}


def _all(pattern: re.Pattern[str], text: str) -> list[re.Match[str]] | None:
    """Return the matches of every line but notes in brackets, None where a line is different."""
    lines = [line for line in text.splitlines() if not _NOTE.fullmatch(line)]
    found = [match for line in lines if (match := pattern.fullmatch(line))]
    return found if found and len(found) == len(lines) else None


def _of_file(text: str, arguments: Mapping[str, Any], said: _Words) -> str | None:
    lines = _all(_NUMBERED, text)
    if lines is None:
        return None
    part = _RANGE.fullmatch(text.splitlines()[-1])
    shown = said["range"].format(**part.groupdict()) if part else _counted(int(lines[-1]["number"]), "line", said)
    kind = "read" if lines[0]["number"] == "1" else "part"
    head = said[kind].format(path=arguments.get("path", "?"), lines=shown, begin=_beginning(lines))
    outline = [f"{line['number']:>4}  {line['line'][:_OUTLINE_CHARS]}" for line in lines if _DEFINITION.match(line["line"])]
    return "\n".join([head, "", "```", *outline[:_MAX_OUTLINE], "```"]) if outline else head


def _beginning(lines: Sequence[re.Match[str]]) -> str:
    """Return the first sentence of a file, without the marks of a comment or docstring."""
    first = next((line["line"].strip() for line in lines if line["line"].strip(" \"'#/*<!-")), "")
    return one_line(_SENTENCE_END.split(first.strip(" \"'#/*<!-"), maxsplit=1)[0], _QUOTE_CHARS)


def _of_matches(text: str, arguments: Mapping[str, Any], said: _Words) -> str | None:
    found = _all(_MATCH, text)
    if found is None:
        return None
    numbers: dict[str, list[str]] = {}
    for match in found:
        numbers.setdefault(match["path"], []).append(match["number"])
    places = [f"{path} ({', '.join(lines[:_MAX_NAMES])})" for path, lines in numbers.items()]
    return said["found"].format(
        pattern=arguments.get("pattern", "?"),
        files=_counted(len(numbers), "file", said),
        lines=_counted(len(found), "line", said),
        places=_few(places, said),
    )


def _of_folder(text: str, arguments: Mapping[str, Any], said: _Words) -> str | None:
    found = _all(_LISTED, text)
    if found is None:
        return None
    sizes = {match["name"]: int(match["size"]) for match in found if (match["size"] or "").isdigit()}
    largest = sorted(sizes, key=lambda name: -sizes[name])[:3]
    return said["listed"].format(
        path=arguments.get("path", "."),
        files=_counted(sum(match["size"] is not None for match in found), "file", said),
        folders=_counted(sum(match["size"] is None for match in found), "folder", said),
        largest=said["and"].join(largest) or "-",
    )


def _of_tasks(text: str, arguments: Mapping[str, Any], said: _Words) -> str | None:
    tasks = _all(_TASK, text)
    if tasks is None:
        return None
    return said["tasks"].format(count=len(tasks))


def _of_originals(text: str, arguments: Mapping[str, Any], said: _Words) -> str | None:
    entries = [said["entry"].format(id=found["id"]) for found in _RECALLED.finditer(text)]
    if not entries:
        return None
    return "\n".join([said["recalled"].format(entries=_few(entries, said)), "", *_quoted(text)])


def _quoted(text: str) -> Iterator[str]:
    yield "```"
    yield from (one_line(line, _OUTLINE_CHARS) for line in text.replace("```", "'''").splitlines()[:_MAX_OUTLINE])
    yield "```"


def _few(names: Sequence[str], said: _Words) -> str:
    rest = [said["more"].format(count=len(names) - _MAX_NAMES)] if len(names) > _MAX_NAMES else []
    return said["and"].join([*names[:_MAX_NAMES], *rest])


def _counted(count: int, kind: str, said: _Words) -> str:
    return said[f"one_{kind}"] if count == 1 else said[f"{kind}s"].format(count=count)
