"""The rules of the LLM APIs, one function a rule (VALID in the bug cases). Code and tests share them.

Each function returns one line for each place where its rule is broken.
"""

import json
from collections.abc import Callable, Sequence
from itertools import pairwise

from netaclaw.domain.messages import Message, Thinking


def broken_rules(context: Sequence[Message]) -> list[str]:
    """Return what is wrong with a context, one line a fault; an empty list means that a provider takes it."""
    return [fault for rule in RULES for fault in rule(context)]


def results_answer_the_call_before(context: Sequence[Message]) -> list[str]:
    """Each tool result answers a call of the assistant message directly before its block of results, and answers it alone."""
    faults: list[str] = []
    waiting: list[str] = []
    for index, message in enumerate(context):
        if message.role == "assistant":
            waiting = [call.id for call in message.tool_calls]
        elif message.role == "user":
            waiting = []
        elif message.role == "tool":
            if message.tool_call_id in waiting:
                waiting.remove(message.tool_call_id)
            else:
                faults.append(f"message {index}: result {message.tool_call_id!r} answers no open call before it")
    return faults


def calls_are_answered(context: Sequence[Message]) -> list[str]:
    """Every call has its result in the block of results directly behind it."""
    faults: list[str] = []
    for index, message in enumerate(context):
        if message.role != "assistant" or not message.tool_calls:
            continue
        answered: set[str | None] = set()
        following = index + 1
        while following < len(context) and context[following].role == "tool":
            answered.add(context[following].tool_call_id)
            following += 1
        faults += [f"message {index}: call {call.id!r} has no result" for call in message.tool_calls if call.id not in answered]
    return faults


def first_message_is_user(context: Sequence[Message]) -> list[str]:
    """The first message after the system prompt is a user message."""
    first = next((message for message in context if message.role != "system"), None)
    return [] if first is None or first.role == "user" else [f"the first message has role {first.role}"]


def some_user_message_has_text(context: Sequence[Message]) -> list[str]:
    """At least one user message has text."""
    if all(message.role == "system" for message in context) or any(m.role == "user" and m.text.strip() for m in context):
        return []
    return ["no user message has text"]


def roles_alternate(context: Sequence[Message]) -> list[str]:
    """No two neighbours among user and assistant messages have the same role; system messages do not separate."""
    talk = [message for message in context if message.role != "system"]
    return [
        f"two {later.role} messages in a row: {later.text[:40]!r}"
        for earlier, later in pairwise(talk)
        if earlier.role == later.role != "tool"
    ]


def only_assistants_call_tools(context: Sequence[Message]) -> list[str]:
    """No user, system or tool message carries a call."""
    return [
        f"message {index}: a {m.role} message calls a tool" for index, m in enumerate(context) if m.tool_calls and m.role != "assistant"
    ]


def arguments_are_json_objects(context: Sequence[Message]) -> list[str]:
    """The arguments of every call parse as a JSON object."""
    return [
        f"message {index}: arguments of {call.id!r} are no JSON object"
        for index, message in enumerate(context)
        for call in message.tool_calls
        if not _is_json_object(call.arguments)
    ]


def signed_thinking_is_untouched(context: Sequence[Message], stored: Sequence[Message]) -> list[str]:
    """Signed thinking blocks are byte-identical to stored ones, or absent."""
    known = {block for message in stored for block in _signed(message)}
    return [
        f"message {index}: a signed thinking block was altered"
        for index, message in enumerate(context)
        for block in _signed(message)
        if block not in known
    ]


def newest_request_is_present(context: Sequence[Message], stored: Sequence[Message]) -> list[str]:
    """The newest user message with text stands word for word in the context."""
    newest = next((message.text for message in reversed(stored) if message.role == "user" and message.text.strip()), None)
    if newest is None or any(newest in message.text for message in context if message.role == "user"):
        return []
    return ["the newest user message is lost"]


RULES: tuple[Callable[[Sequence[Message]], list[str]], ...] = (
    results_answer_the_call_before,
    calls_are_answered,
    first_message_is_user,
    some_user_message_has_text,
    roles_alternate,
    only_assistants_call_tools,
    arguments_are_json_objects,
)
"""The rules that hold for every request by itself."""


def _signed(message: Message) -> list[tuple[str, str | None, str | None]]:
    parts = (part for part in message.parts if isinstance(part, Thinking) and part.is_sent)
    return [(block.text, block.signature, block.encrypted) for block in parts]


def _is_json_object(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False
