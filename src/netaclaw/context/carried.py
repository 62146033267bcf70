"""What a request carries of one stored entry: the message with its attachment, replacements and interruption."""

from collections.abc import Mapping
from dataclasses import replace

from netaclaw.compaction.settings import Language
from netaclaw.domain.entries import BranchSummaryPayload, Entry, MessagePayload
from netaclaw.domain.messages import Message, Part, Text, ToolCall, text_message
from netaclaw.sessions.tree import Replacements

_BRANCH = {
    "zh": "[另一分支的摘要] 以下内容发生在已离开的分支上，仅作背景。",
    "en": "[BRANCH SUMMARY] This happened on a branch that was left; it is background only.",
}


def stored_message(payload: MessagePayload) -> Message:
    """Return a stored message as a request carries it; the count that an entry is written with is the count of this."""
    message = payload.message
    if payload.attached and message.role == "user":
        message = replace(message, parts=(*message.parts, Text(payload.attached)), tokens=None)
    if payload.is_interrupted and message.role == "assistant":
        message = replace(message, stop_reason="interrupted")
    return message


def carried_message(entry: Entry, replaced: Replacements, language: Language) -> Message | None:
    """Return the message of an entry with its replacements applied, and None for an entry that no request carries."""
    match entry.payload:
        case MessagePayload():
            message = stored_message(entry.payload)
            message = replace(message, entry_id=entry.id, tokens=entry.tokens or message.tokens)
            return _replaced(message, entry.id, replaced)
        case BranchSummaryPayload(summary=summary):
            return text_message("user", f"{_BRANCH[language]}\n\n{summary}", origin="notice", entry_id=entry.id)
        case _:
            return None


def words_only(message: Message) -> Message:
    """Return a kept message with its words alone: its calls and their results are in the summary."""
    if not message.tool_calls:
        return message
    return replace(message, parts=tuple(part for part in message.parts if isinstance(part, Text)), tokens=None)


def _replaced(message: Message, entry_id: int, replaced: Replacements) -> Message:
    if entry_id in replaced.texts:
        message = message.with_text(replaced.texts[entry_id])
    if entry_id in replaced.arguments and message.tool_calls:
        message = _with_arguments(message, replaced.arguments[entry_id])
    return message


def _with_arguments(message: Message, arguments: Mapping[int, str]) -> Message:
    parts: list[Part] = []
    number = 0
    for part in message.parts:
        if isinstance(part, ToolCall):
            parts.append(replace(part, arguments=arguments.get(number, part.arguments)))
            number += 1
        else:
            parts.append(part)
    return replace(message, parts=tuple(parts), tokens=None)


def without_attached(message: Message) -> Message:
    """Return a user message without what was attached to it; its known count stays."""
    last = message.parts[-1] if message.parts else None
    is_attached = message.role == "user" and isinstance(last, Text) and last.text.startswith("<state>\n") and last.text.endswith("</state>")
    return replace(message, parts=message.parts[:-1]) if is_attached and len(message.parts) > 1 else message
