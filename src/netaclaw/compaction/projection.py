"""From stored messages to what a provider accepts: pairs complete, roles alternate, the first message is the user's.

Only the projection is mended, never what is stored. Every function is idempotent and leaves a healthy list as it is.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from netaclaw.compaction.grouping import Pairing, order_results, pair_calls
from netaclaw.compaction.prompts import wording
from netaclaw.compaction.settings import Language
from netaclaw.domain.messages import Message, Opaque, Part, Text, ToolCall, text_message

_MAX_NESTING = 200
_INTERRUPTED = frozenset({"aborted", "cancelled", "canceled", "error", "interrupted"})


@dataclass(frozen=True, slots=True)
class Settled:
    """Messages in an order that can be planned on, and which result answers which call."""

    messages: tuple[Message, ...]
    pairing: Pairing


def project(messages: Sequence[Message], language: Language = "en") -> tuple[Message, ...]:
    """Return the messages as the next request may carry them (DESIGN section 4, steps 4 and 5)."""
    return as_request(settle(messages, language))


def settle(messages: Sequence[Message], language: Language = "en") -> Settled:
    """Put the messages in an order that can be planned on.

    Every result stands behind its call, every call has one and usable arguments, empty messages are gone, a user speaks first.
    Results that answer no call stay: a summary may still tell of them.
    """
    answered = answer_calls(*order_results([_speaking(message) for message in messages if not _is_empty(message)]), language)
    body = next((index for index, message in enumerate(answered.messages) if message.role != "system"), len(answered.messages))
    starts_with_user = body < len(answered.messages) and answered.messages[body].role == "user"
    has_text = any(message.role == "user" and message.text.strip() for message in answered.messages)
    talked = any(message.role != "system" for message in messages)
    if not talked or (starts_with_user and has_text):
        return answered
    opening = text_message("user", wording(language).missing_start, origin="notice")
    opened = (*answered.messages[:body], opening, *answered.messages[body:])
    return Settled(opened, pair_calls(opened))


def as_request(settled: Settled) -> tuple[Message, ...]:
    """Return settled messages as a request carries them: without results that answer no call, roles in turns."""
    answering = settled.pairing.call_of
    carried = [message for index, message in enumerate(settled.messages) if message.role != "tool" or index in answering]
    return join_neighbours(speak_for_the_system(carried))


def answer_calls(messages: Sequence[Message], pairing: Pairing, language: Language = "en") -> Settled:
    """Give every call one result, an id and arguments that a provider takes.

    `messages` have their results in order (`order_results`). A gap is filled with the words for an interrupted call.
    """
    answered: list[Message] = []
    pending: list[Message] = []
    ids: dict[int, str] = {}
    has_gaps = False
    for index, message in enumerate(messages):
        if index not in pairing.call_of:
            answered += pending
            pending = []
        results = pairing.results.get(index)
        if results is not None:
            calls = _usable_calls(message.tool_calls)
            ids = {found: call.id for found, call in zip(results, calls, strict=True) if found is not None}
            pending = [_gap(call, language) for found, call in zip(results, calls, strict=True) if found is None]
            has_gaps = has_gaps or bool(pending)
            answered.append(_with_calls(message, calls))
        elif index in ids and message.tool_call_id != ids[index]:
            answered.append(replace(message, tool_call_id=ids[index]))
        else:
            answered.append(message)
    answered += pending
    return Settled(tuple(answered), pair_calls(answered) if has_gaps else pairing)


def refer_to_summary(messages: Sequence[Message], language: Language) -> tuple[Message, ...]:
    """Return a context that holds a summary with its gaps pointing there, except where the call is known to be interrupted."""
    words = wording(language)
    referring = list(messages)
    caller: Message | None = None
    for index, message in enumerate(messages):
        if message.role == "assistant":
            caller = message
        is_gap = message.role == "tool" and message.origin == "notice" and message.text == words.interrupted_call
        if is_gap and (caller is None or caller.stop_reason not in _INTERRUPTED):
            referring[index] = message.with_text(words.compacted_result)
    return tuple(referring)


def speak_for_the_system(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Turn a system message between two messages of one role into user text, so that these can be joined in their order."""
    roles = [message.role for message in messages]
    before: list[str | None] = []
    last: str | None = None
    for role in roles:
        before.append(last)
        last = role if role != "system" else last
    spoken = list(messages)
    following: str | None = None
    for index in range(len(messages) - 1, -1, -1):
        if roles[index] != "system":
            following = roles[index]
        elif following is not None and before[index] == following:
            spoken[index] = text_message("user", f"[SYSTEM] {messages[index].text}", origin="notice")
    return tuple(spoken)


def join_neighbours(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Join neighbours of the same role among user and assistant messages; their texts stay unchanged, a blank line apart."""
    joined: list[Message] = []
    run: list[Message] = []
    for message in messages:
        if run and (message.role not in ("user", "assistant") or message.role != run[0].role):
            joined.append(_join(run))
            run = []
        if message.role in ("user", "assistant"):
            run.append(message)
        else:
            joined.append(message)
    if run:
        joined.append(_join(run))
    return tuple(joined)


def arguments_object(arguments: str) -> str:
    """Return `arguments` if it is the JSON text of an object, else an object that holds the original text or value.

    Nesting beyond 200 levels counts as unreadable: whether it parses would depend on how deep the caller stands.
    """
    if not arguments.strip():
        return "{}"
    try:
        value = json.loads(arguments, parse_constant=_reject_constant)
        if isinstance(value, str) and isinstance(json.loads(value, parse_constant=_reject_constant), dict):
            return value  # encoded twice
    except (ValueError, RecursionError):
        value = arguments
    is_usable = isinstance(value, dict) and not _is_too_deep(value, arguments)
    return arguments if is_usable else json.dumps({"unreadable_arguments": arguments}, ensure_ascii=False)


def _is_too_deep(value: object, text: str) -> bool:
    if text.count("{") + text.count("[") <= _MAX_NESTING:
        return False
    level, depth = [value], 0
    while level and depth <= _MAX_NESTING:
        containers = [item.values() if isinstance(item, dict) else item for item in level if isinstance(item, dict | list)]
        level = [item for container in containers for item in container]
        depth += 1
    return bool(level)


def _speaking(message: Message) -> Message:
    """Only assistants call tools: a call in another's message becomes text."""
    if not message.tool_calls or message.role == "assistant":
        return message
    parts = tuple(Text(f"[CALL {part.name}] {part.arguments}") if isinstance(part, ToolCall) else part for part in message.parts)
    return replace(message, parts=parts, tokens=None)


def _is_empty(message: Message) -> bool:
    if message.role not in ("user", "assistant") or message.text.strip() or message.tool_calls or message.images:
        return False
    return not any(isinstance(part, Opaque) for part in message.parts) and not any(block.is_sent for block in message.thinking)


def _gap(call: ToolCall, language: Language) -> Message:
    return text_message("tool", wording(language).interrupted_call, tool_call_id=call.id, name=call.name or None, origin="notice")


def _usable_calls(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Give every call an id of its own within the message and arguments that are a JSON object."""
    usable: list[ToolCall] = []
    taken = {call.id for call in calls}
    seen: set[str] = set()
    for number, call in enumerate(calls, start=1):
        call_id = call.id
        if not call_id or call_id in seen:
            stem, suffix = call_id or "call", number
            while (call_id := f"{stem}_{suffix}") in taken or call_id in seen:
                suffix += 1
        seen.add(call_id)
        arguments = arguments_object(call.arguments)
        changed = call_id != call.id or arguments != call.arguments
        usable.append(replace(call, id=call_id, arguments=arguments) if changed else call)
    return usable


def _with_calls(message: Message, calls: Sequence[ToolCall]) -> Message:
    if all(old is new for old, new in zip(message.tool_calls, calls, strict=True)):
        return message
    new = iter(calls)
    return replace(message, parts=tuple(next(new) if isinstance(part, ToolCall) else part for part in message.parts), tokens=None)


def _join(run: Sequence[Message]) -> Message:
    if len(run) == 1:
        return run[0]
    last_message = run[-1]
    origins = {message.origin for message in run}
    return Message(
        role=last_message.role,
        parts=_joined_parts(run),
        name=last_message.name,
        usage=last_message.usage,
        model=last_message.model,
        stop_reason=last_message.stop_reason,
        origin=origins.pop() if len(origins) == 1 else "conversation",
        meta={key: value for message in run for key, value in message.meta.items()},
    )


def _joined_parts(run: Sequence[Message]) -> tuple[Part, ...]:
    """Texts that meet at a border become one part; parts within a message and marked ones (`extra`) stay their own."""
    parts: list[Part] = []
    meeting: list[str] = []
    for message in run:
        for number, part in enumerate(message.parts):
            if meeting and (number > 0 or not isinstance(part, Text) or part.extra is not None):
                parts.append(Text("\n\n".join(meeting)))
                meeting = []
            if isinstance(part, Text) and part.extra is None:
                meeting.append(part.text)
            else:
                parts.append(part)
    if meeting:
        parts.append(Text("\n\n".join(meeting)))
    return tuple(parts)


def _reject_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
