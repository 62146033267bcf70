"""Runs: every start has one end."""

from collections.abc import Callable
from datetime import datetime

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.domain.entries import Session
from netaclaw.errors import StoreError
from netaclaw.sessions import RunStore


@pytest.fixture
def runs(engine: AsyncEngine, clock: Callable[[], datetime]) -> RunStore:
    return RunStore(engine, clock)


async def test_a_run_ends_once(runs: RunStore, session: Session) -> None:
    run = await runs.start(session.id, "compaction", {"trigger": "auto"})
    assert await runs.running(session.id) == (run,)
    assert await runs.finish(run.id, "failed", {"reason": "stale"})
    assert not await runs.finish(run.id, "done")
    latest = await runs.latest(session.id, "compaction")
    assert latest is not None
    assert (latest.state, latest.detail) == ("failed", {"reason": "stale"})
    assert latest.ended_at is not None
    assert await runs.running(session.id) == ()
    assert await runs.latest(session.id, "agent") is None


async def test_runs_of_a_dead_process_are_interrupted(runs: RunStore, session: Session) -> None:
    ended, left = await runs.start(session.id, "agent"), await runs.start(session.id, "compaction")
    await runs.finish(ended.id, "done")
    recovered = await runs.recover()
    assert [(run.id, run.state) for run in recovered] == [(left.id, "interrupted")]
    assert await runs.recover() == ()


async def test_a_run_needs_a_session(runs: RunStore) -> None:
    with pytest.raises(StoreError):
        await runs.start(99, "agent")
