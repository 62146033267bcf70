"""Channels, with their keys as ciphertext: this file never sees a key in clear."""

from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.domain.agents import Channel
from netaclaw.errors import NotFoundError
from netaclaw.sessions import tables
from netaclaw.sessions.transactions import finishes_when_cancelled, reading, writing

_channel = tables.channel
_NOT_COLUMNS = ("id", "api_key")
_COLUMNS = tuple(column for column in _channel.c if column.name != "api_key_encrypted")


@finishes_when_cancelled
class ChannelStore:
    """All channels. Those that come out have no key; `encrypted_key` gives it, as it was stored."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, channel: Channel) -> Channel:
        """Store a new channel without its key, and return it with the id that it was given."""
        async with writing(self._engine) as connection:
            return _from_row((await connection.execute(insert(_channel).values(_values(channel)).returning(*_COLUMNS))).one())

    async def update(self, channel: Channel) -> Channel:
        """Replace a channel; its key stays. Raises NotFoundError."""
        changed = update(_channel).where(_channel.c.id == channel.id).values(_values(channel)).returning(*_COLUMNS)
        async with writing(self._engine) as connection:
            return _from_row(_existing((await connection.execute(changed)).first(), channel.id))

    async def delete(self, channel_id: int) -> None:
        """Delete a channel with its key and calibration; agents that name it then fail by name. Raises NotFoundError."""
        async with writing(self._engine) as connection:
            _existing(
                (await connection.execute(delete(_channel).where(_channel.c.id == channel_id).returning(_channel.c.id))).first(), channel_id
            )

    async def get(self, channel_id: int) -> Channel:
        """Return a channel. Raises NotFoundError."""
        async with reading(self._engine) as connection:
            return _from_row(
                _existing((await connection.execute(select(*_COLUMNS).where(_channel.c.id == channel_id))).first(), channel_id)
            )

    async def list(self) -> tuple[Channel, ...]:
        """Return all channels in order of creation."""
        async with reading(self._engine) as connection:
            return tuple(_from_row(row) for row in await connection.execute(select(*_COLUMNS).order_by(_channel.c.id)))

    async def set_encrypted_key(self, channel_id: int, ciphertext: bytes | None) -> None:
        """Store the key of a channel, None for no key. Raises NotFoundError."""
        changed = update(_channel).where(_channel.c.id == channel_id).values(api_key_encrypted=ciphertext).returning(_channel.c.id)
        async with writing(self._engine) as connection:
            _existing((await connection.execute(changed)).first(), channel_id)

    async def encrypted_key(self, channel_id: int) -> bytes | None:
        """Return the stored key of a channel, None if it has none. Raises NotFoundError."""
        async with reading(self._engine) as connection:
            found = await connection.execute(select(_channel.c.api_key_encrypted).where(_channel.c.id == channel_id))
            ciphertext: bytes | None = _existing(found.first(), channel_id)[0]
            return ciphertext

    async def ids_with_key(self) -> frozenset[int]:
        """Return the ids of the channels that have a key."""
        async with reading(self._engine) as connection:
            return frozenset((await connection.scalars(select(_channel.c.id).where(_channel.c.api_key_encrypted.is_not(None)))).all())


def _values(channel: Channel) -> dict[str, Any]:
    return {name: value for name, value in asdict(replace(channel, api_key=None)).items() if name not in _NOT_COLUMNS}


def _from_row(row: Row[Any]) -> Channel:
    return Channel(**row._mapping)


def _existing(row: Row[Any] | None, channel_id: int) -> Row[Any]:
    if row is None:
        raise NotFoundError(f"There is no channel {channel_id}; add one under model channels")
    return row
