"""A real database in a temporary folder, and a clock that goes on by a second at each look."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.domain.entries import Session
from netaclaw.sessions import SessionStore, migrate, open_database


@pytest.fixture
def clock() -> Callable[[], datetime]:
    seconds = count()
    return lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=next(seconds))


@pytest.fixture
def database_file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "netaclaw.db"


@pytest.fixture
async def engine(database_file: Path) -> AsyncIterator[AsyncEngine]:
    engine = open_database(database_file)
    await migrate(engine)
    yield engine
    await engine.dispose()


@pytest.fixture
def store(engine: AsyncEngine, clock: Callable[[], datetime]) -> SessionStore:
    return SessionStore(engine, clock)


@pytest.fixture
async def session(store: SessionStore) -> Session:
    return await store.create_session("A conversation")
