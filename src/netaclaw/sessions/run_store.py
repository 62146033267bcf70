"""Runs: each execution of the agent loop and each compaction, so that a start always has an end, also after a crash."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

from sqlalchemy import Row, Select, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.sessions import tables
from netaclaw.sessions.transactions import finishes_when_cancelled, reading, writing

RunKind: TypeAlias = Literal["agent", "compaction"]
EndState: TypeAlias = Literal["done", "failed", "cancelled", "interrupted"]
RunState: TypeAlias = Literal["running"] | EndState

_run = tables.run


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `interrupted` means that the process died in it."""

    id: int
    session_id: int
    kind: RunKind
    state: RunState
    started_at: datetime
    ended_at: datetime | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    """What the runtime wants to know of it later."""


@finishes_when_cancelled
class RunStore:
    """The runs of all sessions."""

    def __init__(self, engine: AsyncEngine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock

    async def start(self, session_id: int, kind: RunKind, detail: Mapping[str, Any] | None = None) -> Run:
        """Record that a run starts. Raises StoreError for a session that does not exist."""
        values = {"session_id": session_id, "kind": kind, "state": "running", "detail": dict(detail or {}), "started_at": self._clock()}
        async with writing(self._engine) as connection:
            return _from_row((await connection.execute(insert(_run).values(values).returning(*_run.c))).one())

    async def finish(self, run_id: int, state: EndState, detail: Mapping[str, Any] | None = None) -> bool:
        """Record how a run ended, with a new detail if one is given; False if it had ended before or is gone."""
        values: dict[str, Any] = {"state": state, "ended_at": self._clock()}
        if detail is not None:
            values["detail"] = dict(detail)
        async with writing(self._engine) as connection:
            ended = update(_run).where(_run.c.id == run_id, _run.c.state == "running").values(values)
            return (await connection.execute(ended)).rowcount > 0

    async def running(self, session_id: int) -> tuple[Run, ...]:
        """Return the runs of a session that have not ended, oldest first."""
        return await self._read(select(_run).where(_run.c.session_id == session_id, _run.c.state == "running").order_by(_run.c.id))

    async def latest(self, session_id: int, kind: RunKind) -> Run | None:
        """Return the newest run of a kind, or None."""
        newest = select(_run).where(_run.c.session_id == session_id, _run.c.kind == kind).order_by(_run.c.id.desc()).limit(1)
        return next(iter(await self._read(newest)), None)

    async def recover(self) -> tuple[Run, ...]:
        """Mark the runs that a dead process left running as interrupted, and return them; called at start."""
        left = update(_run).where(_run.c.state == "running").values(state="interrupted", ended_at=self._clock()).returning(*_run.c)
        async with writing(self._engine) as connection:
            return tuple(sorted((_from_row(row) for row in await connection.execute(left)), key=lambda run: run.id))

    async def _read(self, runs: Select[Any]) -> tuple[Run, ...]:
        async with reading(self._engine) as connection:
            return tuple(_from_row(row) for row in await connection.execute(runs))


def _from_row(row: Row[Any]) -> Run:
    return Run(row.id, row.session_id, row.kind, row.state, row.started_at, row.ended_at, row.detail)
