"""The data folder, opened and migrated, for a command that runs beside the server or without it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from netaclaw.app import Parts, build_parts, prepare_data
from netaclaw.settings import Settings


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Parts]:
    """Give the stores of the data folder and close them afterwards. Raises StoreError and SettingsError."""
    parts = build_parts(settings)
    try:
        await prepare_data(parts)
        yield parts
    finally:
        await parts.engine.dispose()
