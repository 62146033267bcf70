"""Chat messages of the OpenAI API: writing. Messages of another form become valid ones: no foreign keys, no thinking.

Pictures of tool results travel in a user message behind the block of results, because a result carries text only.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from netaclaw.domain.messages import Image, Message, Opaque, Part, Text, Thinking, ToolCall
from netaclaw.transcripts.blocks import image_note, url_of_image
from netaclaw.transcripts.kept_facts import ABSENT, emptiness, facts_of, is_block_of, nested_facts
from netaclaw.transcripts.lenient import parsed_arguments, text_of
from netaclaw.transcripts.openai import FORMAT, OPAQUE_PREFIX, REASONING

_Json: TypeAlias = dict[str, Any]
_Pictures: TypeAlias = Literal["held", "moved", "named"]
"""What becomes of pictures: they stay, travel behind the block of results, or are named in words."""
_PICTURES_OF_RESULTS = "[Pictures of the tool results above]"
_PICTURES_BELOW = "[see the pictures in the next message]"


def to_openai(messages: Sequence[Message]) -> list[_Json]:
    """Return the messages as chat messages; what `from_openai` read comes back as it was."""
    written: list[_Json] = []
    waiting: list[_Json] = []
    for message in messages:
        if message.role == "tool":
            written.append(_result(message))
            waiting.extend(_picture_block(image) for image in _moved_pictures(message))
            continue
        written.extend(_message_of_pictures(waiting))
        waiting = []
        written.append(_message(message))
    written.extend(_message_of_pictures(waiting))
    return written


def _message(message: Message) -> _Json:
    facts = nested_facts(message.meta, FORMAT)
    calls = [_call(call) for call in message.tool_calls]
    record: _Json = {"role": "developer" if message.role == "system" and facts.get("role") == "developer" else message.role}
    content = _content(message.parts, "held" if message.role == "user" else "named")
    if content is None:
        content = emptiness(facts, " ".join(map(image_note, message.images)) or (None if calls else ""))
    if content != ABSENT:
        record["content"] = content
    if message.name:
        record["name"] = message.name
    for part in message.parts:
        if facts_of(part, FORMAT).get("key") in (REASONING, "refusal") and isinstance(part, Text | Thinking):
            record[facts_of(part, FORMAT)["key"]] = part.text
    if calls:
        record["tool_calls"] = calls
    return record | {key: value for key, value in nested_facts(facts, "keys").items() if key not in record}


def _result(message: Message) -> _Json:
    facts = nested_facts(message.meta, FORMAT)
    content = _content(message.parts, "moved")
    if content is None:
        content = emptiness(facts, _PICTURES_BELOW if _moved_pictures(message) else "")
    record: _Json = {"role": "tool", "tool_call_id": message.tool_call_id or ""}
    if content != ABSENT:
        record["content"] = content
    if message.name:
        record["name"] = message.name
    return record | {key: value for key, value in nested_facts(facts, "keys").items() if key not in record}


def _content(parts: Sequence[Part], pictures: _Pictures) -> str | list[_Json] | None:
    """Return a text if nothing needs a list, and None for no content."""
    blocks: list[_Json] = []
    texts: list[str] = []
    needs_list = False
    for part in parts:
        block = _block(part, pictures)
        if block is None:
            continue
        blocks.append(block)
        needs_list = needs_list or is_block_of(part, FORMAT) or block.get("type") == "image_url"
        texts.append(text_of(block.get("text")))
    if not blocks:
        return None
    return blocks if needs_list else "\n".join(texts)


def _block(part: Part, pictures: _Pictures) -> _Json | None:
    match part:
        case Text():
            return _text_block(part)
        case Image():
            if is_block_of(part, FORMAT) or (pictures == "held" and part.is_sent):
                return _picture_block(part)
            return {"type": "text", "text": image_note(part)} if pictures == "named" and part.is_sent else None
        case Opaque():
            own = part.kind.startswith(OPAQUE_PREFIX)
            return dict(part.payload) if own else {"type": "text", "text": f"[{part.kind}]"}
        case _:
            return None


def _text_block(part: Text) -> _Json | None:
    facts = facts_of(part, FORMAT)
    if facts.get("key") == "refusal":
        return None
    if facts.get("type") == "refusal":
        return {"refusal": part.text, **facts}
    return {"type": "text", "text": part.text, **facts} if part.text or is_block_of(part, FORMAT) else None


def _picture_block(image: Image) -> _Json:
    facts = facts_of(image, FORMAT)
    url = url_of_image(image)
    inner = nested_facts(facts, "image_url")
    is_text = "image_url" in facts and facts["image_url"] is None
    facts.pop("image_url", None)
    if facts.get("type") == "input_image" and not inner:
        return {"image_url": url, **facts}
    return {"type": "image_url", "image_url": url if is_text else {"url": url, **inner}, **facts}


def _call(call: ToolCall) -> _Json:
    facts = facts_of(call, FORMAT)
    others = {key: value for key, value in facts.items() if key not in ("custom", "function")}
    if facts.get("type") == "custom":
        custom = {"name": call.name, "input": _custom_input(call), **nested_facts(facts, "custom")}
        return {"id": call.id, "custom": custom, **others}
    function = {"name": call.name, "arguments": call.arguments, **nested_facts(facts, "function")}
    return {"id": call.id, "type": "function", "function": function, **others}


def _custom_input(call: ToolCall) -> Any:
    """The free text of a custom tool's call, which `from_openai` put into an object."""
    return parsed_arguments(call).get("input", call.arguments)


def _moved_pictures(message: Message) -> list[Image]:
    return [image for image in message.images if image.is_sent and not is_block_of(image, FORMAT)]


def _message_of_pictures(blocks: list[_Json]) -> list[_Json]:
    return [{"role": "user", "content": [{"type": "text", "text": _PICTURES_OF_RESULTS}, *blocks]}] if blocks else []
