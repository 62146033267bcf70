"""Builds the demo's conversation message by message, in one of two languages; calls are numbered in the order they are made."""

import json
from typing import Any, TypeAlias

from netaclaw.domain.messages import Message, Text, Thinking, ToolCall, text_message

Step: TypeAlias = tuple[str, dict[str, Any], str]
"""A tool's name, its arguments and its output; an output that ends in a non-zero exit code is an error."""


class Story:
    """Collects the messages of one conversation; every text is given in Chinese and in English, and one of them is taken."""

    def __init__(self, language: str) -> None:
        self._is_chinese = language == "zh"
        self._messages: list[Message] = []
        self._calls_made = 0

    @property
    def messages(self) -> tuple[Message, ...]:
        """What was told so far."""
        return tuple(self._messages)

    def rules(self, zh: str, en: str) -> None:
        """Open with the system prompt."""
        self._messages.append(text_message("system", self._pick(zh, en)))

    def ask(self, zh: str, en: str) -> None:
        """Let the user speak."""
        self._messages.append(text_message("user", self._pick(zh, en)))

    def answer(self, zh: str, en: str) -> None:
        """Let the agent finish its turn."""
        self._messages.append(text_message("assistant", self._pick(zh, en)))

    def work(self, zh: str, en: str, *steps: Step, thought: str = "") -> None:
        """Let the agent say a line and make one call or several at once, and give their results."""
        calls = [self._number(step) for step in steps]
        thinking = (Thinking(thought),) if thought else ()
        self._messages.append(Message("assistant", (*thinking, Text(self._pick(zh, en)), *calls)))
        for call, (name, _, output) in zip(calls, steps, strict=True):
            self._messages.append(text_message("tool", output, tool_call_id=call.id, name=name, is_error=_is_failure(output)))

    def _pick(self, zh: str, en: str) -> str:
        return zh if self._is_chinese else en

    def _number(self, step: Step) -> ToolCall:
        self._calls_made += 1
        return ToolCall(f"call_{self._calls_made:03}", step[0], json.dumps(step[1], ensure_ascii=False))


def read(path: str, text: str) -> Step:
    """Return a step that reads a file, with line numbers as agents see them."""
    return "read_file", {"path": path}, "\n".join(f"{number:>4}  {line}" for number, line in enumerate(text.splitlines(), 1))


def edit(path: str, old: str, new: str) -> Step:
    """Return a step that replaces a piece of a file."""
    return "edit_file", {"path": path, "old": old, "new": new}, f"edited {path}: 1 replacement"


def write(path: str, text: str) -> Step:
    """Return a step that writes a file."""
    return "write_file", {"path": path, "content": text}, f"wrote {path}: {len(text.encode())} bytes"


def run(command: str, output: str) -> Step:
    """Return a step that runs a command."""
    return "run_command", {"command": command}, output


def search(pattern: str, hits: str) -> Step:
    """Return a step that searches the workspace."""
    return "search_files", {"pattern": pattern, "path": "."}, hits


def _is_failure(output: str) -> bool:
    return output.endswith("exit code 1")
