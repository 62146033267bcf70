"""What a value of a foreign transcript becomes when it is not what it should be: text, an id, a role, arguments.

Foreign values need not be hashable: the readers look them up in tuples, not in sets.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from netaclaw.compaction import arguments_object
from netaclaw.domain.messages import Origin, Role, ToolCall
from netaclaw.transcripts.base import Record
from netaclaw.transcripts.json_text import json_text
from netaclaw.transcripts.notes import Notes, describe

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
    "model": "assistant",
    "tool": "tool",
    "function": "tool",
    "ipython": "tool",
    "observation": "tool",
    "tool_result": "tool",
    "toolresult": "tool",
}
_FLATTENED_LEVELS = 20
_CONTENT_KEYS = ("content", "text", "refusal")


def text_of(value: object, levels: int = _FLATTENED_LEVELS) -> str:
    """Return the text in a content of any shape: lists are joined, objects give their text or else their JSON."""
    if isinstance(value, str):
        return value
    if value is None or value == {}:
        return ""
    if levels and isinstance(value, Mapping):
        inner = value.get("text", value.get("content"))
        if isinstance(inner, str | list):
            return text_of(inner, levels - 1)
    if levels and isinstance(value, Sequence):
        return "".join([text_of(inner, levels - 1) for inner in value])
    return json_text(value)


def id_text(value: object) -> str:
    """Return a call id as text; a missing one is empty."""
    return value if isinstance(value, str) else "" if value is None else json_text(value)


def optional_text(value: object) -> str | None:
    """Return a non-empty text, else None."""
    return value if isinstance(value, str) and value else None


def arguments_text(value: object) -> str:
    """Return call arguments as JSON text; text stays as the model wrote it."""
    return value if isinstance(value, str) else "{}" if value is None else json_text(value)


def parsed_arguments(call: ToolCall) -> dict[str, Any]:
    """Return the arguments of a call as an object; what is none is held by one."""
    parsed: dict[str, Any] = json.loads(arguments_object(call.arguments))
    return parsed


def speaker(record: Record, notes: Notes) -> tuple[Role, Origin] | None:
    """Return who speaks. A missing role is inferred; text of an unknown role becomes a notice, and without text nothing."""
    value = record.value
    stated = value.get("role")
    role = _ROLES.get(stated) or _ROLES.get(stated.strip().casefold()) if isinstance(stated, str) else None
    if role is not None:
        return role, "conversation"
    shown = "no role" if stated is None else f"the unknown role {describe(stated)}"
    if stated is None and (inferred := _inferred_role(value)):
        notes.add("messages without a role", f"{shown}; read as a message of role {inferred}", record)
        return inferred, "conversation"
    if not any(value.get(key) for key in _CONTENT_KEYS):
        notes.add("messages without a known role and text", f"{shown} and no text; it was left out", record)
        return None
    notes.add("messages of unknown roles", f"{shown}; its text was kept as a notice", record)
    return "user", "notice"


def usable_calls(calls: object, record: Record, notes: Notes) -> list[Mapping[str, Any]]:
    """Return the calls that are objects; the others are noted and left out."""
    given = calls if isinstance(calls, list) else [calls] if isinstance(calls, Mapping) else []
    if calls and not given:
        notes.add("`tool_calls` that are no lists", "`tool_calls` is no list; it was left out", record)
    kept = [call for call in given if isinstance(call, Mapping)]
    if len(kept) < len(given):
        notes.add("calls that are no objects", f"{len(given) - len(kept)} calls are no objects; they were left out", record)
    return kept


def _inferred_role(value: Mapping[str, Any]) -> Role | None:
    if value.get("tool_call_id") is not None:
        return "tool"
    return "assistant" if value.get("tool_calls") or value.get("function_call") else None
