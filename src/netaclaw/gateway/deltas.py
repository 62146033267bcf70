"""Pieces of a reply, joined so that a browser gets a few larger ones: the first at once, the rest every 40 ms."""

import asyncio
from collections.abc import Callable

from netaclaw.domain.events import Delta

INTERVAL_SECONDS = 0.04


class DeltaJoiner:
    """Holds back pieces of one session and hands on what they make together; `flush` before anything else keeps the order."""

    def __init__(self, send: Callable[[Delta], None], interval_seconds: float = INTERVAL_SECONDS) -> None:
        self._send = send
        self._interval_seconds = interval_seconds
        self._held: list[Delta] = []
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0

    def add(self, delta: Delta) -> None:
        """Send a piece now if none went out lately, else hold it for the next moment."""
        loop = asyncio.get_running_loop()
        if self._held:
            if not _can_join(self._held[-1], delta):
                self._send(_joined(self._held))
                self._held = []
            self._held.append(delta)
            return
        now = loop.time()
        if now >= self._due:
            self._due = now + self._interval_seconds
            self._send(delta)
            return
        self._held = [delta]
        self._timer = loop.call_at(self._due, self._flush_on_time)

    def flush(self) -> None:
        """Send what is held."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._held:
            held, self._held = self._held, []
            self._send(_joined(held))

    def drop(self) -> None:
        """Forget what is held."""
        self._held = []
        self.flush()

    def _flush_on_time(self) -> None:
        self._due = asyncio.get_running_loop().time() + self._interval_seconds
        self.flush()


def _can_join(before: Delta, after: Delta) -> bool:
    if _kind(before) != _kind(after) or before.run_id != after.run_id:
        return False
    if before.tool_call is None or after.tool_call is None:
        return True
    return before.tool_call.get("number") == after.tool_call.get("number") and not after.tool_call.get("name")


def _kind(delta: Delta) -> str:
    if delta.tool_call is not None:
        return "tool_call"
    return "thinking" if delta.thinking is not None else "text"


def _joined(held: list[Delta]) -> Delta:
    first = held[0]
    if len(held) == 1:
        return first
    match _kind(first):
        case "tool_call":
            arguments = "".join((delta.tool_call or {}).get("arguments") or "" for delta in held)
            return first.model_copy(update={"tool_call": {**(first.tool_call or {}), "arguments": arguments}})
        case "thinking":
            return first.model_copy(update={"thinking": "".join(delta.thinking or "" for delta in held)})
        case _:
            return first.model_copy(update={"text": "".join(delta.text or "" for delta in held)})
