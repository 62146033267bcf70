"""Chat messages of the OpenAI API (and the many that speak like it): reading.

What our messages have no place for is kept under the key `openai`: of a part in `extra`, of a message in `meta`, so that
writing the same form again (`openai_request.py`) loses nothing. A text with such an `extra`, even an empty one, was a
block in a list. The legacy function form becomes the tool form.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from netaclaw.domain.messages import Image, Message, Opaque, Part, Role, Text, Thinking, ToolCall
from netaclaw.transcripts.base import Document, PlacedMessage, Record, called_tools, content_blocks, number_records
from netaclaw.transcripts.blocks import picture_of
from netaclaw.transcripts.json_text import json_text
from netaclaw.transcripts.kept_facts import ABSENT, without
from netaclaw.transcripts.lenient import arguments_text, id_text, optional_text, speaker, text_of, usable_calls
from netaclaw.transcripts.neutral import is_neutral
from netaclaw.transcripts.notes import Notes

FORMAT = "openai"
REASONING = "reasoning_content"
OPAQUE_PREFIX = "openai."
"""Marks the kind of blocks that only this form knows."""

_READ_KEYS = frozenset({"role", "content", "name", "tool_calls", "tool_call_id", REASONING, "refusal", "function_call"})
_TEXT_KEYS = frozenset({"name", REASONING, "refusal"})
_TEXT_BLOCKS = ("text", "input_text", "output_text")
_OWN_BLOCKS = ("image_url", "input_image", "input_audio", "input_text", "output_text", "refusal")
_OWN_ROLES = ("developer", "function")


def from_openai(document: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[Message]:
    """Return the messages of a list of chat messages or of a request with `messages`."""
    listed = document.get("messages") if isinstance(document, Mapping) else document
    messages = listed if isinstance(listed, Sequence) else [document]
    return [message for _, message in _read(number_records(messages), Notes("input"))]


class OpenAIReader:
    """Reads chat messages from an array, a request object, or JSON Lines."""

    name = FORMAT

    def sniff(self, document: Document) -> bool:
        """Whether these are chat messages and nothing says that they are neutral; bare ones in JSON Lines count as neutral."""
        sample = document.chat_sample
        if not sample or any(is_neutral(message) for message in sample):
            return False
        return document.form != "lines" or any(_is_own(message) for message in sample)

    def read(self, document: Document, notes: Notes) -> list[PlacedMessage]:
        """Return the messages in the order of the file, then the reply where a log of the request holds it."""
        return _read([*document.chat, *_logged_reply(document)], notes)


def is_openai_tool_use(message: Mapping[str, Any]) -> bool:
    """Whether a chat message uses tools in the way of this form."""
    return message.get("role") in ("tool", "function") or "function_call" in message or bool(called_tools(message))


def _is_own(message: Mapping[str, Any]) -> bool:
    return (
        message.get("role") in _OWN_ROLES
        or isinstance(message.get("function_call"), Mapping)
        or REASONING in message
        or any("function" in call or call.get("type") == "custom" for call in called_tools(message))
        or any(block.get("type") in _OWN_BLOCKS for block in content_blocks(message))
    )


def _logged_reply(document: Document) -> list[Record]:
    response = document.top.get("response")
    choices = response.get("choices") if isinstance(response, Mapping) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return []
    reply = choices[0].get("message")
    return [Record(reply, len(document.chat) + 1)] if isinstance(reply, Mapping) else []


def _read(records: Sequence[Record], notes: Notes) -> list[PlacedMessage]:
    placed: list[PlacedMessage] = []
    legacy = _LegacyCalls()
    for record in records:
        message = _message(record, legacy, notes)
        if message is not None:
            placed.append((record, message))
    return placed


def _message(record: Record, legacy: "_LegacyCalls", notes: Notes) -> Message | None:
    said_by = speaker(record, notes)
    if said_by is None:
        return None
    role, origin = said_by
    value = record.value
    content = _content_parts(value.get("content"))
    calls = _calls(record, legacy, notes) if role == "assistant" else []
    before, after = _reasoning_and_refusal(value)
    call_id = (legacy.answer(value) if value.get("role") == "function" else id_text(value.get("tool_call_id"))) if role == "tool" else None
    facts = _facts(value, role, is_empty=not content, has_calls=bool(calls))
    return Message(
        role,
        (*before, *content, *after, *calls),
        tool_call_id=call_id,
        name=optional_text(value.get("name")),
        origin=origin,
        meta={FORMAT: facts} if facts else {},
    )


def _content_parts(content: object) -> list[Part]:
    if isinstance(content, str):
        return [Text(content)] if content else []
    if not isinstance(content, list):
        text = text_of(content)
        return [Text(text)] if text else []
    return [_part(block) if isinstance(block, Mapping) else Text(text_of(block), {FORMAT: {}}) for block in content]


def _part(block: Mapping[str, Any]) -> Part:
    kind = block.get("type", "text")
    if not isinstance(kind, str):
        return Text(text_of(block), {FORMAT: {}})
    if kind in _TEXT_BLOCKS:
        return Text(text_of(block.get("text")), {FORMAT: without(block, "text", "type") if kind == "text" else without(block, "text")})
    if kind == "refusal" and isinstance(block.get("refusal"), str):
        return Text(block["refusal"], {FORMAT: without(block, "refusal")})
    image = picture_of(block)
    if image is not None and kind != "image":
        return _image(image, block)
    return Opaque(f"{OPAQUE_PREFIX}{kind}", block)


def _image(image: Image, block: Mapping[str, Any]) -> Image:
    inner = block["image_url"]
    facts = without(block, "image_url") if block["type"] == "input_image" else without(block, "image_url", "type")
    if isinstance(inner, Mapping) and (kept := without(inner, "url")):
        facts["image_url"] = kept
    elif not isinstance(inner, Mapping) and block["type"] == "image_url":
        facts["image_url"] = None
    return Image(image.media_type, image.data, image.url, extra={FORMAT: facts})


def _calls(record: Record, legacy: "_LegacyCalls", notes: Notes) -> list[ToolCall]:
    value = record.value
    calls = [_call(call) for call in usable_calls(value.get("tool_calls"), record, notes)] if value.get("tool_calls") else []
    if not calls and isinstance(value.get("function_call"), Mapping):
        calls.append(legacy.call(value["function_call"]))
    return calls


def _call(call: Mapping[str, Any]) -> ToolCall:
    function = call.get("function")
    custom = call.get("custom")
    if call.get("type") == "custom" and isinstance(custom, Mapping):
        facts = without(call, "id", "custom") | ({"custom": kept} if (kept := without(custom, "name", "input")) else {})
        return ToolCall(id_text(call.get("id")), text_of(custom.get("name")), json_text({"input": custom.get("input")}), {FORMAT: facts})
    named = function if isinstance(function, Mapping) else call
    left = ("id", "type", "function") if isinstance(function, Mapping) else ("id", "type", "function", "name", "arguments")
    facts = without(call, *left)
    if isinstance(call.get("type"), str) and call["type"] not in ("function", "custom"):
        facts["type"] = call["type"]
    if isinstance(function, Mapping) and (kept := without(function, "name", "arguments")):
        facts["function"] = kept
    arguments = arguments_text(named.get("arguments"))
    return ToolCall(id_text(call.get("id")), text_of(named.get("name")), arguments, {FORMAT: facts} if facts else None)


def _reasoning_and_refusal(value: Mapping[str, Any]) -> tuple[list[Part], list[Part]]:
    reasoning, refusal = optional_text(value.get(REASONING)), optional_text(value.get("refusal"))
    return (
        [Thinking(reasoning, extra={FORMAT: {"key": REASONING}})] if reasoning else [],
        [Text(refusal, {FORMAT: {"key": "refusal"}})] if refusal else [],
    )


def _facts(value: Mapping[str, Any], role: Role, *, is_empty: bool, has_calls: bool) -> dict[str, Any]:
    """What of a message is not in its fields and parts: the original role, how it was empty, keys we do not read."""
    facts: dict[str, Any] = {}
    if value.get("role") == "developer":
        facts["role"] = "developer"
    if is_empty:
        empty = value.get("content", ABSENT)
        usual = None if role == "assistant" and has_calls else ""
        if empty != usual and empty in (None, "", [], ABSENT):
            facts["empty"] = empty
    keys = {key: item for key, item in value.items() if not _is_read(key, item, role)}
    if keys:
        facts["keys"] = keys
    return facts


def _is_read(key: str, item: object, role: Role) -> bool:
    """Whether a key went into the message, so that writing gives it back."""
    if key in ("role", "content"):
        return True
    if key == "tool_call_id":
        return role == "tool"
    return bool(item) and key in _READ_KEYS and (key not in _TEXT_KEYS or isinstance(item, str))


class _LegacyCalls:
    """Gives the calls of the legacy function form ids, and finds the id that a function's answer belongs to."""

    def __init__(self) -> None:
        self._count = 0
        self._open: list[tuple[str, str]] = []

    def call(self, function_call: Mapping[str, Any]) -> ToolCall:
        """Return a `function_call` as a tool call with an id of its own."""
        self._count += 1
        name = text_of(function_call.get("name"))
        call = ToolCall(f"call_function_{self._count}", name, arguments_text(function_call.get("arguments")))
        self._open.append((name, call.id))
        return call

    def answer(self, value: Mapping[str, Any]) -> str:
        """Return the id of the newest open call of the function that this message answers; empty if there is none."""
        if value.get("tool_call_id") is not None:
            return id_text(value["tool_call_id"])
        name = value.get("name")
        for index in range(len(self._open) - 1, -1, -1):
            if name is None or self._open[index][0] == name:
                return self._open.pop(index)[1]
        return ""
