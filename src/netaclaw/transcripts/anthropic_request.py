"""Requests of the Anthropic Messages API: writing. Messages of another form become valid ones.

Call ids are unique in the whole request, results come first in their user message, neighbours of one role are one
message, no text is empty, thinking is there only with its signature.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from netaclaw.domain.messages import Image, Message, Opaque, Part, Text, Thinking, ToolCall
from netaclaw.transcripts.anthropic import FORMAT
from netaclaw.transcripts.blocks import image_note
from netaclaw.transcripts.kept_facts import ABSENT, emptiness, facts_of, is_block_of, nested_facts
from netaclaw.transcripts.lenient import parsed_arguments
from netaclaw.transcripts.openai import OPAQUE_PREFIX
from netaclaw.transcripts.unique_ids import with_unique_call_ids

_Json: TypeAlias = dict[str, Any]

_MEDIA_TYPES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_FOREIGN_NAME_CHARS = re.compile(r"[^a-zA-Z0-9_-]")
_NAME_CHARS = 128


@dataclass(slots=True)
class _Turn:
    """One message of the request while it is put together."""

    role: str
    blocks: list[_Json]
    text: str | None
    """The content as plain text, if the turn is one message that needs no list."""
    keys: _Json = field(default_factory=dict)


def to_anthropic(messages: Sequence[Message]) -> _Json:
    """Return `{"system": ..., "messages": [...]}`; what `from_anthropic` read comes back as it was."""
    spoken = next((index for index, message in enumerate(messages) if message.role != "system"), len(messages))
    turns: list[_Turn] = []
    for message in with_unique_call_ids(messages[spoken:]):
        turn = _turn(message)
        if not turn.blocks and turn.text is None:
            continue
        if turns and turns[-1].role == turn.role:
            turns[-1] = _joined(turns[-1], turn)
        else:
            turns.append(turn)
    request: _Json = {"messages": [_message(turn) for turn in turns]}
    system = _system(messages[:spoken])
    return {"system": system, **request} if system else request


def _turn(message: Message) -> _Turn:
    facts = nested_facts(message.meta, FORMAT)
    keys = nested_facts(facts, "keys")
    if message.role == "tool":
        return _Turn("user", [_result(message, facts)], None, keys)
    if message.role == "system":
        text = f"[SYSTEM] {message.text}" if message.text.strip() else ""
        return _Turn("user", [_text(text)] if text else [], text or None)
    blocks = _blocks(message.parts, is_assistant=message.role == "assistant")
    if not blocks and message.images:
        blocks = [_text(image_note(image)) for image in message.images]
    return _Turn(message.role, blocks, _plain(message.parts), keys)


def _joined(first: _Turn, second: _Turn) -> _Turn:
    return _Turn(first.role, [*first.blocks, *second.blocks], None, first.keys | second.keys)


def _message(turn: _Turn) -> _Json:
    results = [block for block in turn.blocks if block.get("type") == "tool_result"] if turn.role == "user" else []
    blocks = [*results, *(block for block in turn.blocks if block.get("type") != "tool_result")] if results else turn.blocks
    return {"role": turn.role, "content": blocks if turn.text is None else turn.text, **turn.keys}


def _system(messages: Sequence[Message]) -> str | list[_Json] | None:
    if all(_plain(message.parts) is not None or not message.parts for message in messages):
        return "\n\n".join(message.text for message in messages if message.text) or None
    return [block for message in messages for block in _blocks(message.parts, is_assistant=False) if block.get("type") == "text"] or None


def _plain(parts: Sequence[Part]) -> str | None:
    """Return the text of content that was a text, not a list of blocks."""
    if len(parts) != 1 or not isinstance(parts[0], Text) or is_block_of(parts[0], FORMAT):
        return None
    return parts[0].text or None


def _blocks(parts: Sequence[Part], *, is_assistant: bool) -> list[_Json]:
    blocks = (_block(part, is_assistant) for part in parts)
    return [block for block in blocks if block is not None]


def _block(part: Part, is_assistant: bool) -> _Json | None:
    match part:
        case Text():
            is_sent = part.text.strip() or (part.text and is_block_of(part, FORMAT))
            return {**_text(part.text), **facts_of(part, FORMAT)} if is_sent else None
        case Image():
            return _picture(part, is_assistant)
        case Thinking():
            return _thinking(part)
        case ToolCall():
            return _call(part)
        case Opaque():
            return _text(f"[{part.kind.removeprefix(OPAQUE_PREFIX)}]") if part.kind.startswith(OPAQUE_PREFIX) else dict(part.payload)


def _text(text: str) -> _Json:
    return {"type": "text", "text": text}


def _picture(image: Image, is_assistant: bool) -> _Json | None:
    if not image.is_sent:
        return None
    facts = facts_of(image, FORMAT)
    kept = nested_facts(facts, "source")
    facts.pop("source", None)
    if image.data is not None and (image.media_type in _MEDIA_TYPES or is_block_of(image, FORMAT)):
        source = {"type": "base64", "media_type": image.media_type, "data": image.data}
    elif image.url is not None and (image.url.startswith(("https://", "http://")) or is_block_of(image, FORMAT)):
        source = {"type": "url", "url": image.url}
    else:
        return _text(image_note(image))
    if is_assistant and not is_block_of(image, FORMAT):
        return _text(image_note(image))
    return {"type": "image", "source": {**source, **kept}, **facts}


def _thinking(block: Thinking) -> _Json | None:
    if block.encrypted is not None:
        return {"type": "redacted_thinking", "data": block.encrypted, **facts_of(block, FORMAT)}
    if block.signature is None:
        return None
    return {"type": "thinking", "thinking": block.text, "signature": block.signature, **facts_of(block, FORMAT)}


def _call(call: ToolCall) -> _Json:
    name = _FOREIGN_NAME_CHARS.sub("_", call.name)[:_NAME_CHARS] or "tool"
    return {"type": "tool_use", "id": call.id, "name": name, "input": parsed_arguments(call), **facts_of(call, FORMAT)}


def _result(message: Message, facts: Mapping[str, Any]) -> _Json:
    block: _Json = {"type": "tool_result", "tool_use_id": message.tool_call_id or ""}
    content = _plain(message.parts) or _blocks(message.parts, is_assistant=False)
    if not content:
        content = emptiness(facts, " ".join(map(image_note, message.images)))
    if content != ABSENT:
        block["content"] = content
    if message.is_error:
        block["is_error"] = True
    return {**block, **nested_facts(facts, "block")}
