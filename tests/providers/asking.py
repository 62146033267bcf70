"""Short ways to ask a client in tests."""

from collections.abc import Sequence
from typing import Any

from netaclaw.domain.messages import Message
from netaclaw.providers.base import Finished, ModelClient, ModelRequest, StreamEvent, TextDelta, ThinkingDelta, ToolCallDelta, ToolSpec
from tests.builders import user

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
READ_FILE = ToolSpec("read_file", "Read a file.", PATH)


def asks(*messages: Message, tools: Sequence[ToolSpec] = (READ_FILE,), **fields: Any) -> ModelRequest:
    """Return a request with a system prompt of two sections."""
    return ModelRequest(("You are helpful.", "Rules: be short."), messages or (user("hi"),), tuple(tools), **fields)


async def events_of(client: ModelClient, request: ModelRequest) -> list[StreamEvent]:
    """Return all events of a stream."""
    return [event async for event in client.stream(request)]


async def reply_of(client: ModelClient, request: ModelRequest) -> Message:
    """Return the finished message."""
    finished = (await events_of(client, request))[-1]
    assert isinstance(finished, Finished)
    return finished.message


def streamed(events: Sequence[StreamEvent]) -> tuple[str, str, list[tuple[str, str]]]:
    """Return text, thinking and calls as they were put together from deltas."""
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    thinking = "".join(event.text for event in events if isinstance(event, ThinkingDelta))
    calls: list[tuple[str, str]] = []
    for event in events:
        if isinstance(event, ToolCallDelta):
            if event.number == len(calls):
                calls.append((event.name or "", ""))
            name, arguments = calls[event.number]
            calls[event.number] = (name, arguments + event.arguments)
    return text, thinking, calls
