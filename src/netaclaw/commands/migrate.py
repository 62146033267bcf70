"""The command `migrate`: bring the database to this version."""

import asyncio

from netaclaw.sessions import current_version, migrate, newest_version, open_database
from netaclaw.settings import Settings


def run_migrate(settings: Settings) -> int:
    """Migrate and say from where to where. Raises StoreError."""
    before = asyncio.run(_migrate(settings))
    newest = newest_version()
    print(f"The database is of the newest version ({newest})" if before == newest else f"Migrated from {before or 'nothing'} to {newest}")
    return 0


async def _migrate(settings: Settings) -> str | None:
    engine = open_database(settings.database)
    try:
        before = await current_version(engine)
        await migrate(engine)
    finally:
        await engine.dispose()
    return before
