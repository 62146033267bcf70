"""The order of things in a session, nothing else: take a message, run the agent, take the next one.

Everyone who wants something of a session comes through here; what is done stands in the files that this one calls.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from typing import Any

import structlog

from netaclaw.agent.loop import run_agent
from netaclaw.domain.events import MessageQueued, RunEnd, RunStart, SessionEvent, SessionSnapshot, Usage
from netaclaw.domain.messages import Image
from netaclaw.errors import CommandRefused, NetaClawError
from netaclaw.runtime import history as reading
from netaclaw.runtime.branches import switch_branch, undo_compaction
from netaclaw.runtime.compaction_service import CompactionService
from netaclaw.runtime.frames import queued_frames, token_update
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.runtime.recovery import recover
from netaclaw.runtime.turn import Turn
from netaclaw.runtime.user_message import command_of, failure_notice, user_payload
from netaclaw.runtime.view import load_view
from netaclaw.sessions import QueuedCommand

_log = structlog.get_logger(__name__)
_NOT_YET = "Compacting up to a chosen message comes with a later version; send the command without upToEntryId"


class Orchestrator:
    """Implements `runtime.ports.Conversations` for one process."""

    def __init__(self, parts: RuntimeParts) -> None:
        self._parts = parts
        self._compactions = CompactionService(parts)
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._runs: dict[int, asyncio.Task[Any]] = {}
        self._manual: dict[int, asyncio.Task[bool]] = {}
        self._nudged: set[int] = set()
        """Sessions whose worker must look at the queue once more before it ends."""
        self._is_closing = False

    async def start(self) -> None:
        """Recover what a crash left behind, and take up the queues."""
        for session_id in await recover(self._parts):
            self._wake(session_id)

    async def close(self) -> None:
        """Stop what runs; what waits stays in the queue."""
        self._is_closing = True
        tasks = [*self._runs.values(), *self._manual.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._workers.values(), return_exceptions=True)

    async def chat(self, session_id: int, text: str, images: Sequence[Image], parent_id: int | None, request_id: str) -> dict[str, Any]:
        """See Conversations."""
        await self._parts.sessions.get_session(session_id)
        if parent_id is not None and self._is_busy(session_id):
            raise CommandRefused("busy", "A message cannot be edited while the agent answers; stop it first")
        is_busy = self._is_busy(session_id)
        command = await self._parts.queue.enqueue(session_id, request_id, command_of(text, images, parent_id))
        if is_busy and command.state == "queued":
            await self._tell_queue(session_id)
        self._wake(session_id)
        return {"queueId": command.id, "queued": is_busy}

    async def stop(self, session_id: int) -> dict[str, Any]:
        """See Conversations."""
        tasks = [task for task in (self._runs.get(session_id), self._manual.get(session_id)) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        return {"stopped": bool(tasks)}

    async def compact(self, session_id: int, focus: str | None, up_to_entry_id: int | None, request_id: str) -> dict[str, Any]:
        """See Conversations."""
        await self._parts.sessions.get_session(session_id)
        if up_to_entry_id is not None:
            raise CommandRefused("bad_request", _NOT_YET)
        if self._is_busy(session_id):
            raise CommandRefused("busy", "The session is busy; wait until the agent has answered, or stop it")
        task = asyncio.create_task(self._compact_by_hand(session_id, focus))
        self._manual[session_id] = task
        return {"started": True}

    async def cancel_compaction(self, session_id: int) -> dict[str, Any]:
        """See Conversations."""
        if self._compactions.started_at(session_id) is None:
            return {"cancelled": False}
        return {"cancelled": (await self.stop(session_id))["stopped"]}

    async def undo_compaction(self, session_id: int, compaction_id: int) -> dict[str, Any]:
        """See Conversations."""
        self._refuse_while_busy(session_id)
        return await undo_compaction(self._parts, session_id, compaction_id)

    async def switch_branch(self, session_id: int, leaf_id: int) -> dict[str, Any]:
        """See Conversations."""
        self._refuse_while_busy(session_id)
        return await switch_branch(self._parts, session_id, leaf_id)

    async def edit_queued(self, session_id: int, queue_id: int, text: str) -> dict[str, Any]:
        """See Conversations."""
        command = await self._waiting(session_id, queue_id)
        changed = await self._parts.queue.edit(queue_id, {**command.command, "text": text})
        await self._tell_queue(session_id)
        return {"changed": changed}

    async def remove_queued(self, session_id: int, queue_id: int) -> dict[str, Any]:
        """See Conversations."""
        await self._waiting(session_id, queue_id)
        removed = await self._parts.queue.remove(queue_id)
        await self._tell_queue(session_id)
        return {"removed": removed}

    async def snapshot(self, session_id: int) -> SessionSnapshot:
        """See Conversations."""
        return await reading.snapshot(self._parts, session_id, self._state(session_id), self._compactions.started_at(session_id))

    async def subscribe(self, session_id: int, after_revision: int | None) -> AsyncIterator[SessionEvent]:
        """See Conversations."""
        with self._parts.hub.subscription(session_id) as live:
            session = await self._parts.sessions.get_session(session_id)
            missed = self._parts.hub.missed(session_id, after_revision, session.revision)
            for event in [await self.snapshot(session_id)] if missed is None else missed:
                yield event
            yield token_update(await load_view(self._parts, session_id), Usage())
            async for event in live:
                yield event

    async def next_request(self, session_id: int) -> dict[str, Any]:
        """See Conversations."""
        return await reading.next_request(self._parts, session_id)

    async def history(self, session_id: int, view: str, before: int | None, limit: int) -> dict[str, Any]:
        """See Conversations."""
        return await reading.history(self._parts, session_id, view, before, limit)

    def _wake(self, session_id: int) -> None:
        self._nudged.add(session_id)
        worker = self._workers.get(session_id)
        if not self._is_closing and (worker is None or worker.done()):
            self._workers[session_id] = asyncio.create_task(self._work(session_id))

    async def _work(self, session_id: int) -> None:
        """Carry out what waits in a session, one after the other."""
        manual = self._manual.get(session_id)
        if manual is not None and not manual.done():
            await asyncio.wait([manual])
        while not self._is_closing:
            self._nudged.discard(session_id)
            command = await self._parts.queue.take_next(session_id)
            if command is None:
                if session_id in self._nudged:
                    continue
                return
            await self._tell_queue(session_id)
            await self._guarded(session_id, self._answer(session_id, command))

    async def _answer(self, session_id: int, command: QueuedCommand) -> None:
        """One turn: append the user's message, run the agent, tell how it ended."""
        run = await self._parts.runs.start(session_id, "agent", {"commandId": command.id})
        self._parts.meter.run_started()
        turn = Turn(self._parts, self._compactions, session_id, run.id)
        view = await load_view(self._parts, session_id)
        payload, parent_id = user_payload(command.command, view, self._parts.clock())
        await turn.append(payload, command.id, parent_id)
        self._parts.hub.publish(session_id, RunStart(session_id=session_id, run_id=run.id))
        task = asyncio.create_task(turn.run(run_agent))
        self._runs[session_id] = task
        try:
            ended = await task
        finally:
            self._runs.pop(session_id, None)
        if ended.notice is not None:
            await turn.append(failure_notice(ended))
        await self._parts.runs.finish(run.id, ended.state, {"reason": ended.reason})
        self._parts.meter.run_ended(ended.state)
        end = RunEnd(session_id=session_id, run_id=run.id, state=ended.state, reason=ended.reason, error=ended.notice)
        self._parts.hub.publish(session_id, end)
        self._parts.hub.publish(session_id, token_update(await load_view(self._parts, session_id), turn.usage))

    async def _compact_by_hand(self, session_id: int, focus: str | None) -> bool:
        try:
            return await self._compactions.compact(session_id, "manual", focus)
        finally:
            if not self._is_closing:
                self._parts.hub.publish(session_id, token_update(await load_view(self._parts, session_id), Usage()))
                self._wake(session_id)

    async def _guarded(self, session_id: int, turn: Coroutine[Any, Any, None]) -> None:
        """A fault of one turn must not end the session's worker."""
        try:
            await turn
        except Exception as error:
            _log.exception("turn_failed", session_id=session_id)
            await self._end_broken_runs(session_id, str(error) if isinstance(error, NetaClawError) else type(error).__name__)

    async def _end_broken_runs(self, session_id: int, error: str) -> None:
        for run in await self._parts.runs.running(session_id):
            await self._parts.runs.finish(run.id, "failed", {"reason": "internal_error"})
            self._parts.meter.run_ended("failed")
            end = RunEnd(session_id=session_id, run_id=run.id, state="failed", reason="internal_error", error=error)
            self._parts.hub.publish(session_id, end)

    async def _waiting(self, session_id: int, queue_id: int) -> QueuedCommand:
        for command in await self._parts.queue.waiting(session_id):
            if command.id == queue_id:
                return command
        raise CommandRefused("not_queued", f"Message {queue_id} does not wait any more")

    async def _tell_queue(self, session_id: int) -> None:
        waiting = await self._parts.queue.waiting(session_id)
        self._parts.hub.publish(session_id, MessageQueued(session_id=session_id, queue=queued_frames(waiting)))

    def _state(self, session_id: int) -> str:
        if self._compactions.started_at(session_id) is not None:
            return "compacting"
        return "running" if self._is_busy(session_id) else "idle"

    def _is_busy(self, session_id: int) -> bool:
        return any(task is not None and not task.done() for task in (self._workers.get(session_id), self._manual.get(session_id)))

    def _refuse_while_busy(self, session_id: int) -> None:
        if self._is_busy(session_id):
            raise CommandRefused("busy", "The session is busy; wait until the agent has answered, or stop it")
