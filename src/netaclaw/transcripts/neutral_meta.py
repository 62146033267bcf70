"""What the neutral form keeps in `meta`: known keys become fields and parts of the message and come back, others stay.

A known key whose value is not as expected stays in `Message.meta` as it is, so it comes back too.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, get_args

from netaclaw.domain.messages import Image, Message, Opaque, Origin, Part, Thinking, ToolCall
from netaclaw.transcripts.usage import parse_usage, usage_record

_IMAGE_KEYS = frozenset({"mime", "data", "url", "width", "height"})
_THINKING_KEYS = frozenset({"text", "signature", "encrypted"})
_ORIGINS = get_args(Origin)
_ORIGIN_KEYS: dict[Origin, str] = {"summary": "compact_summary", "notice": "is_meta"}
_Facts: TypeAlias = dict[str, Any]


def read_meta(message: Message, meta: Mapping[str, Any]) -> Message:
    """Return the message with what `meta` says of it."""
    left = dict(meta)
    fields: _Facts = {}
    for key in ("model", "stop_reason"):
        if isinstance(left.get(key), str):
            fields[key] = left.pop(key)
    if left.get("is_error") is True:
        fields["is_error"] = left.pop("is_error")
    origin = _take_origin(left)
    if origin is not None:
        fields["origin"] = origin
    usage = parse_usage(left.get("usage"))
    if usage is not None:
        fields["usage"] = usage
        if usage_record(usage) == left["usage"]:
            del left["usage"]
    thinking = _take(left, "thinking", _thinking)
    others = (*_take(left, "images", _images), *_take(left, "opaque", _opaque))
    content = [part for part in message.parts if not isinstance(part, ToolCall)]
    return replace(message, parts=(*thinking, *content, *others, *message.tool_calls), meta=left, **fields)


def write_meta(message: Message) -> _Facts:
    """Return the `meta` of the neutral record: the message's fields, then the foreign facts it carries."""
    facts: _Facts = {}
    if thinking := message.thinking:
        plain = len(thinking) == 1 and not thinking[0].is_sent and not thinking[0].extra
        facts["thinking"] = thinking[0].text if plain else [_thinking_record(block) for block in thinking]
    if images := message.images:
        facts["images"] = [_image_record(image) for image in images]
    if opaque := [part for part in message.parts if isinstance(part, Opaque)]:
        facts["opaque"] = [{"kind": part.kind, "payload": part.payload} for part in opaque]
    facts |= _usage_facts(message)
    for key in ("model", "stop_reason"):
        if (value := getattr(message, key)) is not None:
            facts[key] = value
    if message.is_error:
        facts["is_error"] = True
    if message.origin != "conversation" and message.meta.get("origin") != message.origin:
        facts[_ORIGIN_KEYS[message.origin]] = True
    return facts | {key: value for key, value in message.meta.items() if key not in facts and key != "usage"}


def _usage_facts(message: Message) -> _Facts:
    """The provider's own record while it says what the message says, else ours."""
    if "usage" in message.meta and parse_usage(message.meta["usage"]) == message.usage:
        return {"usage": message.meta["usage"]}
    return {"usage": usage_record(message.usage)} if message.usage else {}


def _take_origin(left: _Facts) -> Origin | None:
    """A stated `origin` stays in the facts, so that it comes back as it was."""
    if left.get("origin") in _ORIGINS:
        origin: Origin = left["origin"]
        return origin
    for origin, key in _ORIGIN_KEYS.items():
        if left.get(key) is True:
            del left[key]
            return origin
    return None


def _take(left: _Facts, key: str, parse: Callable[[Any], tuple[Part, ...] | None]) -> tuple[Part, ...]:
    parts = parse(left[key]) if key in left else None
    if not parts:
        return ()
    del left[key]
    return parts


def _thinking(value: Any) -> tuple[Part, ...] | None:
    if isinstance(value, str):
        return (Thinking(value),)
    if not _is_list_of(value, {"text": str}, {"signature": str, "encrypted": str}):
        return None
    return tuple(Thinking(block["text"], block.get("signature"), block.get("encrypted"), _others(block, _THINKING_KEYS)) for block in value)


def _thinking_record(block: Thinking) -> _Facts:
    stated = {"text": block.text, "signature": block.signature, "encrypted": block.encrypted}
    return {key: value for key, value in stated.items() if value is not None} | dict(block.extra or {})


def _images(value: Any) -> tuple[Part, ...] | None:
    if not _is_list_of(value, {"mime": str}, {"data": str, "url": str, "width": int, "height": int}):
        return None
    return tuple(
        Image(image["mime"], image.get("data"), image.get("url"), image.get("width"), image.get("height"), _others(image, _IMAGE_KEYS))
        for image in value
    )


def _image_record(image: Image) -> _Facts:
    stated = {"mime": image.media_type, "data": image.data, "url": image.url, "width": image.width, "height": image.height}
    return {key: value for key, value in stated.items() if value is not None} | dict(image.extra or {})


def _opaque(value: Any) -> tuple[Part, ...] | None:
    if not _is_list_of(value, {"kind": str, "payload": Mapping}, {}):
        return None
    return tuple(Opaque(block["kind"], block["payload"]) for block in value)


def _is_list_of(value: object, required: Mapping[str, type], optional: Mapping[str, type]) -> bool:
    """Whether `value` is a list of objects with these keys; an optional one may be absent, but not null."""
    if not isinstance(value, list):
        return False
    return all(
        isinstance(block, Mapping)
        and all(isinstance(block.get(key), kind) for key, kind in required.items())
        and all(isinstance(block[key], kind) for key, kind in optional.items() if key in block)
        for block in value
    )


def _others(block: Mapping[str, Any], known: frozenset[str]) -> _Facts | None:
    return {key: value for key, value in block.items() if key not in known} or None
