"""The append: one transaction that moves the session's active leaf if it is still the expected one, then inserts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import Final, Literal, TypeAlias

from sqlalchemy import insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from netaclaw.domain.entries import CompactionPayload, CompactionUndoPayload, Entry, MessagePayload, Payload
from netaclaw.errors import NotFoundError, StaleLeaf, StoreError
from netaclaw.sessions import tables
from netaclaw.sessions.path_queries import is_on_path
from netaclaw.sessions.rows import SELECT_ENTRY, entry_from_row, entry_to_row
from netaclaw.sessions.tree import context_values, is_summary

_session = tables.session
_entry = tables.entry


class _AtLeaf(Enum):
    AT_LEAF = 0


AT_LEAF: Final = _AtLeaf.AT_LEAF
"""The parent of a new entry unless another is named: the expected leaf."""

Parent: TypeAlias = int | Literal[_AtLeaf.AT_LEAF] | None
"""An entry's id, None for a new root, or AT_LEAF."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """What is to be appended."""

    payload: Payload
    tokens: int = 0
    """Count by the server's counter; 0 for what no request carries."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where entries are appended."""

    session_id: int
    expected_leaf_id: int | None
    """The active leaf that the caller has seen."""
    parent: Parent = AT_LEAF

    @property
    def parent_id(self) -> int | None:
        """The parent of the first new entry."""
        return self.expected_leaf_id if self.parent is AT_LEAF else self.parent


async def append_entries(connection: AsyncConnection, place: Place, new: Sequence[NewEntry], now: datetime) -> tuple[Entry, ...]:
    """Append a chain of entries and make its last one the active leaf.

    Raises StaleLeaf if the leaf has moved, NotFoundError for session or parent, StoreError for a compaction or an undo that does not fit.
    """
    first_id = await _next_entry_id(connection)
    last_seq = await _move_leaf(connection, place, first_id + len(new) - 1, len(new), now)
    chain = _Chain(connection, place.session_id, await _parent(connection, place))
    for number, one in enumerate(new):
        await chain.grow(first_id + number, last_seq - len(new) + 1 + number, one, now)
    try:
        rows = [entry_to_row(entry) for entry in chain.written]
        await connection.execute(insert(_entry), rows)
    except ValueError as error:
        raise StoreError(f"An entry cannot be stored: {error}") from error
    return tuple(chain.written)


class _Chain:
    """Entries that hang on one parent and each other, made but not yet inserted."""

    def __init__(self, connection: AsyncConnection, session_id: int, parent: Entry | None) -> None:
        self._connection = connection
        self._session_id = session_id
        self._stored_parent = parent
        self._known = {parent.id: parent} if parent else {}
        self.written: list[Entry] = []

    async def grow(self, entry_id: int, seq: int, new: NewEntry, now: datetime) -> None:
        parent = self.written[-1] if self.written else self._stored_parent
        await self._check(new.payload, parent)
        context_depth, context_compaction_id = context_values(entry_id, parent, new.payload, self._known.get)
        entry = Entry(
            id=entry_id,
            session_id=self._session_id,
            parent_id=parent.id if parent else None,
            seq=seq,
            depth=parent.depth + 1 if parent else 0,
            context_depth=context_depth,
            context_compaction_id=context_compaction_id,
            payload=_marked(new.payload, entry_id),
            tokens=new.tokens,
            created_at=now,
        )
        self._known[entry_id] = entry
        self.written.append(entry)

    async def _check(self, payload: Payload, parent: Entry | None) -> None:
        """Load what the payload refers to; refuse what would make the bounded read differ from a walk over the whole path."""
        if isinstance(payload, CompactionPayload) and payload.mode == "summary" and payload.first_kept_entry_id is not None:
            first_kept = await self._load(payload.first_kept_entry_id)
            if not await self._is_on_path(first_kept):
                raise StoreError(f"Entry {first_kept.id} cannot be the first kept one: it is not on the path that is compacted")
        if isinstance(payload, CompactionUndoPayload):
            undone = await self._load(payload.compaction_id)
            if not isinstance(undone.payload, CompactionPayload):
                raise StoreError(f"Entry {undone.id} is no compaction and cannot be undone")
            if is_summary(undone.payload):
                if parent is None or parent.context_compaction_id != undone.id:
                    raise StoreError(f"Compaction {undone.id} cannot be undone: it does not govern; undo the newest one first")
                if undone.parent_id is not None:
                    await self._load(undone.parent_id)

    async def _is_on_path(self, entry: Entry) -> bool:
        is_new = any(entry.id == written.id for written in self.written)
        return is_new or (self._stored_parent is not None and await is_on_path(self._connection, entry, self._stored_parent.id))

    async def _load(self, entry_id: int) -> Entry:
        if entry_id not in self._known:
            self._known[entry_id] = await _entry_of_session(self._connection, self._session_id, entry_id)
        return self._known[entry_id]


async def _next_entry_id(connection: AsyncConnection) -> int:
    """The id after all that were ever given out: a compaction must know its own before it is written, and rows are never updated.

    Safe because the transaction holds the write lock.
    """
    last = await connection.scalar(text("SELECT seq FROM sqlite_sequence WHERE name = 'entry'"))
    return int(last or 0) + 1


async def _move_leaf(connection: AsyncConnection, place: Place, leaf_id: int, count: int, now: datetime) -> int:
    """Compare and swap the active leaf; return the sequence number of the last new entry."""
    moved = (
        update(_session)
        .where(_session.c.id == place.session_id, _session.c.deleting_at.is_(None))
        .where(_session.c.active_leaf_id.is_not_distinct_from(place.expected_leaf_id))
        .values(active_leaf_id=leaf_id, last_seq=_session.c.last_seq + count, revision=_session.c.revision + 1, updated_at=now)
        .returning(_session.c.last_seq)
    )
    last_seq = await connection.scalar(moved)
    if last_seq is None:
        raise await leaf_error(connection, place.session_id, place.expected_leaf_id)
    return int(last_seq)


async def leaf_error(connection: AsyncConnection, session_id: int, expected_leaf_id: int | None) -> StaleLeaf | NotFoundError:
    """Return why a compare-and-swap of the active leaf changed nothing."""
    found = await connection.execute(select(_session.c.active_leaf_id).where(_session.c.id == session_id, _session.c.deleting_at.is_(None)))
    row = found.first()
    if row is None:
        return NotFoundError(f"There is no session {session_id}")
    return StaleLeaf(f"Session {session_id} has moved on from entry {expected_leaf_id} to {row[0]}; read it again")


async def _parent(connection: AsyncConnection, place: Place) -> Entry | None:
    return None if place.parent_id is None else await _entry_of_session(connection, place.session_id, place.parent_id)


async def _entry_of_session(connection: AsyncConnection, session_id: int, entry_id: int) -> Entry:
    row = (await connection.execute(SELECT_ENTRY.where(_entry.c.id == entry_id, _entry.c.session_id == session_id))).first()
    if row is None:
        raise NotFoundError(f"Session {session_id} has no entry {entry_id}")
    return entry_from_row(row)


def _marked(payload: Payload, entry_id: int) -> Payload:
    """A message knows the entry that it stands in."""
    if isinstance(payload, MessagePayload):
        return replace(payload, message=replace(payload.message, entry_id=entry_id))
    return payload
