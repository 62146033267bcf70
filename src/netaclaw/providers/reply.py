"""What pydantic-ai streams, as our events and our message: the other direction of `translation.py`."""

from collections.abc import Iterator

from pydantic_ai.messages import (
    ModelResponse,
    ModelResponsePart,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.usage import RequestUsage

from netaclaw.domain.messages import Message, Part, Text, Thinking, ToolCall, Usage
from netaclaw.providers.base import StreamEvent, TextDelta, ThinkingDelta, ToolCallDelta
from netaclaw.providers.translation import PROVIDER_KEY

_STOP_REASONS = {"stop": "stop", "length": "length", "tool_call": "tool_calls", "content_filter": "refusal"}


class DeltaReader:
    """Turns the events of one stream into deltas; it numbers the tool calls."""

    def __init__(self) -> None:
        self._call_numbers: dict[int, int] = {}

    def read(self, event: ModelResponseStreamEvent) -> Iterator[StreamEvent]:
        """Yield the deltas of one event; the start of a part may already carry content."""
        if isinstance(event, PartStartEvent):
            yield from self._start(event.index, event.part)
        elif isinstance(event, PartDeltaEvent):
            delta = event.delta
            if isinstance(delta, TextPartDelta) and delta.content_delta:
                yield TextDelta(delta.content_delta)
            elif isinstance(delta, ThinkingPartDelta) and delta.content_delta:
                yield ThinkingDelta(delta.content_delta)
            elif isinstance(delta, ToolCallPartDelta) and isinstance(delta.args_delta, str) and delta.args_delta:
                yield ToolCallDelta(self._number(event.index), None, delta.args_delta)

    def _start(self, index: int, part: ModelResponsePart) -> Iterator[StreamEvent]:
        if isinstance(part, TextPart) and part.content:
            yield TextDelta(part.content)
        elif isinstance(part, ThinkingPart) and part.content:
            yield ThinkingDelta(part.content)
        elif isinstance(part, ToolCallPart):
            yield ToolCallDelta(self._number(index), part.tool_name, _arguments(part))

    def _number(self, index: int) -> int:
        return self._call_numbers.setdefault(index, len(self._call_numbers))


def reply_message(response: ModelResponse, provider: str, *, is_complete: bool = True) -> Message:
    """Return the reply; of a broken stream what had arrived, without calls whose arguments may be cut off."""
    parts = tuple(part for foreign in response.parts if (part := _part(foreign)) is not None)
    if not is_complete:
        parts = tuple(part for part in parts if not isinstance(part, ToolCall))
    has_thinking = any(isinstance(part, Thinking) for part in parts)
    return Message(
        "assistant",
        parts,
        usage=_usage(response.usage),
        model=response.model_name,
        stop_reason=_stop_reason(response, parts) if is_complete else None,
        meta={PROVIDER_KEY: provider} if has_thinking else {},
    )


def _part(part: ModelResponsePart) -> Part | None:
    match part:
        case TextPart():
            return Text(part.content) if part.content else None
        case ToolCallPart():
            return ToolCall(part.tool_call_id, part.tool_name, _arguments(part) or "{}", {"id": part.id} if part.id else None)
        case ThinkingPart(id="redacted_thinking"):
            return Thinking("", encrypted=part.signature)
        case ThinkingPart():
            has_id = bool(part.signature and part.id)
            return Thinking(part.content, part.signature or None, extra={"id": part.id} if has_id else None)
        case _:
            return None


def _arguments(part: ToolCallPart) -> str:
    """As the model wrote them: `args_as_json_str` would write them anew."""
    if isinstance(part.args, str):
        return part.args
    return part.args_as_json_str() if part.args else ""


def _usage(usage: RequestUsage) -> Usage | None:
    """`input_tokens` of pydantic-ai already includes what was read from and written to the cache."""
    if not usage.input_tokens and not usage.output_tokens:
        return None
    read = usage.cache_read_tokens or usage.details.get("prompt_cache_hit_tokens", 0)  # DeepSeek's own name for it
    return Usage(usage.input_tokens, usage.output_tokens, read, usage.cache_write_tokens)


def _stop_reason(response: ModelResponse, parts: tuple[Part, ...]) -> str:
    reason = response.finish_reason
    if reason in ("stop", None) and any(isinstance(part, ToolCall) for part in parts):
        return "tool_calls"  # some compatible servers say `stop` after a call
    if reason is not None:
        return _STOP_REASONS.get(reason, reason)
    raw = (response.provider_details or {}).get("finish_reason")
    return str(raw) if raw else "stop"
