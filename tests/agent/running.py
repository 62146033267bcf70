"""A loop with real tools, a scripted model and a path in memory."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from netaclaw.agent.base import LoopEvent, LoopPorts, RunOutcome
from netaclaw.agent.loop import run_agent
from netaclaw.context.builder import build_context
from netaclaw.domain.entries import Entry, MessagePayload, Payload
from netaclaw.domain.messages import Message
from netaclaw.errors import ContextOverflowError
from netaclaw.providers.base import ModelRequest
from netaclaw.providers.scripted import ScriptedProvider, Step
from netaclaw.tools.base import Arguments, Tool, ToolContext, ToolOutput
from tests.builders import user
from tests.context.paths import path_of, read_of


@dataclass
class Session:
    """What the runtime does for a loop, in memory."""

    provider: ScriptedProvider
    payloads: list[Payload] = field(default_factory=lambda: [MessagePayload(user("go"))])
    events: list[LoopEvent] = field(default_factory=list)
    overflows: list[ContextOverflowError] = field(default_factory=list)
    can_compact: bool = True

    async def next_request(self) -> ModelRequest:
        return ModelRequest(("be brief",), build_context(read_of(*self.payloads), language="en").request)

    async def append(self, payload: Payload) -> Entry:
        self.payloads.append(payload)
        return path_of(*self.payloads)[-1]

    async def on_overflow(self, error: ContextOverflowError) -> bool:
        self.overflows.append(error)
        return self.can_compact

    def ports(self, tools: Sequence[Tool] = (), **more: Any) -> LoopPorts:
        by_name = {tool.name: tool for tool in tools}
        ports = LoopPorts(self.provider, self.next_request, self.append, self.events.append, self.on_overflow, by_name, ToolContext(1))
        return replace(ports, **more)

    @property
    def added(self) -> list[Message]:
        """The messages that the run appended."""
        return [payload.message for payload in self.payloads[1:] if isinstance(payload, MessagePayload)]


def session(*steps: Step, **more: Any) -> Session:
    return Session(ScriptedProvider(list(steps)), **more)


async def run(given: Session, tools: Sequence[Tool] = (), **more: Any) -> RunOutcome:
    return await run_agent(given.ports(tools, **more))


@dataclass
class Echo:
    """A tool that says what it was told, after a while, and knows how many of it run."""

    name: str = "echo"
    description: str = "Says it again."
    is_parallel: bool = True
    is_protected: bool = False
    seconds: float = 0.0
    fails_with: Exception | None = None
    running: int = 0
    most_running: int = 0
    ended: list[str] = field(default_factory=list)

    @property
    def parameters(self) -> Arguments:
        return {
            "type": "object",
            "properties": {"text": {"type": "string"}, "times": {"type": "integer", "minimum": 1}},
            "required": ["text"],
        }

    def one_line(self, arguments: Arguments, output: str) -> str:
        return "echo"

    def dedup_key(self, arguments: Arguments) -> str | None:
        return None

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.running -= 1
        if self.fails_with:
            raise self.fails_with
        self.ended.append(arguments["text"])
        return ToolOutput(arguments["text"] * arguments.get("times", 1))
