"""Opening: folder and file for this user alone, SQLite's settings, versions, and one clear line for what cannot be opened."""

import asyncio
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.domain.entries import Session
from netaclaw.errors import StoreError
from netaclaw.sessions import SessionStore, current_version, migrate, newest_version, open_database
from netaclaw.sessions.tables import metadata
from netaclaw.sessions.transactions import reading, writing
from tests.sessions.builders import said

_NOBODY = 65_534


async def test_folder_and_file_are_for_this_user_alone(engine: AsyncEngine, database_file: Path) -> None:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (database_file.parent, *database_file.parent.iterdir())}
    assert modes.pop("folder") == 0o700
    assert set(modes.values()) == {0o600}


async def test_every_connection_has_the_settings_of_the_design(engine: AsyncEngine) -> None:
    names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "recursive_triggers")
    async with reading(engine) as connection:
        values = [await connection.scalar(text(f"PRAGMA {name}")) for name in names]
    assert values == ["wal", 1, 1, 5_000, 1]


async def test_migrations_give_the_tables_of_the_code(engine: AsyncEngine) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async with reading(engine) as connection:
        assert await connection.run_sync(differences) == []
    assert await current_version(engine) == newest_version()


async def test_a_second_migration_changes_nothing(engine: AsyncEngine, store: SessionStore, session: Session) -> None:
    entry = await store.append(session.id, None, said("stays"))
    await migrate(engine)
    assert await store.get_entry(entry.id) == entry


async def test_two_processes_may_migrate_at_the_same_time(database_file: Path) -> None:
    first, second = open_database(database_file), open_database(database_file)
    assert await current_version(first) is None
    await asyncio.gather(migrate(first), migrate(second))
    assert await current_version(second) == newest_version()
    await first.dispose()
    await second.dispose()


async def test_a_session_is_there_after_reopening(engine: AsyncEngine, store: SessionStore, session: Session, database_file: Path) -> None:
    entry = await store.append(session.id, None, said("stays"))
    await engine.dispose()
    again = open_database(f"sqlite:///{database_file}")
    assert await SessionStore(again, lambda: session.created_at).read_path(entry.id) == (entry,)
    await again.dispose()


async def test_a_database_in_memory_serves_tests() -> None:
    engine = open_database("sqlite://")
    await migrate(engine)
    assert await current_version(engine) == newest_version()
    await engine.dispose()


async def test_a_database_of_a_newer_version_is_left_alone(engine: AsyncEngine) -> None:
    async with writing(engine) as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"is of a newer version \(9999\).*install the newer NetaClaw") as raised:
        await migrate(engine)
    assert "\n" not in str(raised.value)
    assert await current_version(engine) == "9999"


def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("my diary, dear to me")
    with pytest.raises(StoreError, match=r"notes\.txt is no SQLite database; move it away"):
        open_database(file)
    assert file.read_text() == "my diary, dear to me"


async def test_a_broken_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "broken.db"
    file.write_bytes(b"SQLite format 3\0" + b"\xff" * 4_000)
    engine = open_database(file)
    with pytest.raises(StoreError, match=r"broken\.db is no SQLite database"):
        await migrate(engine)
    await engine.dispose()


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot be opened .*choose another data folder"):
        open_database(tmp_path / "file" / "netaclaw.db")


def test_a_folder_without_rights_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    with (
        _not_as_root(),
        pytest.raises(
            StoreError, match=r"cannot be opened \(Permission denied\); give this user rights to it or choose another data folder"
        ),
    ):
        open_database(folder / "data" / "netaclaw.db")


@contextmanager
def _not_as_root() -> Iterator[None]:
    """Root has rights everywhere."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(_NOBODY)
    try:
        yield
    finally:
        if user == 0:
            os.seteuid(user)


@pytest.mark.parametrize(("url", "what"), [("postgresql://host/db", "kind 'postgresql' are not supported"), ("://", "cannot be read")])
def test_another_kind_of_database_is_refused(url: str, what: str) -> None:
    with pytest.raises(StoreError, match=what):
        open_database(url)
