"""Sessions of pi (and of OpenClaw, which writes the same form): JSON Lines, a tree of entries since version 2.

What is read is what the model saw: the path from the root to the last entry, and of that the newest summary, then the
entries from the first kept one on. A tree that has gaps is followed in the order of the file.
"""

from collections.abc import Mapping
from typing import Any

from netaclaw.domain.messages import Message, Origin, Part, Text, Thinking, ToolCall
from netaclaw.transcripts.base import Document, PlacedMessage, Record, content_blocks
from netaclaw.transcripts.blocks import picture_of
from netaclaw.transcripts.lenient import arguments_text, id_text, optional_text, speaker, text_of
from netaclaw.transcripts.notes import Notes
from netaclaw.transcripts.pi_tree import active_path, visible_entries
from netaclaw.transcripts.usage import parse_usage

FORMAT = "pi"

_OWN_TYPES = ("model_change", "thinking_level_change", "compaction", "branch_summary", "custom_message")
_NOTICE_ROLES = ("custom", "hookMessage", "bashExecution", "branchSummary")
_SUMMARY_ROLE = "compactionSummary"


class PiReader:
    """Reads a session file, a piece of one without its header, or bare messages of one."""

    name = FORMAT

    def sniff(self, document: Document) -> bool:
        """Whether entries or messages of this form are among the first records, and no session of Droid, which looks alike."""
        values = [record.value for record in document.sample]
        if any(value.get("type") == "session_start" for value in values):
            return False
        return any(_is_own(value) for value in values)

    def read(self, document: Document, notes: Notes) -> list[PlacedMessage]:
        """Return what the model saw at the last entry."""
        placed: list[PlacedMessage] = []
        for entry in visible_entries(active_path(document.records, notes), notes):
            message = _message_of_entry(entry, notes)
            if message is not None:
                placed.append((entry, message))
        return placed


def _is_own(value: Mapping[str, Any]) -> bool:
    kind, message = value.get("type"), value.get("message")
    if kind == "session" and "id" in value:
        return True
    if kind == "message" and isinstance(message, Mapping):
        return "role" in message and "content" in message
    if kind in _OWN_TYPES and ("timestamp" in value or "parentId" in value):
        return True
    return kind is None and _is_bare_message(value)


def _is_bare_message(value: Mapping[str, Any]) -> bool:
    if value.get("role") == "toolResult" and "toolCallId" in value:
        return True
    return value.get("role") == "assistant" and any(
        block.get("type") == "toolCall" or "thinkingSignature" in block for block in content_blocks(value)
    )


def _message_of_entry(entry: Record, notes: Notes) -> Message | None:
    value = entry.value
    match value.get("type"):
        case "message" | None:
            message = value.get("message", value)
            return _message(Record(message, entry.number, entry.line), value, notes) if isinstance(message, Mapping) else None
        case "compaction":
            facts = {key: value[key] for key in ("tokensBefore",) if key in value}
            return _spoken_for(value.get("summary"), "summary", value, {"compaction": facts} if facts else {})
        case "branch_summary":
            return _spoken_for(value.get("summary"), "notice", value)
        case "custom_message":
            return _spoken_for(value.get("content"), "notice", value)
        case _:
            return None


def _spoken_for(content: object, origin: Origin, entry: Mapping[str, Any], facts: Mapping[str, Any] | None = None) -> Message | None:
    parts = _parts(content, signs_thinking=False)
    return Message("user", tuple(parts), origin=origin, meta={**(facts or {}), **_time(entry)}) if parts else None


def _message(record: Record, entry: Mapping[str, Any], notes: Notes) -> Message | None:
    value = record.value
    stated = value.get("role")
    if stated == _SUMMARY_ROLE:
        return _spoken_for(value.get("summary"), "summary", entry)
    if stated in _NOTICE_ROLES:
        return _notice(value, entry)
    said_by = speaker(record, notes)
    if said_by is None:
        return None
    role, origin = said_by
    error = value.get("errorMessage")
    return Message(
        role,
        tuple(_parts(value.get("content"), signs_thinking=_signs_thinking(value))),
        tool_call_id=id_text(value.get("toolCallId")) if role == "tool" else None,
        name=optional_text(value.get("toolName")),
        is_error=value.get("isError") is True,
        usage=parse_usage(value.get("usage")),
        model=optional_text(value.get("model")),
        stop_reason=optional_text(value.get("stopReason")),
        origin=origin,
        meta={**({"error": error} if error else {}), **_time(entry)},
    )


def _notice(value: Mapping[str, Any], entry: Mapping[str, Any]) -> Message | None:
    """A message that pi writes in the user's name: a command the user ran, a note of an extension, a left branch."""
    if value.get("role") != "bashExecution":
        return _spoken_for(value.get("content") or value.get("summary"), "notice", entry)
    if value.get("excludeFromContext") is True:
        return None
    output = text_of(value.get("output")) or "(no output)"
    exit_code = value.get("exitCode")
    ending = f"\n\nCommand exited with code {exit_code}" if isinstance(exit_code, int) and exit_code else ""
    return _spoken_for(f"Ran `{text_of(value.get('command'))}`\n```\n{output}\n```{ending}", "notice", entry)


def _time(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {"ts": entry["timestamp"]} if "timestamp" in entry else {}


def _signs_thinking(message: Mapping[str, Any]) -> bool:
    """Whether `thinkingSignature` is a signature: other APIs than Anthropic's keep other things under this key."""
    api = message.get("api")
    return not isinstance(api, str) or "anthropic" in api or "bedrock" in api


def _parts(content: object, *, signs_thinking: bool) -> list[Part]:
    if not isinstance(content, list):
        text = text_of(content)
        return [Text(text)] if text else []
    parts = (_part(block, signs_thinking) if isinstance(block, Mapping) else Text(text_of(block)) for block in content)
    return [part for part in parts if not isinstance(part, Text) or part.text]


def _part(block: Mapping[str, Any], signs_thinking: bool) -> Part:
    match block.get("type"):
        case "toolCall":
            kept = {"thoughtSignature": block["thoughtSignature"]} if "thoughtSignature" in block else None
            arguments = arguments_text(block.get("arguments"))
            return ToolCall(id_text(block.get("id")), text_of(block.get("name")), arguments, {FORMAT: kept} if kept else None)
        case "thinking":
            return _thinking(block, signs_thinking)
        case _:
            return picture_of(block) or Text(text_of(block))


def _thinking(block: Mapping[str, Any], signs_thinking: bool) -> Thinking:
    signature = optional_text(block.get("thinkingSignature"))
    if signature is None:
        return Thinking(text_of(block.get("thinking")))
    if not signs_thinking:
        return Thinking(text_of(block.get("thinking")), extra={FORMAT: {"thinkingSignature": signature}})
    if block.get("redacted") is True:
        return Thinking("", encrypted=signature)
    return Thinking(text_of(block.get("thinking")), signature)
