"""The order of things in a session, nothing else: take a message, run the agent, take the next one.

Everyone who wants something of a session comes through here; what is done stands in the files that this one calls.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from typing import Any

import structlog

from netaclaw.agent.loop import run_agent
from netaclaw.agent.undisturbed import undisturbed
from netaclaw.domain.events import MessageQueued, SessionEvent, SessionSnapshot, SessionState, Usage
from netaclaw.domain.messages import Image
from netaclaw.errors import CommandRefused, NotFoundError, StoreError
from netaclaw.runtime import history as reading
from netaclaw.runtime.branches import switch_branch, undo_compaction
from netaclaw.runtime.compaction_service import CompactionService
from netaclaw.runtime.frames import queued_frames, token_update
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.runtime.recovery import recover
from netaclaw.runtime.retry import can_retry
from netaclaw.runtime.run_record import begin_run, end_run, ending_of, tell_size
from netaclaw.runtime.turn import Turn
from netaclaw.runtime.user_message import RunEnding, command_of
from netaclaw.runtime.view import load_view
from netaclaw.sessions import QueuedCommand, Run

_log = structlog.get_logger(__name__)
_GLANCE_SECONDS = 0.05
_PUTTING_AWAY_SECONDS = 1.0
_NOT_YET = "Compacting up to a chosen message comes with a later version; send the command without upToEntryId"


class Orchestrator:
    """Implements `runtime.ports.Conversations` for one process."""

    def __init__(self, parts: RuntimeParts) -> None:
        self._parts = parts
        self._compactions = CompactionService(parts)
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._runs: dict[int, asyncio.Task[RunEnding]] = {}
        self._manual: dict[int, asyncio.Task[bool]] = {}
        self._nudged: set[int] = set()
        """Sessions whose worker must look at the queue once more before it ends."""
        self._leaving: set[int] = set()
        """Sessions that are being deleted."""
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
        await self._must_exist(session_id)
        if parent_id is not None and self._is_busy(session_id):
            raise CommandRefused("busy", "A message cannot be edited while the agent answers; stop it first")
        is_busy = self._is_busy(session_id)
        command = await self._parts.queue.enqueue(session_id, request_id, command_of(text, images, parent_id))
        if is_busy and command.state == "queued":
            await self._tell_queue(session_id)
        self._wake(session_id)
        return {"queueId": command.id, "queued": is_busy}

    async def retry(self, session_id: int, request_id: str) -> dict[str, Any]:
        """See Conversations."""
        await self._must_exist(session_id)
        if (known := await self._parts.queue.find(session_id, request_id)) is not None:
            return {"queueId": known.id, "queued": False}
        await self._refuse_while_busy(session_id)
        if not can_retry(await load_view(self._parts, session_id)):
            raise CommandRefused("bad_request", "There is nothing to try again: the agent has answered. Write a message instead")
        command = await self._parts.queue.enqueue(session_id, request_id, {"type": "retry"})
        self._wake(session_id)
        return {"queueId": command.id, "queued": False}

    async def stop(self, session_id: int) -> dict[str, Any]:
        """See Conversations."""
        tasks = [task for task in (self._runs.get(session_id), self._manual.get(session_id)) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        return {"stopped": bool(tasks)}

    async def delete(self, session_id: int) -> None:
        """See Conversations."""
        await self._must_exist(session_id)
        self._leaving.add(session_id)
        try:
            while (worker := self._workers.get(session_id)) is not None and not worker.done():
                await self.stop(session_id)
                await asyncio.wait([worker], timeout=_GLANCE_SECONDS)
            await self.stop(session_id)
            await self._parts.sessions.delete_session(session_id)
        finally:
            self._leaving.discard(session_id)
        self._parts.hub.forget(session_id)

    async def compact(self, session_id: int, focus: str | None, up_to_entry_id: int | None, request_id: str) -> dict[str, Any]:
        """See Conversations."""
        await self._must_exist(session_id)
        if up_to_entry_id is not None:
            raise CommandRefused("bad_request", _NOT_YET)
        await self._refuse_while_busy(session_id)
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
        await self._refuse_while_busy(session_id)
        return await undo_compaction(self._parts, session_id, compaction_id)

    async def switch_branch(self, session_id: int, leaf_id: int) -> dict[str, Any]:
        """See Conversations."""
        await self._refuse_while_busy(session_id)
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
        return await reading.snapshot(self._parts, session_id, self.state(session_id), self._compactions.started_at(session_id))

    async def subscribe(self, session_id: int, after_revision: int | None) -> AsyncGenerator[SessionEvent, None]:
        """See Conversations."""
        session = await self._parts.sessions.get_session(session_id)
        with self._parts.hub.subscription(session_id) as live:
            # Nothing may wait between here and the next two lines: what is published meanwhile would be told twice.
            missed = self._parts.hub.missed(session_id, after_revision, session.revision)
            under_way = self._parts.hub.under_way(session_id)
            for event in [await self.snapshot(session_id), *under_way] if missed is None else missed:
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
        while not self._is_closing and session_id not in self._leaving:
            self._nudged.discard(session_id)
            is_carried_out = await self._carry_out_next(session_id)
            if not is_carried_out and session_id not in self._nudged:
                return

    async def _carry_out_next(self, session_id: int) -> bool:
        """Take the next command; False if there is none, or the database fails: then it waits until somebody looks again."""
        command: QueuedCommand | None = None
        try:
            command = await self._parts.queue.take_next(session_id)
            if command is None:
                return False
            await self._tell_queue(session_id)
            return await self._answer(session_id, command)
        except StoreError:
            _log.exception("queue_rests", session_id=session_id)
            if command is not None:
                with suppress(StoreError):  # else the next start of the server puts it back
                    await self._parts.queue.mark(command.id, "queued")
            return False

    async def _answer(self, session_id: int, command: QueuedCommand) -> bool:
        """One turn, from its start to its end. False if the user's message could not be stored: it waits again."""
        previous = await self._parts.runs.latest(session_id, "agent")
        run = await begin_run(self._parts, session_id, command)
        turn = Turn(self._parts, self._compactions, session_id, run.id)
        task = asyncio.create_task(_take_in_and_run(turn, command, previous))
        self._runs[session_id] = task
        ended = await ending_of(task)
        self._runs.pop(session_id, None)
        await end_run(self._parts, run, turn, ended)
        if not turn.has_stored_message:
            await self._parts.queue.mark(command.id, "removed" if ended.reason == "not_found" else "queued")
            await self._tell_queue(session_id)
        return turn.has_stored_message

    async def _compact_by_hand(self, session_id: int, focus: str | None) -> bool:
        try:
            return await self._compactions.compact(session_id, "manual", focus)
        except Exception:  # its end has been told; the session goes on
            _log.exception("compaction_failed", session_id=session_id)
            return False
        finally:
            if not self._is_closing:
                self._wake(session_id)
                await tell_size(self._parts, session_id, Usage())

    async def _waiting(self, session_id: int, queue_id: int) -> QueuedCommand:
        for command in await self._parts.queue.waiting(session_id):
            if command.id == queue_id:
                return command
        raise CommandRefused("not_queued", f"Message {queue_id} does not wait any more")

    async def _tell_queue(self, session_id: int) -> None:
        waiting = await self._parts.queue.waiting(session_id)
        self._parts.hub.publish(session_id, MessageQueued(session_id=session_id, queue=queued_frames(waiting)))

    def state(self, session_id: int) -> SessionState:
        """See Conversations."""
        if self._compactions.started_at(session_id) is not None:
            return "compacting"
        return "running" if self._is_busy(session_id) else "idle"

    def _is_busy(self, session_id: int) -> bool:
        return any(task is not None and not task.done() for task in (self._workers.get(session_id), self._manual.get(session_id)))

    async def _refuse_while_busy(self, session_id: int) -> None:
        """A worker whose run has been told to have ended is given a moment to put its things away."""
        worker = self._workers.get(session_id)
        if worker is not None and session_id not in self._runs:
            await asyncio.wait([worker], timeout=_PUTTING_AWAY_SECONDS)
        if self._is_busy(session_id):
            raise CommandRefused("busy", "The session is busy; wait until the agent has answered, or stop it")

    async def _must_exist(self, session_id: int) -> None:
        if session_id in self._leaving:
            raise NotFoundError(f"Session {session_id} is being deleted; choose another one")
        await self._parts.sessions.get_session(session_id)


async def _take_in_and_run(turn: Turn, command: QueuedCommand, previous: Run | None) -> RunEnding:
    # A stop that comes first waits until the message is stored: it must neither be lost nor run by itself later.
    if not await undisturbed(turn.take_in(command, previous)):
        return RunEnding("done", "nothing_to_retry")
    return await turn.run(run_agent)
