"""Opening the database: the data folder, the settings of SQLite, and the version of the tables."""

import os
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, AsyncAdaptedQueuePool, Connection, event, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from netaclaw.errors import StoreError
from netaclaw.sessions.transactions import IS_READING, reading, writing

_SQLITE_HEADER = b"SQLite format 3\0"
_PRAGMAS = (
    "PRAGMA busy_timeout = 5000",  # milliseconds; first, since the next one may have to wait
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",  # or INSERT OR REPLACE would pass the trigger that forbids DELETE
)


def open_database(url_or_path: str | Path) -> AsyncEngine:
    """Return the engine of a SQLite database, `sqlite:///FILE` or the file itself; its folder is made if need be (mode 0700).

    Connects at the first use, so call `migrate` next. Raises StoreError for a folder without rights or a file that is no database.
    """
    url = _sqlite_url(url_or_path)
    options: dict[str, Any] = {}
    if url.database and url.database != ":memory:":
        _prepare_file(Path(url.database))
    else:  # each connection in memory is a database of its own
        options = {"poolclass": AsyncAdaptedQueuePool, "pool_size": 1, "max_overflow": 0}
    engine = create_async_engine(url, **options)
    event.listen(engine.sync_engine, "connect", _set_up_connection)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


async def migrate(engine: AsyncEngine) -> None:
    """Bring the tables to this version, all or nothing. Raises StoreError for a file that is no database and one of a newer version."""
    try:
        async with writing(engine) as connection:
            await connection.run_sync(_upgrade)
    except StoreError as error:
        if isinstance(error.__cause__, DatabaseError) and "not a database" in str(error):
            raise _no_database(engine.url.database) from error
        raise


async def current_version(engine: AsyncEngine) -> str | None:
    """Return the version of the tables, None for an empty database."""
    async with reading(engine) as connection:
        return await connection.run_sync(_revision)


def newest_version() -> str:
    """Return the version that this NetaClaw writes."""
    version = ScriptDirectory.from_config(_alembic_config()).get_current_head()
    assert version is not None
    return version


def _sqlite_url(url_or_path: str | Path) -> URL:
    if isinstance(url_or_path, Path) or "://" not in url_or_path:
        return URL.create("sqlite+aiosqlite", database=str(url_or_path))
    try:
        url = make_url(url_or_path)
    except ArgumentError as error:
        raise StoreError("The database URL cannot be read; write it as sqlite:///FILE") from error
    if url.get_backend_name() != "sqlite":
        raise StoreError(f"Databases of the kind '{url.get_backend_name()}' are not supported; use sqlite:///FILE")
    return url.set(drivername="sqlite+aiosqlite")


def _prepare_file(file: Path) -> None:
    """Make folder and file for this user alone; SQLite gives its side files the mode of the file."""
    try:
        _make_folder(file.parent)
        with os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), "rb") as content:
            header = content.read(len(_SQLITE_HEADER))
    except OSError as error:
        what = error.strerror or str(error)
        raise StoreError(
            f"The database {file} cannot be opened ({what}); give this user rights to it or choose another data folder"
        ) from error
    if header not in (b"", _SQLITE_HEADER):
        raise _no_database(str(file))
    if not os.access(file.parent, os.W_OK | os.X_OK):  # SQLite's log is written beside the file
        raise StoreError(f"The folder {file.parent} cannot be written to; give this user rights to it or choose another data folder")


def _make_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


def _no_database(file: str | None) -> StoreError:
    return StoreError(f"The file {file} is no SQLite database; move it away or choose another data folder")


def _set_up_connection(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # BEGIN is ours: the driver would leave reads outside of the transaction
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    """Writers take the lock at once: one that has read first could not wait for it any more."""
    is_reading = connection.get_execution_options().get(IS_READING, False)
    connection.exec_driver_sql("BEGIN" if is_reading else "BEGIN IMMEDIATE")


def _upgrade(connection: Connection) -> None:
    config = _alembic_config()
    version = _revision(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if version is not None and version not in known:
        raise StoreError(
            f"The database {connection.engine.url.database} is of a newer version ({version}) than this NetaClaw ({newest_version()}); "
            "install the newer NetaClaw or restore a backup"
        )
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", "netaclaw.sessions:migrations")
    return config
