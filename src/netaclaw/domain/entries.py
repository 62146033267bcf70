"""Entries of the session tree: immutable nodes, and what each type of them carries (DESIGN section 3).

A payload is a frozen dataclass; its `type` is the entry's type. Wire names (camelCase) are made where they are written.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

from netaclaw.domain.messages import Message

CompactionMode: TypeAlias = Literal["summary", "prune"]
Trigger: TypeAlias = Literal["auto", "manual", "overflow", "model_switch", "background"]


@dataclass(frozen=True, slots=True)
class MessagePayload:
    """One message of the conversation."""

    message: Message
    attached: str | None = None
    """What changes from turn to turn (date, todo list, pinned rules), frozen when a user message is appended and rendered with it."""
    is_interrupted: bool = False
    """Whether the message was cut off by a stop, a crash or a broken stream."""
    type: Literal["message"] = "message"


@dataclass(frozen=True, slots=True)
class CompactionPayload:
    """One compaction: a summary for the middle of the path, or replacements alone (`prune`)."""

    mode: CompactionMode
    summary: str | None
    """Body without preamble and end marker; None for a prune."""
    first_kept_entry_id: int | None
    """First entry of the tail; None for a prune."""
    tokens_before: int
    tokens_after: int
    trigger: Trigger
    head_entry_ids: tuple[int, ...] = ()
    """Shown word for word before the summary."""
    kept_entry_ids: tuple[int, ...] = ()
    """Shown word for word after the summary, before the tail."""
    pruned: Mapping[int, str] = field(default_factory=dict)
    """{entry id: replacement text} of every replacement still in force."""
    pruned_arguments: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    """{entry id: {number of the call: shorter arguments}}."""
    removed_count: int = 0
    previous_compaction_id: int | None = None
    focus: str | None = None
    audit: Mapping[str, int] | None = None
    """{checked, missing, repaired}."""
    channel: str | None = None
    model: str | None = None
    usage: Mapping[str, int] | None = None
    """{input, output}, in tokens."""
    duration_ms: int = 0
    is_ineffective: bool = False
    """Whether the context was still over the threshold afterwards."""
    language: Literal["zh", "en"] = "en"
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The parameters that were used."""
    state: Mapping[str, Any] = field(default_factory=dict)
    """{todo, pins, model, thinkingLevel} at commit, so that nothing before the context start is needed."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """{readFiles, modifiedFiles, ...}: deterministic ledgers, cumulative along the path."""
    type: Literal["compaction"] = "compaction"


@dataclass(frozen=True, slots=True)
class CompactionUndoPayload:
    """Takes back the governing compaction."""

    compaction_id: int
    type: Literal["compaction_undo"] = "compaction_undo"


@dataclass(frozen=True, slots=True)
class NoticePayload:
    """Something the user is told; never part of the context."""

    system_type: Literal["compaction_event", "run_event", "note"]
    text: str
    reason: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    type: Literal["notice"] = "notice"


@dataclass(frozen=True, slots=True)
class BranchSummaryPayload:
    """What happened on a branch that was left; shown to the model as user text."""

    summary: str
    from_leaf_id: int
    type: Literal["branch_summary"] = "branch_summary"


@dataclass(frozen=True, slots=True)
class ModelChangePayload:
    """From here on another channel answers."""

    channel_id: int | None
    model: str
    type: Literal["model_change"] = "model_change"


@dataclass(frozen=True, slots=True)
class ThinkingChangePayload:
    """From here on the model thinks more or less."""

    level: Literal["off", "low", "medium", "high"]
    type: Literal["thinking_change"] = "thinking_change"


@dataclass(frozen=True, slots=True)
class PinPayload:
    """A message is kept word for word through compactions, or no longer."""

    entry_id: int
    is_pinned: bool
    type: Literal["pin"] = "pin"


@dataclass(frozen=True, slots=True)
class TodoPayload:
    """The agent's list of tasks as it stands now."""

    items: tuple[Mapping[str, Any], ...]
    """[{text, status}], status `pending`, `in_progress` or `done`."""
    type: Literal["todo"] = "todo"


Payload: TypeAlias = (
    MessagePayload
    | CompactionPayload
    | CompactionUndoPayload
    | NoticePayload
    | BranchSummaryPayload
    | ModelChangePayload
    | ThinkingChangePayload
    | PinPayload
    | TodoPayload
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One node of a session's tree."""

    id: int
    session_id: int
    parent_id: int | None
    seq: int
    """Order of writing within the session, from 1."""
    depth: int
    """Distance from the root, from 0."""
    context_depth: int
    """Depth at which the context begins for this entry and what grows from it."""
    context_compaction_id: int | None
    """The governing compaction."""
    payload: Payload
    tokens: int
    """Count when it was written, by the server's counter; 0 for what no request carries."""
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation and the leaf it stands at."""

    id: int
    title: str
    agent_id: int | None
    active_leaf_id: int | None
    revision: int
    """Counts every change that browsers must hear of."""
    created_at: datetime
    updated_at: datetime
