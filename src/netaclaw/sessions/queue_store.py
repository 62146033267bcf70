"""The queue of commands: one is acknowledged once it stands here, and carried out once, also over a restart.

queued -> taken -> done, or queued -> removed. The append of the entry that a command becomes marks it done in the same transaction,
so what is still `taken` after a crash was not carried out and goes back into the queue.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from sqlalchemy import CursorResult, Update, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from netaclaw.errors import StoreError
from netaclaw.sessions import tables
from netaclaw.sessions.transactions import finishes_when_cancelled, reading, writing

CommandState: TypeAlias = Literal["queued", "taken", "done", "removed"]

_queue = tables.queue


@dataclass(frozen=True, slots=True)
class QueuedCommand:
    """One command of a browser."""

    id: int
    session_id: int
    request_id: str
    """The browser's id of the request; a repeated one is the same command."""
    command: Mapping[str, Any]
    """The frame, as the gateway reads it."""
    state: CommandState
    created_at: datetime


@finishes_when_cancelled
class QueueStore:
    """The commands of all sessions, oldest first."""

    def __init__(self, engine: AsyncEngine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock

    async def enqueue(self, session_id: int, request_id: str, command: Mapping[str, Any]) -> QueuedCommand:
        """Add a command, or return the one that is there under this request id. Raises StoreError for a session that does not exist."""
        same = select(_queue).where(_queue.c.session_id == session_id, _queue.c.request_id == request_id)
        values = {
            "session_id": session_id,
            "request_id": request_id,
            "command": dict(command),
            "state": "queued",
            "created_at": self._clock(),
        }
        async with writing(self._engine) as connection:
            row = (await connection.execute(same)).first()
            if row is None:
                row = (await connection.execute(insert(_queue).values(values).returning(*_queue.c))).one()
            return _command(row)

    async def take_next(self, session_id: int) -> QueuedCommand | None:
        """Take the oldest waiting command of a session, or return None."""
        oldest = select(_queue.c.id).where(_queue.c.session_id == session_id, _queue.c.state == "queued").order_by(_queue.c.id).limit(1)
        taken = update(_queue).where(_queue.c.id == oldest.scalar_subquery()).values(state="taken").returning(*_queue.c)
        async with writing(self._engine) as connection:
            row = (await connection.execute(taken)).first()
        return None if row is None else _command(row)

    async def mark(self, command_id: int, state: CommandState) -> bool:
        """Set the state of a command that is not finished; False if it does not exist or is done or removed."""
        return await self._change(
            update(_queue).where(_queue.c.id == command_id, _queue.c.state.in_(("queued", "taken"))).values(state=state)
        )

    async def edit(self, command_id: int, command: Mapping[str, Any]) -> bool:
        """Change a command that still waits; False if it was taken meanwhile."""
        return await self._change(_waiting(command_id).values(command=dict(command)))

    async def remove(self, command_id: int) -> bool:
        """Remove a command that still waits; False if it was taken meanwhile."""
        return await self._change(_waiting(command_id).values(state="removed"))

    async def waiting(self, session_id: int) -> tuple[QueuedCommand, ...]:
        """Return the commands of a session that wait, oldest first."""
        waiting = select(_queue).where(_queue.c.session_id == session_id, _queue.c.state == "queued").order_by(_queue.c.id)
        async with reading(self._engine) as connection:
            return tuple(_command(row) for row in await connection.execute(waiting))

    async def find(self, session_id: int, request_id: str) -> QueuedCommand | None:
        """Return the command with this request id, or None."""
        same = select(_queue).where(_queue.c.session_id == session_id, _queue.c.request_id == request_id)
        async with reading(self._engine) as connection:
            row = (await connection.execute(same)).first()
        return None if row is None else _command(row)

    async def recover(self) -> tuple[int, ...]:
        """Put commands that a dead process had taken back into the queue; return the ids of the sessions in which commands wait."""
        async with writing(self._engine) as connection:
            await connection.execute(update(_queue).where(_queue.c.state == "taken").values(state="queued"))
            waiting = select(_queue.c.session_id).where(_queue.c.state == "queued").distinct().order_by(_queue.c.session_id)
            return tuple((await connection.scalars(waiting)).all())

    async def _change(self, statement: Update) -> bool:
        async with writing(self._engine) as connection:
            result: CursorResult[Any] = await connection.execute(statement)
            return result.rowcount > 0


async def finish_command(connection: AsyncConnection, session_id: int, command_id: int) -> None:
    """Mark a command done within the transaction that carries it out. Raises StoreError if it is finished already."""
    unfinished = _queue.c.state.in_(("queued", "taken"))
    done = update(_queue).where(_queue.c.id == command_id, _queue.c.session_id == session_id, unfinished).values(state="done")
    if (await connection.execute(done)).rowcount == 0:
        raise StoreError(f"Command {command_id} of session {session_id} is done or removed already; nothing was written")


def _waiting(command_id: int) -> Update:
    return update(_queue).where(_queue.c.id == command_id, _queue.c.state == "queued")


def _command(row: Any) -> QueuedCommand:
    return QueuedCommand(row.id, row.session_id, row.request_id, row.command, row.state, row.created_at)
