"""What the agent loop asks of a model and what comes back, the same for every vendor."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from netaclaw.domain.agents import ThinkingLevel
from netaclaw.domain.messages import Message


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON schema of the arguments, an object."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. `messages` are a valid context (projection, `broken_rules` empty) without the system prompt."""

    system_prompt: tuple[str, ...]
    """Stable sections first, so that the provider's cache holds."""
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    thinking: ThinkingLevel = "off"
    temperature: float | None = None
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More text of the reply."""

    text: str
    type: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """More reasoning of the reply."""

    text: str
    type: Literal["thinking"] = "thinking"


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """A call that begins (`name` set) or more of its arguments; `number` counts the calls of the reply from 0."""

    number: int
    name: str | None
    arguments: str
    type: Literal["tool_call"] = "tool_call"


@dataclass(frozen=True, slots=True)
class Finished:
    """The whole reply, with usage, model and stop reason. Always the last event of a stream that did not fail.

    `stop_reason` is `stop`, `tool_calls`, `length`, `refusal` or the provider's own word.
    """

    message: Message
    type: Literal["finished"] = "finished"


StreamEvent: TypeAlias = TextDelta | ThinkingDelta | ToolCallDelta | Finished


class ModelClient(Protocol):
    """One channel, ready to be asked. Cancelling the consuming task closes the connection to the provider."""

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        """Yield deltas, then `Finished`. Raises a ProviderError; one that breaks a stream carries what arrived in `.partial`."""
        ...
