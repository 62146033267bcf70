"""A message to and from the JSON object that is stored and sent to the page (camelCase, DESIGN section 3).

Texts, signatures, arguments and foreign blocks come back exactly as they were; what has its default value is left out.
"""

from collections.abc import Mapping
from typing import Any, assert_never

from netaclaw.domain.messages import Image, Message, Opaque, Part, Text, Thinking, ToolCall, Usage


def message_to_json(message: Message) -> dict[str, Any]:
    """Return the JSON object of a message. The entry's id is not in it: the row has it."""
    usage = message.usage
    return without_absent(
        {
            "role": message.role,
            "parts": [_part_to_json(part) for part in message.parts],
            "toolCallId": message.tool_call_id,
            "name": message.name,
            "isError": message.is_error or None,
            "usage": None if usage is None else _usage_to_json(usage),
            "model": message.model,
            "stopReason": message.stop_reason,
            "tokens": message.tokens,
            "origin": None if message.origin == "conversation" else message.origin,
            "meta": dict(message.meta) or None,
        }
    )


def message_from_json(value: Mapping[str, Any], entry_id: int | None = None) -> Message:
    """Return the message of a JSON object, as the one that stands in this entry."""
    usage = value.get("usage")
    return Message(
        role=value["role"],
        parts=tuple([_part_from_json(part) for part in value["parts"]]),
        tool_call_id=value.get("toolCallId"),
        name=value.get("name"),
        is_error=value.get("isError", False),
        usage=None if usage is None else _usage_from_json(usage),
        model=value.get("model"),
        stop_reason=value.get("stopReason"),
        tokens=value.get("tokens"),
        origin=value.get("origin", "conversation"),
        entry_id=entry_id,
        meta=value.get("meta", {}),
    )


def without_absent(value: dict[str, Any]) -> dict[str, Any]:
    """Return the object without the keys whose value is None."""
    return {key: inner for key, inner in value.items() if inner is not None}


def _part_to_json(part: Part) -> dict[str, Any]:
    match part:
        case Text():
            fields: dict[str, Any] = {"type": "text", "text": part.text}
        case Image():
            sizes = {"width": part.width, "height": part.height}
            fields = {"type": "image", "mediaType": part.media_type, "data": part.data, "url": part.url, **sizes}
        case Thinking():
            fields = {"type": "thinking", "text": part.text, "signature": part.signature, "encrypted": part.encrypted}
        case ToolCall():
            fields = {"type": "tool_call", "id": part.id, "name": part.name, "arguments": part.arguments}
        case Opaque():
            return {"type": "opaque", "kind": part.kind, "payload": dict(part.payload)}
        case _:
            assert_never(part)
    return without_absent({**fields, "extra": None if part.extra is None else dict(part.extra)})


def _part_from_json(value: Mapping[str, Any]) -> Part:
    extra = value.get("extra")
    match value["type"]:
        case "text":
            return Text(value["text"], extra)
        case "image":
            return Image(value["mediaType"], value.get("data"), value.get("url"), value.get("width"), value.get("height"), extra)
        case "thinking":
            return Thinking(value["text"], value.get("signature"), value.get("encrypted"), extra)
        case "tool_call":
            return ToolCall(value["id"], value["name"], value["arguments"], extra)
        case "opaque":
            return Opaque(value["kind"], value["payload"])
        case unknown:
            raise ValueError(f"a message part has the unknown type '{unknown}'")


def _usage_to_json(usage: Usage) -> dict[str, int]:
    return {
        "inputTokens": usage.input_tokens,
        "outputTokens": usage.output_tokens,
        "cacheReadTokens": usage.cache_read_tokens,
        "cacheWriteTokens": usage.cache_write_tokens,
    }


def _usage_from_json(value: Mapping[str, int]) -> Usage:
    return Usage(value["inputTokens"], value["outputTokens"], value.get("cacheReadTokens", 0), value.get("cacheWriteTokens", 0))
