"""What was learned of a channel: by how much its tokenizer differs from ours, and the window its errors have told."""

from dataclasses import asdict, dataclass

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.sessions import tables
from netaclaw.sessions.transactions import finishes_when_cancelled, reading, writing

_calibration = tables.channel_calibration


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was learned of one channel."""

    channel_id: int
    factor: float
    """Reported tokens divided by our count, a moving average."""
    samples: int = 0
    """Readings that the average is made of."""
    learned_limit: int | None = None
    """Window in tokens, as an overflow error named it."""


@finishes_when_cancelled
class CalibrationStore:
    """The calibrations of all channels."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def get(self, channel_id: int) -> Calibration | None:
        """Return what was learned of a channel, None if nothing was."""
        async with reading(self._engine) as connection:
            row = (await connection.execute(select(_calibration).where(_calibration.c.channel_id == channel_id))).first()
        return None if row is None else Calibration(**row._mapping)

    async def put(self, calibration: Calibration) -> None:
        """Store what was learned of a channel. Raises StoreError for a channel that does not exist."""
        values = asdict(calibration)
        async with writing(self._engine) as connection:
            await connection.execute(insert(_calibration).values(values).on_conflict_do_update(index_elements=["channel_id"], set_=values))

    async def forget(self, channel_id: int) -> None:
        """Forget what was learned, as when the channel's model changes."""
        async with writing(self._engine) as connection:
            await connection.execute(_calibration.delete().where(_calibration.c.channel_id == channel_id))
