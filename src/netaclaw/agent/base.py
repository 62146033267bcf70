"""What the loop needs from outside, what it tells while it runs, and how it ends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from netaclaw.compaction.settings import Language
from netaclaw.domain.entries import Entry, Payload
from netaclaw.domain.messages import Message, ToolCall, Usage
from netaclaw.errors import ContextOverflowError, NetaClawError
from netaclaw.providers.base import ModelClient, ModelRequest, TextDelta, ThinkingDelta, ToolCallDelta
from netaclaw.tools.base import Tool, ToolContext


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A call begins to run."""

    call: ToolCall
    type: Literal["tool_started"] = "tool_started"


@dataclass(frozen=True, slots=True)
class ToolEnded:
    """A call has its result, which is stored already."""

    call: ToolCall
    result: Message
    type: Literal["tool_ended"] = "tool_ended"


LoopEvent: TypeAlias = TextDelta | ThinkingDelta | ToolCallDelta | ToolStarted | ToolEnded

Emit: TypeAlias = Callable[[LoopEvent], None]
"""Never waits: who listens too slowly is cut off, not the run."""


class NextRequest(Protocol):
    """Builds the context and checks its size before EVERY request, compaction included. Raises a NetaClawError if none may be sent."""

    async def __call__(self) -> ModelRequest: ...


class Append(Protocol):
    """Stores one finished entry at the leaf."""

    async def __call__(self, payload: Payload) -> Entry: ...


class OnOverflow(Protocol):
    """Compacts after the provider said that the request is too large; False if that is not possible."""

    async def __call__(self, error: ContextOverflowError) -> bool: ...


@dataclass(frozen=True, slots=True)
class LoopPorts:
    """All that the loop touches."""

    client: ModelClient
    next_request: NextRequest
    append: Append
    emit: Emit
    on_overflow: OnOverflow
    tools: Mapping[str, Tool] = field(default_factory=dict)
    tool_context: ToolContext = field(default_factory=lambda: ToolContext(session_id=0))
    max_steps: int = 50
    """Model requests in one run."""
    language: Language = "en"


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How a run ended. What was said and done until then is stored."""

    state: Literal["done", "stopped", "step_limit", "failed"]
    reason: str | None
    """The reply's stop reason, or the kind of failure in lower case with underscores, such as `provider_auth`."""
    usage: Usage
    """Sum over all requests of the run."""
    steps: int
    """Model requests that were answered."""
    error: NetaClawError | None = None
