"""A runtime that answers by itself: the port's double for tests of the door. Real hub, real store, no model."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from netaclaw.app import Parts
from netaclaw.domain.entries import MessagePayload
from netaclaw.domain.events import ContextUsage, Delta, RunEnd, RunStart, SessionEvent, SessionSnapshot, SessionState, TreePatch
from netaclaw.domain.messages import Image, Text, text_message
from netaclaw.errors import CommandRefused
from netaclaw.runtime.event_hub import EventHub, HubLimits

USAGE = ContextUsage(
    used_tokens=0,
    max_tokens=None,
    percent=None,
    threshold_percent=70,
    threshold_tokens=0,
    estimated=True,
    source="estimate",
    breakdown={},
)


class EchoRuntime:
    """Stores a message, repeats it in pieces, and refuses what a test wants refused.

    `flood N SIZE` sends N patches, `fail` breaks, everything else is repeated letter by letter.
    """

    def __init__(self, parts: Parts) -> None:
        self._sessions = parts.sessions
        self._hub = EventHub(HubLimits(waiting_events=200))
        self._runs: set[asyncio.Task[None]] = set()
        self.is_open = False

    async def start(self) -> None:
        self.is_open = True

    async def close(self) -> None:
        self.is_open = False
        for run in self._runs:
            run.cancel()
        await asyncio.gather(*self._runs, return_exceptions=True)

    async def chat(self, session_id: int, text: str, images: Sequence[Image], parent_id: int | None, request_id: str) -> dict[str, Any]:
        if text == "fail":
            raise RuntimeError("a secret of the inside")
        session = await self._sessions.get_session(session_id)
        message = text_message("user", text)
        if images:
            message = type(message)("user", (Text(text), *images))
        entry = await self._sessions.append(session_id, session.active_leaf_id, MessagePayload(message), 1)
        self._run(self._flood(session_id, text) if text.startswith("flood") else self._repeat(session_id, text, entry.id))
        return {"queued": False, "entryId": entry.id}

    async def retry(self, session_id: int, request_id: str) -> dict[str, Any]:
        return {"queueId": 1, "queued": False}

    def state(self, session_id: int) -> SessionState:
        return "idle"

    async def stop(self, session_id: int) -> dict[str, Any]:
        await self._sessions.get_session(session_id)
        return {"stopped": False}

    async def delete(self, session_id: int) -> None:
        await self._sessions.delete_session(session_id)
        self._hub.forget(session_id)

    async def compact(self, session_id: int, focus: str | None, up_to_entry_id: int | None, request_id: str) -> dict[str, Any]:
        return {"focus": focus, "upToEntryId": up_to_entry_id}

    async def cancel_compaction(self, session_id: int) -> dict[str, Any]:
        return {"cancelled": False}

    async def undo_compaction(self, session_id: int, compaction_id: int) -> dict[str, Any]:
        raise CommandRefused("busy", "A run goes on; stop it first")

    async def switch_branch(self, session_id: int, leaf_id: int) -> dict[str, Any]:
        return {"leafId": leaf_id}

    async def edit_queued(self, session_id: int, queue_id: int, text: str) -> dict[str, Any]:
        return {"queueId": queue_id, "text": text}

    async def remove_queued(self, session_id: int, queue_id: int) -> dict[str, Any]:
        return {"queueId": queue_id}

    async def snapshot(self, session_id: int) -> SessionSnapshot:
        session = await self._sessions.get_session(session_id)
        return SessionSnapshot(
            session_id=session_id,
            revision=session.revision,
            active_leaf_id=session.active_leaf_id,
            visible_entries=[],
            context=USAGE,
            queue=[],
            state="idle",
        )

    async def subscribe(self, session_id: int, after_revision: int | None) -> AsyncGenerator[SessionEvent, None]:
        with self._hub.subscription(session_id) as live:
            revision = (await self._sessions.get_session(session_id)).revision
            missed = self._hub.missed(session_id, after_revision, revision)
            for event in [await self.snapshot(session_id)] if missed is None else missed:
                yield event
            async for event in live:
                yield event

    async def next_request(self, session_id: int) -> dict[str, Any]:
        await self._sessions.get_session(session_id)
        return {"system": [], "messages": [], "tools": [], "context": {}}

    async def history(self, session_id: int, view: str, before: int | None, limit: int) -> dict[str, Any]:
        await self._sessions.get_session(session_id)
        return {"view": view, "before": before, "limit": limit, "entries": []}

    def _run(self, work: Any) -> None:
        run = asyncio.create_task(work)
        self._runs.add(run)
        run.add_done_callback(self._runs.discard)

    async def _repeat(self, session_id: int, text: str, run_id: int) -> None:
        self._hub.publish(session_id, RunStart(session_id=session_id, run_id=run_id))
        for letter in text:
            self._hub.publish(session_id, Delta(session_id=session_id, run_id=run_id, text=letter))
            await asyncio.sleep(0)
        self._hub.publish(session_id, RunEnd(session_id=session_id, run_id=run_id, state="done"))

    async def _flood(self, session_id: int, text: str) -> None:
        _, count, size = text.split()
        for number in range(int(count)):
            padding = [{"padding": "x" * int(size)}]
            self._hub.publish(session_id, TreePatch(session_id=session_id, revision=number, appended=padding, active_leaf_id=None))
            await asyncio.sleep(0.001)
        self._hub.publish(session_id, RunEnd(session_id=session_id, run_id=1, state="done"))
