"""Call ids that are unique in a whole request and made of letters, digits, `_` and `-`, as Anthropic demands."""

import re
from collections.abc import Sequence
from dataclasses import replace

from netaclaw.domain.messages import Message, Part, ToolCall

_FOREIGN_CHARS = re.compile(r"[^a-zA-Z0-9_-]")


def with_unique_call_ids(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with reused, empty or foreign call ids renamed, calls and results alike; results are found by position."""
    renamer = _Renamer(messages)
    return [renamer.rename(message) for message in messages]


class _Renamer:
    """Walks the messages once; knows which ids are taken and which new name the results of an id wait for."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._taken: set[str] = set()
        self._stated = {call.id for message in messages for call in message.tool_calls}
        self._waiting: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}

    def rename(self, message: Message) -> Message:
        """Return one message with usable ids; call it for every message in order."""
        if message.role == "tool":
            names = self._waiting.get(message.tool_call_id or "")
            new_id = names.pop(0) if names else _FOREIGN_CHARS.sub("_", message.tool_call_id or "") or "call"
            return message if new_id == message.tool_call_id else replace(message, tool_call_id=new_id)
        if not message.tool_calls:
            return message
        waiting: dict[str, list[str]] = {}
        parts = tuple(self._part(part, waiting) for part in message.parts)
        self._waiting |= waiting
        return message if parts == message.parts else replace(message, parts=parts)

    def _part(self, part: Part, waiting: dict[str, list[str]]) -> Part:
        if not isinstance(part, ToolCall):
            return part
        new_id = self._new_id(part.id)
        self._taken.add(new_id)
        waiting.setdefault(part.id, []).append(new_id)
        return part if new_id == part.id else replace(part, id=new_id)

    def _new_id(self, call_id: str) -> str:
        stem = _FOREIGN_CHARS.sub("_", call_id) or "call"
        new_id = stem
        while new_id in self._taken or (new_id != call_id and new_id in self._stated):
            self._counts[stem] = self._counts.get(stem, 1) + 1
            new_id = f"{stem}_{self._counts[stem]}"
        return new_id
