"""Requests of the Anthropic Messages API: reading.

A user message of tool results and text becomes one message for each result and one for the rest. What our messages have no
place for is kept under the key `anthropic`: of a part in `extra`, of a message in `meta`, so that writing the same form
again (`anthropic_request.py`) loses nothing. A text with such an `extra`, even an empty one, was a block in a list.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from netaclaw.domain.messages import Image, Message, Opaque, Part, Text, Thinking, ToolCall
from netaclaw.transcripts.base import Document, PlacedMessage, Record, called_tools, content_blocks, number_records
from netaclaw.transcripts.blocks import picture_of
from netaclaw.transcripts.json_text import json_text
from netaclaw.transcripts.kept_facts import ABSENT, without
from netaclaw.transcripts.lenient import id_text, optional_text, speaker, text_of
from netaclaw.transcripts.notes import Notes
from netaclaw.transcripts.openai import is_openai_tool_use
from netaclaw.transcripts.usage import parse_usage

FORMAT = "anthropic"

_OWN_BLOCKS = ("tool_use", "tool_result", "thinking", "redacted_thinking", "document", "server_tool_use")
_SOURCE_KEYS = ("type", "media_type", "data", "url")


def from_anthropic(document: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[Message]:
    """Return the messages of a request (`system`, `messages`) or of a list of its messages."""
    notes = Notes("input")
    if not isinstance(document, Mapping):
        return [message for _, message in _read(number_records(document), notes)]
    listed = document.get("messages")
    records = number_records(listed if isinstance(listed, Sequence) else [document])
    return [*_system(document), *(message for _, message in _read(records, notes))]


class AnthropicReader:
    """Reads a request object, an array of its messages, or one message a line."""

    name = FORMAT

    def sniff(self, document: Document) -> bool:
        """Whether there are chat messages, blocks or a system prompt of this form, and no calls of the OpenAI form."""
        sample = document.chat_sample
        if not sample or any(is_openai_tool_use(message) for message in sample):
            return False
        has_prompt = "system" in document.top and document.chat is not document.records
        return has_prompt or any(_is_own(block) for message in sample for block in content_blocks(message))

    def read(self, document: Document, notes: Notes) -> list[PlacedMessage]:
        """Return the system prompt and the messages in the order of the file."""
        is_request = document.chat is not document.records
        prompt = [(document.records[0], message) for message in _system(document.top)] if is_request else []
        return [*prompt, *_read(document.chat, notes)]


def anthropic_parts(blocks: Sequence[object]) -> list[Part]:
    """Return content blocks as parts in their order."""
    return [_part(block) if isinstance(block, Mapping) else Text(text_of(block), {FORMAT: {}}) for block in blocks]


def anthropic_result(block: Mapping[str, Any]) -> Message:
    """Return a `tool_result` block as a message."""
    content = block.get("content")
    parts = _content_parts(content)
    facts: dict[str, Any] = {}
    if not parts and content != "":
        facts["empty"] = content if "content" in block and content in (None, []) else ABSENT
    if kept := without(block, "type", "tool_use_id", "content", *(("is_error",) if block.get("is_error") is True else ())):
        facts["block"] = kept
    return Message(
        "tool",
        tuple(parts),
        tool_call_id=id_text(block.get("tool_use_id")),
        is_error=block.get("is_error") is True,
        meta={FORMAT: facts} if facts else {},
    )


def is_result(block: object) -> bool:
    """Whether a content block is the result of a tool."""
    return isinstance(block, Mapping) and block.get("type") == "tool_result"


def _is_own(block: Mapping[str, Any]) -> bool:
    return block.get("type") in _OWN_BLOCKS or (block.get("type") == "image" and isinstance(block.get("source"), Mapping))


def _system(document: Mapping[str, Any]) -> list[Message]:
    parts = _content_parts(document.get("system"))
    return [Message("system", tuple(parts))] if parts else []


def _read(records: Sequence[Record], notes: Notes) -> list[PlacedMessage]:
    placed: list[PlacedMessage] = []
    for record in records:
        placed.extend((record, message) for message in _messages(record, notes))
    return placed


def _messages(record: Record, notes: Notes) -> list[Message]:
    said_by = speaker(record, notes)
    if said_by is None:
        return []
    role, origin = said_by
    value = record.value
    content = value.get("content")
    results: list[Message] = []
    if isinstance(content, list):
        results = [anthropic_result(block) for block in content if is_result(block)]
        if results and role == "user" and not all(is_result(block) for block in content[: len(results)]):
            notes.add("messages with content before their tool results", "the tool results were put before the other content", record)
        content = [block for block in content if not is_result(block)]
    if called_tools(value):
        notes.add("calls of another form", "`tool_calls` is not of this form; it was left out", record)
    rest: list[Message] = []
    if not results or content:
        call_id = id_text(value.get("tool_call_id")) if role == "tool" else None
        rest = [Message(role, tuple(_content_parts(content)), tool_call_id=call_id, origin=origin)]
    messages = [*rest, *results] if role == "assistant" else [*results, *rest]
    return [_with_keys(messages[0], value), *messages[1:]]


def _with_keys(message: Message, value: Mapping[str, Any]) -> Message:
    """Keep the keys of a recorded response (id, model, usage ...) with its first message."""
    keys = without(value, "role", "content")
    if not keys:
        return message
    return replace(
        message,
        usage=parse_usage(value.get("usage")),
        model=optional_text(value.get("model")),
        stop_reason=optional_text(value.get("stop_reason")),
        meta={FORMAT: {**message.meta.get(FORMAT, {}), "keys": keys}},
    )


def _content_parts(content: object) -> list[Part]:
    if isinstance(content, list):
        return anthropic_parts(content)
    text = text_of(content)
    return [Text(text)] if text else []


def _part(block: Mapping[str, Any]) -> Part:
    kind = block.get("type", "text" if "text" in block else None)
    match kind:
        case "text":
            return Text(text_of(block.get("text")), {FORMAT: without(block, "type", "text")})
        case "thinking":
            signature = optional_text(block.get("signature"))
            return Thinking(text_of(block.get("thinking")), signature, extra=_kept(block, "type", "thinking", "signature"))
        case "redacted_thinking" if isinstance(block.get("data"), str):
            return Thinking("", encrypted=block["data"], extra=_kept(block, "type", "data"))
        case "tool_use":
            arguments = json_text(block.get("input") if block.get("input") is not None else {})
            return ToolCall(id_text(block.get("id")), text_of(block.get("name")), arguments, _kept(block, "type", "id", "name", "input"))
        case str():
            return _picture(block) or Opaque(kind, block)
        case _:
            return Text(text_of(block), {FORMAT: {}})


def _picture(block: Mapping[str, Any]) -> Image | None:
    image = picture_of(block)
    if image is None or not isinstance(block.get("source"), Mapping):
        return image
    facts = without(block, "type", "source")
    if kept := without(block["source"], *_SOURCE_KEYS):
        facts["source"] = kept
    return replace(image, extra={FORMAT: facts})


def _kept(block: Mapping[str, Any], *known: str) -> dict[str, Any] | None:
    facts = without(block, *known)
    return {FORMAT: facts} if facts else None
