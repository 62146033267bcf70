"""A run's beginning and its end: in the database, in the session, for everyone who listens, in the figures. One end for each start."""

import asyncio
from collections.abc import Awaitable

import structlog

from netaclaw.domain.events import RunEnd, RunStart, Usage
from netaclaw.errors import NetaClawError, NotFoundError, StoreError
from netaclaw.runtime.frames import token_update
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.runtime.turn import Turn
from netaclaw.runtime.user_message import RunEnding, failure_notice
from netaclaw.runtime.view import load_view
from netaclaw.sessions import QueuedCommand, Run

_log = structlog.get_logger(__name__)


async def begin_run(parts: RuntimeParts, session_id: int, command: QueuedCommand) -> Run:
    """Record a run and tell that it starts. Raises StoreError; then it has not started."""
    run = await parts.runs.start(session_id, "agent", {"commandId": command.id})
    parts.meter.run_started()
    parts.hub.publish(session_id, RunStart(session_id=session_id, run_id=run.id))
    return run


async def ending_of(task: "asyncio.Task[RunEnding]") -> RunEnding:
    """Wait for a run and return how it ended: a stop and a fault are ends, too, so that the session's worker goes on."""
    await asyncio.wait([task])
    if task.cancelled():
        return RunEnding("cancelled", "stopped")
    error = task.exception()
    if error is None:
        return task.result()
    _log.error("turn_failed", exc_info=error)
    return RunEnding("failed", _reason_of(error), str(error) if isinstance(error, NetaClawError) else type(error).__name__)


async def end_run(parts: RuntimeParts, run: Run, turn: Turn, ended: RunEnding) -> None:
    """Tell and record how a run ended. A database that refuses is no reason not to tell; the next start then ends it there, too."""
    if ended.notice is not None:
        await _if_possible(turn.append(failure_notice(ended)))
    await _if_possible(parts.runs.finish(run.id, ended.state, {"reason": ended.reason, **turn.channel_asked}))
    parts.meter.run_ended(ended.state)
    end = RunEnd(session_id=run.session_id, run_id=run.id, state=ended.state, reason=ended.reason, error=ended.notice)
    parts.hub.publish(run.session_id, end)
    await tell_size(parts, run.session_id, turn.usage)


async def tell_size(parts: RuntimeParts, session_id: int, usage: Usage) -> None:
    """Tell how large the context is now, if it can be read."""
    try:
        parts.hub.publish(session_id, token_update(await load_view(parts, session_id), usage))
    except (StoreError, NotFoundError):
        _log.exception("size_unknown", session_id=session_id)


async def _if_possible(write: Awaitable[object]) -> None:
    try:
        await write
    except (StoreError, NotFoundError):
        _log.exception("end_of_run_not_stored")


def _reason_of(error: BaseException) -> str:
    if isinstance(error, NotFoundError):
        return "not_found"
    return "storage_error" if isinstance(error, StoreError) else "internal_error"
