"""Entries, history and the next request as schemas: what `runtime/frames.py` and `sessions/payload_json.py` write.

They describe and are never built on the way out, so that a long history is not checked twice; a test holds them to what is really written.
"""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from netaclaw.domain.entries import CompactionMode, Trigger
from netaclaw.domain.events import ContextUsage
from netaclaw.gateway.wire import Wire


class TextPart(Wire):
    """Plain text."""

    type: Literal["text"]
    text: str
    extra: dict[str, Any] | None = None


class ImagePart(Wire):
    """A picture, by base64 `data` or by `url`."""

    type: Literal["image"]
    media_type: str
    data: str | None = None
    url: str | None = None
    width: int | None = None
    height: int | None = None
    extra: dict[str, Any] | None = None


class ThinkingPart(Wire):
    """Reasoning of the model."""

    type: Literal["thinking"]
    text: str
    signature: str | None = None
    encrypted: str | None = None
    extra: dict[str, Any] | None = None


class ToolCallPart(Wire):
    """A call of a tool; `arguments` is the model's JSON text."""

    type: Literal["tool_call"]
    id: str
    name: str
    arguments: str
    extra: dict[str, Any] | None = None


class OpaquePart(Wire):
    """A block that NetaClaw does not interpret."""

    type: Literal["opaque"]
    kind: str
    payload: dict[str, Any]


MessagePart: TypeAlias = Annotated[TextPart | ImagePart | ThinkingPart | ToolCallPart | OpaquePart, Field(discriminator="type")]


class MessageUsage(Wire):
    """What the provider reported for the request that gave this reply, in tokens."""

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


class MessageBody(Wire):
    """One message of the conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    parts: list[MessagePart]
    tool_call_id: str | None = None
    name: str | None = None
    is_error: bool | None = None
    usage: MessageUsage | None = None
    model: str | None = None
    stop_reason: str | None = None
    tokens: int | None = None
    origin: Literal["summary", "notice"] | None = None
    meta: dict[str, Any] | None = None


class MessageContent(Wire):
    """Payload of an entry of type `message`; `attached` is what NetaClaw adds to a user message for the model."""

    message: MessageBody
    attached: str | None = None
    is_interrupted: bool | None = None


class AuditFigures(Wire):
    """Facts looked up in a summary, found missing, added."""

    checked: int
    missing: int
    repaired: int


class CompactionDetails(Wire):
    """How a compaction came about and what it did."""

    trigger: Trigger
    head_entry_ids: list[int]
    kept_entry_ids: list[int]
    state: dict[str, Any]
    pruned: dict[str, str]
    pruned_arguments: dict[str, dict[str, str]]
    removed_count: int
    previous_compaction_id: int | None
    focus: str | None
    facts: dict[str, Any]
    audit: AuditFigures | None
    channel: str | None
    model: str | None
    usage: dict[str, int] | None
    duration_ms: int
    is_ineffective: bool
    language: Literal["zh", "en"]
    settings: dict[str, Any]


class CompactionContent(Wire):
    """Payload of an entry of type `compaction`."""

    mode: CompactionMode
    summary: str | None
    first_kept_entry_id: int | None
    tokens_before: int
    tokens_after: int
    details: CompactionDetails


class UndoContent(Wire):
    """Payload of an entry of type `compaction_undo`."""

    compaction_id: int


class NoticeContent(Wire):
    """Payload of an entry of type `notice`."""

    system_type: Literal["compaction_event", "run_event", "note"]
    text: str
    reason: str | None = None
    details: dict[str, Any] | None = None


class BranchSummaryContent(Wire):
    """Payload of an entry of type `branch_summary`."""

    summary: str
    from_leaf_id: int


class ModelChangeContent(Wire):
    """Payload of an entry of type `model_change`."""

    channel_id: int | None
    model: str


class ThinkingChangeContent(Wire):
    """Payload of an entry of type `thinking_change`."""

    level: Literal["off", "low", "medium", "high"]


class PinContent(Wire):
    """Payload of an entry of type `pin`."""

    entry_id: int
    is_pinned: bool


class TodoContent(Wire):
    """Payload of an entry of type `todo`."""

    items: list[dict[str, Any]]


class EntryMetadata(Wire):
    """What kind of event an entry tells of."""

    system_type: Literal["compaction_event", "run_event", "note"]


class EntryBase(Wire):
    """What every entry has. `compactedIntoId` is the compaction whose summary stands for it on the active path."""

    id: int
    parent_id: int | None
    seq: int
    depth: int
    tokens: int
    created_at: str
    is_compaction_summary: bool
    compacted_at: str | None
    compacted_into_id: int | None
    metadata: EntryMetadata | None = None
    replacement: str | None = None
    """Compacted view: what the model sees in place of this tool result."""
    shortened_arguments: dict[str, str] | None = None
    """Compacted view: what the model sees in place of the arguments of a call, by its number."""


class MessageEntry(EntryBase):
    """A message."""

    type: Literal["message"]
    payload: MessageContent


class CompactionEntry(EntryBase):
    """A compaction."""

    type: Literal["compaction"]
    payload: CompactionContent


class UndoEntry(EntryBase):
    """A compaction taken back."""

    type: Literal["compaction_undo"]
    payload: UndoContent


class NoticeEntry(EntryBase):
    """Something the user is told."""

    type: Literal["notice"]
    payload: NoticeContent


class BranchSummaryEntry(EntryBase):
    """What happened on a branch that was left."""

    type: Literal["branch_summary"]
    payload: BranchSummaryContent


class ModelChangeEntry(EntryBase):
    """From here on another channel answers."""

    type: Literal["model_change"]
    payload: ModelChangeContent


class ThinkingChangeEntry(EntryBase):
    """From here on the model thinks more or less."""

    type: Literal["thinking_change"]
    payload: ThinkingChangeContent


class PinEntry(EntryBase):
    """A message is kept word for word, or no longer."""

    type: Literal["pin"]
    payload: PinContent


class TodoEntry(EntryBase):
    """The agent's list of tasks."""

    type: Literal["todo"]
    payload: TodoContent


EntryFrame: TypeAlias = Annotated[
    MessageEntry
    | CompactionEntry
    | UndoEntry
    | NoticeEntry
    | BranchSummaryEntry
    | ModelChangeEntry
    | ThinkingChangeEntry
    | PinEntry
    | TodoEntry,
    Field(discriminator="type"),
]


class HistoryPage(Wire):
    """A page of the active path, oldest entry first."""

    session_id: int
    view: Literal["compacted", "full"]
    revision: int
    active_leaf_id: int | None
    is_compacted: bool
    messages: list[EntryFrame]
    has_more: bool


class OfferedTool(Wire):
    """A tool as the model is told of it."""

    name: str
    description: str
    parameters: dict[str, Any]


class NextRequest(Wire):
    """The exact next model request. `entryIds` names the entries that `messages` come from, in the order of the context."""

    system: list[str]
    messages: list[dict[str, Any]]
    entry_ids: list[int]
    tools: list[OfferedTool]
    context: ContextUsage
