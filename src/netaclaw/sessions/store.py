"""The store of the session tree: sessions, appends and the reads of paths. What may be read or written together is one transaction."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from netaclaw.domain.entries import Entry, Payload, Session
from netaclaw.errors import NotFoundError
from netaclaw.sessions import path_queries, tables
from netaclaw.sessions.appending import AT_LEAF, NewEntry, Parent, Place, append_entries, leaf_error
from netaclaw.sessions.queue_store import finish_command
from netaclaw.sessions.rows import SELECT_ENTRY, SELECT_SESSION, SESSION_COLUMNS, entry_from_row, session_from_row
from netaclaw.sessions.transactions import finishes_when_cancelled, reading, writing
from netaclaw.sessions.tree import ContextRead

_session = tables.session
_entry = tables.entry
_DELETED_AT_ONCE = 5_000
"""Entries deleted in one transaction, so that other writers wait for milliseconds only."""


@finishes_when_cancelled
class SessionStore:
    """Sessions and their entries. Every method raises StoreError for a fault of the database."""

    def __init__(self, engine: AsyncEngine, clock: Callable[[], datetime]) -> None:
        """`clock` returns the present moment with its time zone."""
        self._engine = engine
        self._clock = clock

    async def create_session(self, title: str, agent_id: int | None = None, owner: str | None = None) -> Session:
        """Create an empty session."""
        now = self._clock()
        values = {"title": title, "agent_id": agent_id, "owner": owner, "last_seq": 0, "revision": 0, "created_at": now, "updated_at": now}
        async with writing(self._engine) as connection:
            return session_from_row((await connection.execute(insert(_session).values(values).returning(*SESSION_COLUMNS))).one())

    async def get_session(self, session_id: int) -> Session:
        """Return a session. Raises NotFoundError."""
        async with reading(self._engine) as connection:
            row = (await connection.execute(SELECT_SESSION.where(_session.c.id == session_id))).first()
        if row is None:
            raise NotFoundError(f"There is no session {session_id}")
        return session_from_row(row)

    async def list_sessions(self, limit: int = 50, before: int | None = None, query: str | None = None) -> tuple[Session, ...]:
        """Return sessions, most recently changed first, after the session `before`, with `query` in their title (any case)."""
        newest_first = SELECT_SESSION.order_by(_session.c.updated_at.desc(), _session.c.id.desc()).limit(limit)
        if before is not None:
            seen = select(_session.c.updated_at, _session.c.id).where(_session.c.id == before).scalar_subquery()
            newest_first = newest_first.where(tuple_(_session.c.updated_at, _session.c.id) < seen)
        if query:
            newest_first = newest_first.where(_session.c.title.icontains(query, autoescape=True))
        async with reading(self._engine) as connection:
            return tuple(session_from_row(row) for row in await connection.execute(newest_first))

    async def compaction_counts(self, session_ids: Sequence[int]) -> Mapping[int, int]:
        """Return on how many summaries the active path of each of these sessions rests; those on none are left out."""
        async with reading(self._engine) as connection:
            return await path_queries.compaction_counts(connection, session_ids)

    async def rename(self, session_id: int, title: str) -> Session:
        """Give a session another title. Raises NotFoundError."""
        return await self._change(session_id, title=title)

    async def set_agent(self, session_id: int, agent_id: int | None) -> Session:
        """Let another agent answer in this session. Raises NotFoundError."""
        return await self._change(session_id, agent_id=agent_id)

    async def delete_session(self, session_id: int) -> None:
        """Delete a session with its entries and all that hangs on it. Raises NotFoundError.

        It is gone for everybody at once; should the process die meanwhile, `finish_deletions` does the rest.
        """
        await self._change(session_id, deleting_at=self._clock())
        await self._delete_marked(session_id)

    async def finish_deletions(self) -> None:
        """Delete the rest of sessions whose deletion was interrupted; called at start."""
        async with reading(self._engine) as connection:
            marked = (await connection.scalars(select(_session.c.id).where(_session.c.deleting_at.is_not(None)))).all()
        for session_id in marked:
            await self._delete_marked(session_id)

    async def append(
        self,
        session_id: int,
        expected_leaf_id: int | None,
        payload: Payload,
        tokens: int = 0,
        *,
        parent_id: Parent = AT_LEAF,
        finished_command_id: int | None = None,
    ) -> Entry:
        """Append one entry, at the expected leaf or under another parent (None: a new root), and make it the active leaf.

        In the same transaction the queued command that it came from is marked done. Raises StaleLeaf if the active leaf has moved,
        NotFoundError for the session or parent, StoreError for a compaction or undo that does not fit; then nothing was written.
        """
        place = Place(session_id, expected_leaf_id, parent_id)
        return (await self._append(place, [NewEntry(payload, tokens)], finished_command_id))[0]

    async def append_many(
        self, session_id: int, expected_leaf_id: int | None, new: Sequence[NewEntry], *, parent_id: Parent = AT_LEAF
    ) -> tuple[Entry, ...]:
        """Append a chain of entries in one transaction, all or nothing; the last one becomes the active leaf. Raises as `append` does."""
        return await self._append(Place(session_id, expected_leaf_id, parent_id), new, None) if new else ()

    async def set_active_leaf(self, session_id: int, expected_leaf_id: int | None, leaf_id: int | None) -> Session:
        """Move the active leaf to another entry, None for before the first. Raises StaleLeaf and NotFoundError."""
        moved = (
            update(_session)
            .where(_session.c.id == session_id, _session.c.deleting_at.is_(None))
            .where(_session.c.active_leaf_id.is_not_distinct_from(expected_leaf_id))
            .values(active_leaf_id=leaf_id, revision=_session.c.revision + 1, updated_at=self._clock())
            .returning(*SESSION_COLUMNS)
        )
        async with writing(self._engine) as connection:
            if leaf_id is not None and (await _entry_or_none(connection, leaf_id, session_id)) is None:
                raise NotFoundError(f"Session {session_id} has no entry {leaf_id}")
            row = (await connection.execute(moved)).first()
            if row is None:
                raise await leaf_error(connection, session_id, expected_leaf_id)
            return session_from_row(row)

    async def read_context(self, session_id: int, leaf_id: int | None) -> ContextRead:
        """Return what the context of a leaf is built from; costs O(entries since the context's beginning). Raises NotFoundError."""
        async with reading(self._engine) as connection:
            return await path_queries.read_context(connection, session_id, leaf_id)

    async def read_path(self, leaf_id: int | None) -> tuple[Entry, ...]:
        """Return the whole path from the root to a leaf; costs O(history). Raises NotFoundError."""
        if leaf_id is None:
            return ()
        async with reading(self._engine) as connection:
            return await path_queries.read_path(connection, leaf_id)

    async def read_path_page(self, leaf_id: int | None, before_entry_id: int | None = None, limit: int = 100) -> tuple[Entry, ...]:
        """Return the last `limit` entries of the path to a leaf that come before an entry of it, in path order; costs O(page).

        There is more if the first one has a parent. Raises NotFoundError.
        """
        async with reading(self._engine) as connection:
            if before_entry_id is not None:
                before = await _entry_or_none(connection, before_entry_id)
                if before is None:
                    raise NotFoundError(f"There is no entry {before_entry_id}")
                leaf_id = before.parent_id
            return () if leaf_id is None else await path_queries.read_path(connection, leaf_id, limit)

    async def entries_since(self, session_id: int, seq: int) -> tuple[Entry, ...]:
        """Return the entries of a session written after the one with this sequence number, on any branch, in order of writing."""
        newer = SELECT_ENTRY.where(_entry.c.session_id == session_id, _entry.c.seq > seq).order_by(_entry.c.seq)
        async with reading(self._engine) as connection:
            return tuple(entry_from_row(row) for row in await connection.execute(newer))

    async def get_entry(self, entry_id: int) -> Entry:
        """Return one entry. Raises NotFoundError."""
        async with reading(self._engine) as connection:
            entry = await _entry_or_none(connection, entry_id)
        if entry is None:
            raise NotFoundError(f"There is no entry {entry_id}")
        return entry

    async def children(self, session_id: int, parent_id: int | None) -> tuple[Entry, ...]:
        """Return the entries under a parent (None: the roots), in order of writing."""
        siblings = SELECT_ENTRY.where(_entry.c.session_id == session_id, _entry.c.parent_id.is_not_distinct_from(parent_id))
        async with reading(self._engine) as connection:
            return tuple(entry_from_row(row) for row in await connection.execute(siblings.order_by(_entry.c.seq)))

    async def _append(self, place: Place, new: Sequence[NewEntry], finished_command_id: int | None) -> tuple[Entry, ...]:
        async with writing(self._engine) as connection:
            entries = await append_entries(connection, place, new, self._clock())
            if finished_command_id is not None:
                await finish_command(connection, place.session_id, finished_command_id)
            return entries

    async def _change(self, session_id: int, **values: object) -> Session:
        """Change the row; a session is as old as its newest entry, whatever it is called."""
        changed = (
            update(_session)
            .where(_session.c.id == session_id, _session.c.deleting_at.is_(None))
            .values(revision=_session.c.revision + 1, **values)
            .returning(*SESSION_COLUMNS)
        )
        async with writing(self._engine) as connection:
            row = (await connection.execute(changed)).first()
        if row is None:
            raise NotFoundError(f"There is no session {session_id}")
        return session_from_row(row)

    async def _delete_marked(self, session_id: int) -> None:
        """Delete the entries, newest first since children are newer than their parents, then the row and what hangs on it."""
        newest = select(_entry.c.id).where(_entry.c.session_id == session_id).order_by(_entry.c.seq.desc()).limit(_DELETED_AT_ONCE)
        is_more = True
        while is_more:
            async with writing(self._engine) as connection:
                deleted = await connection.execute(delete(_entry).where(_entry.c.id.in_(newest)))
                is_more = deleted.rowcount > 0
                if not is_more:
                    await connection.execute(delete(_session).where(_session.c.id == session_id))


async def _entry_or_none(connection: AsyncConnection, entry_id: int, session_id: int | None = None) -> Entry | None:
    wanted = SELECT_ENTRY.where(_entry.c.id == entry_id)
    if session_id is not None:
        wanted = wanted.where(_entry.c.session_id == session_id)
    row = (await connection.execute(wanted)).first()
    return None if row is None else entry_from_row(row)
