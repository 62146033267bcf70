"""What automatic compaction remembers of a session over a restart: strikes, failures, cooldown, block."""

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.sessions import tables
from netaclaw.sessions.transactions import finishes_when_cancelled, reading, writing

_state = tables.compaction_state


@dataclass(frozen=True, slots=True)
class CompactionState:
    """The counters of one session."""

    session_id: int
    strikes: int = 0
    """Compactions in a row that did not bring the reported size under the threshold."""
    failures: int = 0
    """Failed automatic compactions in a row; they lengthen the cooldown."""
    cooldown_until: datetime | None = None
    blocked_reason: str | None = None
    """Why automatic compaction is blocked, None if it is not."""
    is_awaiting_usage: bool = False
    """Whether the size after the last compaction is still an estimate."""
    is_auto_compaction: bool | None = None
    """The session's own switch; None inherits the agent's."""


@finishes_when_cancelled
class CompactionStateStore:
    """The compaction states of all sessions."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def get(self, session_id: int) -> CompactionState:
        """Return the state of a session, a fresh one if none was stored."""
        async with reading(self._engine) as connection:
            row = (await connection.execute(select(_state).where(_state.c.session_id == session_id))).first()
        return CompactionState(session_id) if row is None else CompactionState(**row._mapping)

    async def put(self, state: CompactionState) -> None:
        """Store the state of a session. Raises StoreError for a session that does not exist."""
        values = asdict(state)
        async with writing(self._engine) as connection:
            await connection.execute(insert(_state).values(values).on_conflict_do_update(index_elements=["session_id"], set_=values))
