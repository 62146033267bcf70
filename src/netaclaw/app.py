"""The one place that builds and wires: database, stores, keys, runtime, door."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, TypeAlias

from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.configuration import StoredConfiguration
from netaclaw.errors import StoreError
from netaclaw.first_start import prepare_first_start
from netaclaw.gateway.application import build_gateway
from netaclaw.gateway.limits import GatewayLimits
from netaclaw.gateway.metrics import Metrics
from netaclaw.gateway.schema import openapi_document
from netaclaw.gateway.services import Services
from netaclaw.gateway.static import PAGE_FOLDER
from netaclaw.providers.open_clients import OpenClients
from netaclaw.runtime.orchestrator import Orchestrator
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.runtime.ports import Conversations
from netaclaw.security import KeySeal, load_master_key
from netaclaw.sessions import (
    CalibrationStore,
    CompactionStateStore,
    ConfigStore,
    QueueStore,
    RunStore,
    SessionStore,
    current_version,
    migrate,
    newest_version,
    open_database,
)
from netaclaw.settings import Settings

__all__ = ["Parts", "Runtime", "build_parts", "build_runtime", "create_app", "openapi_document", "prepare_data"]


@dataclass(frozen=True, slots=True)
class Parts:
    """What the runtime is built from."""

    settings: Settings
    engine: AsyncEngine
    sessions: SessionStore
    store: ConfigStore
    configuration: StoredConfiguration
    metrics: Metrics
    clients: OpenClients


class Runtime(Conversations, Protocol):
    """The runtime with its beginning and end."""

    async def start(self) -> None:
        """Recover what a crash left behind, and take up the queues."""
        ...

    async def close(self) -> None:
        """Stop what runs, as interrupted, and close connections."""
        ...


BuildRuntime: TypeAlias = Callable[[Parts], Runtime]


def build_runtime(parts: Parts) -> Runtime:
    """Return the runtime over these parts."""
    return Orchestrator(
        RuntimeParts(
            sessions=parts.sessions,
            runs=RunStore(parts.engine, _now),
            queue=QueueStore(parts.engine, _now),
            states=CompactionStateStore(parts.engine),
            calibrations=CalibrationStore(parts.engine),
            configuration=parts.configuration,
            open_client=parts.clients.client,
            meter=parts.metrics,
            clock=_now,
        )
    )


def create_app(settings: Settings, build: BuildRuntime = build_runtime) -> FastAPI:
    """Return the server's application. Its lifespan migrates, recovers and ends cleanly.

    Raises StoreError and SettingsError, also from the lifespan, for a data folder, database or master key that cannot be used.
    """
    parts = build_parts(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            await prepare_data(parts)
            runtime = build(parts)
            app.state.services = _services(parts, runtime)
            await runtime.start()
            try:
                yield
            finally:
                await runtime.close()
                await parts.clients.close()
        finally:
            await parts.engine.dispose()

    return build_gateway(PAGE_FOLDER, _limits(settings), lifespan)


def build_parts(settings: Settings) -> Parts:
    """Open the data folder: database, stores, master key; nothing is read or migrated yet. Raises StoreError and SettingsError."""
    _make_folder(settings.data_dir)
    engine = open_database(settings.database)
    master_key = settings.master_key.get_secret_value() if settings.master_key else None
    store = ConfigStore(engine)
    return Parts(
        settings=settings,
        engine=engine,
        sessions=SessionStore(engine, _now),
        store=store,
        configuration=StoredConfiguration(store, KeySeal(load_master_key(settings.data_dir, master_key))),
        metrics=Metrics(),
        clients=OpenClients(),
    )


async def prepare_data(parts: Parts) -> None:
    """Migrate, finish what was interrupted, and fill a fresh data folder. Raises StoreError."""
    await migrate(parts.engine)
    await parts.sessions.finish_deletions()
    await prepare_first_start(parts.settings, parts.store, parts.configuration)


def _services(parts: Parts, runtime: Runtime) -> Services:
    newest = newest_version()

    async def check_ready() -> None:
        version = await current_version(parts.engine)
        if version != newest:
            raise StoreError(f"The database is of version {version}, not {newest}; restart the server, which migrates it")

    return Services(
        conversations=runtime,
        sessions=parts.sessions,
        store=parts.store,
        configuration=parts.configuration,
        check_ready=check_ready,
        metrics=parts.metrics,
        limits=_limits(parts.settings),
    )


def _limits(settings: Settings) -> GatewayLimits:
    return GatewayLimits(max_frame_bytes=settings.max_frame_bytes, send_timeout_seconds=settings.send_timeout_seconds)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        what = error.strerror or str(error)
        raise StoreError(f"The data folder {folder} cannot be made ({what}); choose another with --data-dir") from error


def _now() -> datetime:
    return datetime.now(UTC)
