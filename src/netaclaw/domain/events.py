"""Everything a browser is told: one union of frames (DESIGN section 8). The TypeScript types are generated from it.

Field names are camelCase on the wire. Events that change what a session shows carry its revision.
"""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from netaclaw.errors import FailureReason


class Frame(BaseModel):
    """Base of frames and of their parts."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, extra="forbid")

    def wire(self) -> dict[str, Any]:
        """Return the frame as it goes over the wire."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


SessionState: TypeAlias = Literal["idle", "running", "compacting"]
ThresholdLimit: TypeAlias = Literal["reserve", "learned"]


class Usage(Frame):
    """What one run has used so far, in tokens, and its requests."""

    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0
    api_calls: int = 0


class ContextUsage(Frame):
    """How full the window is. One number drives bar, text, tick and trigger."""

    used_tokens: int
    max_tokens: int | None = None
    """The window; absent where it is unknown."""
    percent: float | None = None
    threshold_percent: int
    threshold_tokens: int
    estimated: bool
    source: Literal["provider", "estimate"]
    breakdown: dict[str, int]
    compaction_count: int = 0
    reserve_tokens: int = 0
    """Kept free for the reply."""
    is_automatic: bool = True
    """Whether compaction starts by itself in this session."""
    threshold_limited_by: ThresholdLimit | None = None
    """Why the threshold lies under its configured share of the window: room for the reply, or a smaller window that the provider named."""


class QueuedMessage(Frame):
    """A message that waits until the session is idle."""

    queue_id: int
    request_id: str
    text: str


class SessionSnapshot(Frame):
    """All that a browser needs to show a session."""

    type: Literal["session_snapshot"] = "session_snapshot"
    session_id: int
    revision: int
    active_leaf_id: int | None = None
    visible_entries: list[dict[str, Any]]
    context: ContextUsage
    queue: list[QueuedMessage]
    state: SessionState
    compaction_started_at: float | None = None
    """Unix seconds."""
    is_compacted: bool = False
    blocked_reason: str | None = None


class TreePatch(Frame):
    """Entries that were appended, or a leaf that moved."""

    type: Literal["tree_patch"] = "tree_patch"
    session_id: int
    revision: int
    appended: list[dict[str, Any]]
    active_leaf_id: int | None = None


class RunStart(Frame):
    """The agent begins to answer."""

    type: Literal["run_start"] = "run_start"
    session_id: int
    run_id: int


class Delta(Frame):
    """A piece of the reply that is being written."""

    type: Literal["delta"] = "delta"
    session_id: int
    run_id: int
    text: str | None = None
    thinking: str | None = None
    tool_call: dict[str, Any] | None = None


class ToolStart(Frame):
    """A tool begins."""

    type: Literal["tool_start"] = "tool_start"
    session_id: int
    run_id: int
    call_id: str
    name: str
    arguments: str


class ToolEnd(Frame):
    """A tool has ended."""

    type: Literal["tool_end"] = "tool_end"
    session_id: int
    run_id: int
    call_id: str
    is_error: bool


class RunEnd(Frame):
    """The agent has ended; always exactly one for a start."""

    type: Literal["run_end"] = "run_end"
    session_id: int
    run_id: int
    state: Literal["done", "failed", "cancelled", "interrupted"]
    reason: str | None = None
    error: str | None = None


class MessageQueued(Frame):
    """The messages that wait, whenever that list changes."""

    type: Literal["message_queued"] = "message_queued"
    session_id: int
    queue: list[QueuedMessage]


class CompactionStart(Frame):
    """A compaction begins; done or failed follows exactly once."""

    type: Literal["compaction_start"] = "compaction_start"
    session_id: int
    reason: Literal["manual", "auto"]
    trigger: Literal["auto", "manual", "overflow", "model_switch", "background"]


class CompactionProgress(Frame):
    """How far the compaction is, or a piece of the summary."""

    type: Literal["compaction_progress"] = "compaction_progress"
    session_id: int
    stage: str
    done: int = 0
    total: int = 0
    text: str | None = None
    restart: bool | None = None
    """Another summary begins; the text so far is void."""


class CompactionDone(Frame):
    """A compaction has been committed."""

    type: Literal["compaction_done"] = "compaction_done"
    session_id: int
    removed_count: int
    pruned_count: int = 0
    summary_message_id: int
    tokens_before: int
    tokens_after: int
    reason: FailureReason | None = None
    """`ineffective` where the context is still over the threshold."""


class CompactionFailed(Frame):
    """A compaction changed nothing."""

    type: Literal["compaction_failed"] = "compaction_failed"
    session_id: int
    error: str
    reason: FailureReason


class TokenUpdate(Frame):
    """The size of the context, whenever it changes."""

    type: Literal["token_update"] = "token_update"
    session_id: int
    current: Usage
    context: ContextUsage
    blocked_reason: str | None = None
    """Why automatic compaction rests."""


class ErrorFrame(Frame):
    """A command that was refused, or a fault of a session."""

    type: Literal["error"] = "error"
    session_id: int | None = None
    request_id: str | None = None
    code: str
    message: str


class Ack(Frame):
    """A command that was taken; what it made is in `result`."""

    type: Literal["ack"] = "ack"
    request_id: str
    result: dict[str, Any] = Field(default_factory=dict)


class Pong(Frame):
    """The answer to a ping."""

    type: Literal["pong"] = "pong"
    request_id: str | None = None


SessionEvent: TypeAlias = (
    SessionSnapshot
    | TreePatch
    | RunStart
    | Delta
    | ToolStart
    | ToolEnd
    | RunEnd
    | MessageQueued
    | CompactionStart
    | CompactionProgress
    | CompactionDone
    | CompactionFailed
    | TokenUpdate
)
"""What everyone on a session hears."""

ServerFrame: TypeAlias = Annotated[SessionEvent | ErrorFrame | Ack | Pong, Field(discriminator="type")]
