"""Short ways to build messages in tests."""

import json
from typing import Any

from netaclaw.domain.messages import Message, Part, Text, Thinking, ToolCall


def system(text: str) -> Message:
    """Return a system prompt."""
    return Message("system", (Text(text),))


def user(text: str, **fields: Any) -> Message:
    """Return a user message."""
    return Message("user", (Text(text),) if text else (), **fields)


def assistant(text: str = "", *calls: ToolCall, thinking: str = "", signature: str | None = None) -> Message:
    """Return an assistant message: thinking, then text, then calls."""
    parts: list[Part] = []
    if thinking:
        parts.append(Thinking(thinking, signature))
    if text:
        parts.append(Text(text))
    return Message("assistant", (*parts, *calls))


def tool_call(call_id: str, name: str = "read_file", **arguments: Any) -> ToolCall:
    """Return a call with its arguments as JSON text."""
    return ToolCall(call_id, name, json.dumps(arguments, ensure_ascii=False))


def tool_result(call_id: str, text: str, name: str | None = None, *, is_error: bool = False) -> Message:
    """Return the result of a call."""
    return Message("tool", (Text(text),) if text else (), tool_call_id=call_id, name=name, is_error=is_error)
