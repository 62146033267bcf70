"""The neutral form: one message a line with role, content, tool_calls, tool_call_id, name and meta.

What this form has no key for travels in `meta`; `neutral_meta.py` knows how.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from netaclaw.domain.messages import Message, Part, Text, ToolCall
from netaclaw.transcripts.base import Document, PlacedMessage, Record, called_tools, number_records
from netaclaw.transcripts.blocks import picture_parts
from netaclaw.transcripts.lenient import arguments_text, id_text, optional_text, speaker, text_of, usable_calls
from netaclaw.transcripts.neutral_meta import read_meta, write_meta
from netaclaw.transcripts.notes import Notes

_CALL_KEYS = frozenset({"id", "name", "arguments", "type", "function"})


def from_neutral(messages: Sequence[Mapping[str, Any]]) -> list[Message]:
    """Return the messages of neutral dictionaries; what is malformed is mended or left out, pairs are not."""
    return [message for _, message in _read(number_records(messages), Notes("input"))]


def to_neutral(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the messages as neutral dictionaries, without repairing them."""
    return [_record_of(message) for message in messages]


class NeutralReader:
    """Reads the neutral form from JSON Lines, an array, or an object with `messages`."""

    name = "neutral"

    def sniff(self, document: Document) -> bool:
        """Whether the records are chat messages; the readers of the provider forms were asked before."""
        return bool(document.chat_sample)

    def read(self, document: Document, notes: Notes) -> list[PlacedMessage]:
        """Return the messages in the order of the file."""
        return _read(document.chat, notes)


def is_neutral(message: Mapping[str, Any]) -> bool:
    """Whether a chat message can only be neutral: it has `meta`, or calls with their name outside of `function`."""
    if isinstance(message.get("meta"), Mapping):
        return True
    return any("arguments" in call and "function" not in call for call in called_tools(message))


def _read(records: Sequence[Record], notes: Notes) -> list[PlacedMessage]:
    placed: list[PlacedMessage] = []
    for record in records:
        message = _message(record, notes)
        if message is not None:
            placed.append((record, message))
    return placed


def _message(record: Record, notes: Notes) -> Message | None:
    said_by = speaker(record, notes)
    if said_by is None:
        return None
    role, origin = said_by
    value = record.value
    meta = value.get("meta")
    if meta is not None and not isinstance(meta, Mapping):
        notes.add("`meta` values that are no objects", "`meta` is no object; it was left out", record)
        meta = None
    content = value.get("content")
    if role == "tool" and content is None:
        content = value.get("output", value.get("result"))
    tokens = value.get("tokens")
    message = Message(
        role,
        (*_content_parts(content), *_calls(record, role, notes)),
        tool_call_id=_tool_call_id(value),
        name=optional_text(value.get("name")),
        tokens=tokens if isinstance(tokens, int) and not isinstance(tokens, bool) and tokens >= 0 else None,
        origin=origin,
    )
    return read_meta(message, meta) if meta else message


def _content_parts(content: object) -> tuple[Part, ...]:
    if isinstance(content, str):
        return (Text(content),) if content else ()
    text = text_of(_without_pictures(content))
    return (*((Text(text),) if text else ()), *picture_parts(content))


def _without_pictures(content: object) -> object:
    if not isinstance(content, list):
        return content
    return [block for block in content if not picture_parts([block])]


def _calls(record: Record, role: str, notes: Notes) -> list[ToolCall]:
    given = record.value.get("tool_calls")
    if not given:
        return []
    if role != "assistant":
        notes.add("calls outside of assistant messages", f"calls in a message of role {role}; they were left out", record)
        return []
    return [_call(call) for call in usable_calls(given, record, notes)]


def _call(call: Mapping[str, Any]) -> ToolCall:
    function = call.get("function")
    named = function if isinstance(function, Mapping) else call
    extra = {key: value for key, value in call.items() if key not in _CALL_KEYS}
    return ToolCall(id_text(call.get("id")), text_of(named.get("name")), arguments_text(named.get("arguments")), extra or None)


def _tool_call_id(value: Mapping[str, Any]) -> str | None:
    call_id = value.get("tool_call_id")
    return call_id if call_id is None else id_text(call_id)


def _record_of(message: Message) -> dict[str, Any]:
    record: dict[str, Any] = {
        "role": message.role,
        "content": message.text,
        "tool_calls": [_call_record(call) for call in message.tool_calls],
        "tool_call_id": message.tool_call_id,
        "name": message.name,
        "meta": write_meta(message),
    }
    if message.tokens is not None:
        record["tokens"] = message.tokens
    return record


def _call_record(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "name": call.name, "arguments": call.arguments, **(call.extra or {})}
