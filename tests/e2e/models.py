"""What the fake model endpoints of these tests answer; sizes are reported as a real vendor would."""

import asyncio
import json
from collections.abc import Callable

from netaclaw.compaction import CompactionSettings, message_counter
from netaclaw.domain.messages import ToolCall, Usage, text_message
from tests.providers.fake_servers import Fault, OpenAiServer, Recorded, Reply, Step

_COUNT = message_counter(CompactionSettings(window_tokens=128_000, counter="o200k"))


class Endpoint(OpenAiServer):
    """A model endpoint that plays its script and then goes on answering with the last entry."""

    def __init__(self, *script: Step) -> None:
        super().__init__()
        self.play(*script)

    def play(self, *script: Step) -> None:
        """Replace what is left of the script."""
        last = script[-1] if script else says("Understood.")

        def again(request: Recorded) -> Reply | Fault:
            self.script.append(again)
            return last if isinstance(last, Reply | Fault) else last(request)

        self.script[:] = [*script, again]


def says(
    text: str = "",
    *,
    calls: tuple[ToolCall, ...] = (),
    thinking: str = "",
    gate: asyncio.Event | None = None,
    held_after: str = "",
) -> Callable[[Recorded], Reply]:
    """Return a step that answers so. With a gate the answer stops until it is set: near its beginning, or after the text `held_after`."""
    pieces = (len(thinking) + len(held_after)) // 8 + 3

    def reply(request: Recorded) -> Reply:
        return Reply(text, calls, thinking, usage=_usage(request, text), gate=gate, gate_after=pieces)

    return reply


def calls_tool(name: str, **arguments: object) -> Callable[[Recorded], Reply]:
    """Return a step that calls a tool."""
    return says(calls=(ToolCall(f"call_{name}", name, json.dumps(arguments)),))


def fails(status: int, message: str) -> Fault:
    """Return a step that is an error of the vendor."""
    return Fault(status, {"error": {"message": message, "type": "invalid_request_error", "code": None}})


def _usage(request: Recorded, text: str) -> Usage:
    asked = json.dumps([request.body.get("messages"), request.body.get("tools")], ensure_ascii=False)
    return Usage(_COUNT(text_message("user", asked)), _COUNT(text_message("assistant", text)))
