"""A provider that plays prepared answers and faults: for tests, and readable in a few lines.

provider = ScriptedProvider([
    Says("Let me look.", calls=(ToolCall("c1", "read_file", '{"path": "a.py"}'),)),
    Fails(ProviderBusyError("busy")),
    Says("It is a script.", thinking="a .py file", usage=Usage(1200, 40)),
])
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from netaclaw.domain.messages import Message, Part, Text, Thinking, ToolCall, Usage
from netaclaw.errors import ProviderError
from netaclaw.providers.base import Finished, ModelRequest, StreamEvent, TextDelta, ThinkingDelta, ToolCallDelta

_PIECE_CHARS = 12


@dataclass(frozen=True, slots=True)
class Says:
    """One answer."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    thinking: str = ""
    signature: str | None = None
    usage: Usage | None = None
    stop_reason: str | None = None
    """None: `tool_calls` with calls, else `stop`."""
    model: str = "scripted"
    delay_seconds: float = 0.0
    """Before each delta."""
    gate: asyncio.Event | None = None
    """Waited for before the answer begins."""
    gate_in_the_middle: asyncio.Event | None = None
    """Waited for after the first delta."""
    breaks_with: ProviderError | None = None
    """Raised after half of the deltas, with what was said so far as `partial`."""


@dataclass(frozen=True, slots=True)
class Fails:
    """A fault before anything is said."""

    error: ProviderError
    gate: asyncio.Event | None = None


Step: TypeAlias = "Says | Fails | str | Callable[[ModelRequest], Says | Fails | str]"


class ScriptedProvider:
    """Plays the steps in order, one a request; a string is an answer of that text, a function makes one from the request."""

    def __init__(self, steps: Sequence[Step] = ()) -> None:
        self.steps: list[Step] = list(steps)
        """What is still to come; tests may append."""
        self.requests: list[ModelRequest] = []
        """Every request, in order."""
        self.cancelled_count = 0
        """Streams whose consumer went away before the end."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        """Yield the deltas of the next step, then `Finished`."""
        self.requests.append(request)
        answer = self._next(request)
        try:
            if answer.gate is not None:
                await answer.gate.wait()
            if isinstance(answer, Fails):
                raise answer.error
            async for event in _played(answer):
                yield event
        except (asyncio.CancelledError, GeneratorExit):
            self.cancelled_count += 1
            raise

    def _next(self, request: ModelRequest) -> Says | Fails:
        if not self.steps:
            raise AssertionError(f"the script is over, but request {len(self.requests)} came")
        step = self.steps.pop(0)
        if callable(step):
            step = step(request)
        return Says(step) if isinstance(step, str) else step


async def _played(answer: Says) -> AsyncIterator[StreamEvent]:
    deltas = list(_deltas(answer))
    for number, delta in enumerate(deltas):
        if answer.breaks_with is not None and number >= len(deltas) // 2:
            answer.breaks_with.partial = _partial(deltas[:number])
            raise answer.breaks_with
        if answer.delay_seconds:
            await asyncio.sleep(answer.delay_seconds)
        yield delta
        if number == 0 and answer.gate_in_the_middle is not None:
            await answer.gate_in_the_middle.wait()
    if answer.breaks_with is not None:
        raise answer.breaks_with
    yield Finished(_message(answer))


def _deltas(answer: Says) -> Iterator[StreamEvent]:
    yield from (ThinkingDelta(piece) for piece in _pieces(answer.thinking))
    yield from (TextDelta(piece) for piece in _pieces(answer.text))
    for number, call in enumerate(answer.calls):
        yield ToolCallDelta(number, call.name, "")
        yield ToolCallDelta(number, None, call.arguments)


def _pieces(text: str) -> list[str]:
    return [text[start : start + _PIECE_CHARS] for start in range(0, len(text), _PIECE_CHARS)]


def _message(answer: Says) -> Message:
    parts: list[Part] = []
    if answer.thinking:
        parts.append(Thinking(answer.thinking, answer.signature))
    if answer.text:
        parts.append(Text(answer.text))
    stop_reason = answer.stop_reason or ("tool_calls" if answer.calls else "stop")
    return Message("assistant", (*parts, *answer.calls), usage=answer.usage, model=answer.model, stop_reason=stop_reason)


def _partial(deltas: Sequence[StreamEvent]) -> Message:
    thinking = "".join(delta.text for delta in deltas if isinstance(delta, ThinkingDelta))
    text = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    parts: tuple[Part, ...] = (*((Thinking(thinking),) if thinking else ()), *((Text(text),) if text else ()))
    return Message("assistant", parts, model="scripted")
