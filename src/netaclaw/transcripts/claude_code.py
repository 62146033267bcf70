"""Sessions of Claude Code: JSON Lines of records that wrap messages of the Anthropic API; also `{"loglines": [...]}`.

Several records of one message id are one assistant message, and results that were written between them follow it. Messages
before a compaction stay, because our summaries are made from the originals; its summary is marked as one.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from netaclaw.domain.messages import Message, Origin, Part, Text, Usage
from netaclaw.transcripts.anthropic import anthropic_parts, anthropic_result, is_result
from netaclaw.transcripts.base import Document, PlacedMessage, Record, number_records
from netaclaw.transcripts.claude_code_branches import live_records
from netaclaw.transcripts.lenient import optional_text, text_of
from netaclaw.transcripts.notes import Notes
from netaclaw.transcripts.usage import parse_usage

_MARKS = ("uuid", "parentUuid", "sessionId", "requestId")
_LOGLINES = "loglines"
_CONTENT_TYPES = ("tool_use", "tool_result")


class ClaudeCodeReader:
    """Reads a session file, a piece of one, a subagent's file, or the log lines of a web session."""

    name = "claude-code"

    def sniff(self, document: Document) -> bool:
        """Whether there are records of type user or assistant around a message of the Anthropic API."""
        if isinstance(document.top.get(_LOGLINES), list):
            return True
        return any(_is_own(record.value) for record in document.sample)

    def read(self, document: Document, notes: Notes) -> list[PlacedMessage]:
        """Return the messages of the main chain in the order of the file."""
        loglines = document.top.get(_LOGLINES)
        records = number_records(loglines) if isinstance(loglines, list) else document.records
        assembly = _Assembly(notes)
        for record in live_records(records, notes):
            assembly.add(record)
        return assembly.placed


def _is_own(value: Mapping[str, Any]) -> bool:
    message = value.get("message")
    if value.get("type") not in ("user", "assistant") or not isinstance(message, Mapping):
        return False
    return "content" in message and any(mark in value for mark in _MARKS)


class _Assembly:
    """Puts messages together from records; remembers the assistant messages that further records may continue."""

    def __init__(self, notes: Notes) -> None:
        self.placed: list[PlacedMessage] = []
        self._notes = notes
        self._open: dict[str, int] = {}
        self._boundary: Mapping[str, Any] | None = None

    def add(self, record: Record) -> None:
        """Take one record of the live chain."""
        value = record.value
        message = value.get("message")
        match value.get("type"):
            case "assistant" if isinstance(message, Mapping):
                self._add_assistant(record, message)
            case "user" if isinstance(message, Mapping):
                self._add_user(record, message)
            case "user" | "assistant":
                self._notes.add("records without a message", "the record holds no message; it was left out", record)
            case "attachment":
                self._add_queued_prompt(record)
            case "system" if value.get("subtype") == "compact_boundary":
                metadata = value.get("compactMetadata")
                self._boundary = metadata if isinstance(metadata, Mapping) else {}
            case kind if kind in _CONTENT_TYPES:
                self._notes.add("records of older forms", f"a record of type {kind} is not read; it was left out", record)

    def _add_assistant(self, record: Record, message: Mapping[str, Any]) -> None:
        parts = _parts(message.get("content"))
        message_id = optional_text(message.get("id"))
        usage = parse_usage(message.get("usage"))
        if message_id is not None and message_id in self._open:
            index = self._open[message_id]
            first, started = self.placed[index]
            merged = replace(started, parts=(*started.parts, *parts), usage=_later_usage(started.usage, usage))
            self.placed[index] = (first, replace(merged, stop_reason=optional_text(message.get("stop_reason")) or started.stop_reason))
            return
        if message_id is not None:
            self._open[message_id] = len(self.placed)
        model, stop_reason = optional_text(message.get("model")), optional_text(message.get("stop_reason"))
        self._place(record, Message("assistant", parts, usage=usage, model=model, stop_reason=stop_reason, meta=_time(record)))

    def _add_user(self, record: Record, message: Mapping[str, Any]) -> None:
        content = message.get("content")
        blocks = content if isinstance(content, list) else []
        results = [block for block in blocks if is_result(block)]
        for block in results:
            result = anthropic_result(block)
            self._place(record, replace(result, parts=_without_form(result.parts), meta=_time(record)))
        parts = _parts([block for block in blocks if not is_result(block)] if isinstance(content, list) else content)
        if parts:
            self._open = {}
            meta = {**self._boundary_facts(record), **_time(record)}
            self._place(record, Message("user", parts, origin=_origin(record.value), meta=meta))
        elif not results:
            self._notes.add("user messages without content", "the user message has no content; it was left out", record)

    def _add_queued_prompt(self, record: Record) -> None:
        """What the user typed during a run is written as an attachment of the next request."""
        attachment = record.value.get("attachment")
        if isinstance(attachment, Mapping) and attachment.get("type") == "queued_command":
            parts = _parts(attachment.get("prompt"))
            if parts:
                self._place(record, Message("user", parts, meta=_time(record)))

    def _boundary_facts(self, record: Record) -> dict[str, Any]:
        if record.value.get("isCompactSummary") is not True or self._boundary is None:
            return {}
        boundary, self._boundary = self._boundary, None
        facts = {key: boundary[key] for key in ("trigger", "preTokens") if key in boundary}
        return {"compact_boundary": facts} if facts else {}

    def _place(self, record: Record, message: Message) -> None:
        self.placed.append((record, message))


def _parts(content: object) -> tuple[Part, ...]:
    if not isinstance(content, list):
        text = text_of(content)
        return (Text(text),) if text else ()
    return _without_form(tuple(anthropic_parts(content)))


def _without_form(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Forget that texts were blocks in a list: this form is never written again. White space alone is no content."""
    plain = (Text(part.text) if isinstance(part, Text) else part for part in parts)
    return tuple(part for part in plain if not isinstance(part, Text) or part.text.strip())


def _origin(value: Mapping[str, Any]) -> Origin:
    if value.get("isCompactSummary") is True:
        return "summary"
    return "notice" if value.get("isMeta") is True else "conversation"


def _time(record: Record) -> dict[str, Any]:
    return {"ts": record.value["timestamp"]} if "timestamp" in record.value else {}


def _later_usage(first: Usage | None, second: Usage | None) -> Usage | None:
    """Usage is repeated on each record of a message and grows while it streams: the largest output is the final one."""
    if first is None or second is None:
        return first or second
    return second if second.output_tokens >= first.output_tokens else first
