"""Reads along a path: recursive queries from a leaf upward, bounded by a depth so that they cost what they return."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import CTE, ColumnElement, Integer, func, literal, select
from sqlalchemy.ext.asyncio import AsyncConnection

from netaclaw.domain.entries import CompactionPayload, Entry
from netaclaw.errors import NotFoundError
from netaclaw.sessions import tables
from netaclaw.sessions.rows import ENTRY_COLUMNS, SELECT_ENTRY, entry_from_row
from netaclaw.sessions.tree import ContextRead, context_read

_session = tables.session
_entry = tables.entry
_IDS_IN_ONE_QUERY = 500


async def read_context(connection: AsyncConnection, session_id: int, leaf_id: int | None) -> ContextRead:
    """Return what the context of a leaf is built from; costs O(entries since the context's beginning). Raises NotFoundError."""
    if leaf_id is None:
        return ContextRead()
    entries = await _climb(connection, leaf_id, _entry.c.context_depth)
    if not entries or entries[-1].session_id != session_id:
        raise NotFoundError(f"Session {session_id} has no entry {leaf_id}")
    by_id = {entry.id: entry for entry in entries}
    governing_id = entries[-1].context_compaction_id
    governing = None if governing_id is None else by_id[governing_id]
    payload = governing.payload if governing else None
    if isinstance(payload, CompactionPayload):
        by_id |= await _by_ids(connection, {*payload.head_entry_ids, *payload.kept_entry_ids} - by_id.keys())
    return context_read(entries, governing, payload, by_id)


async def read_path(connection: AsyncConnection, leaf_id: int, limit: int | None = None) -> tuple[Entry, ...]:
    """Return the path from the root to a leaf, or its last `limit` entries. Raises NotFoundError."""
    lowest_depth = literal(0) if limit is None else _entry.c.depth - limit + 1
    entries = await _climb(connection, leaf_id, lowest_depth)
    if not entries:
        raise NotFoundError(f"There is no entry {leaf_id}")
    return entries


async def compaction_counts(connection: AsyncConnection, session_ids: Sequence[int]) -> dict[int, int]:
    """Return how many summaries stand behind one another under each session's active leaf; costs O(summaries)."""
    at_leaf = select(_session.c.id.label("session_id"), _entry.c.context_compaction_id.label("compaction_id"))
    at_leaf = at_leaf.join_from(_session, _entry, _entry.c.id == _session.c.active_leaf_id).where(_session.c.id.in_(session_ids))
    summaries = at_leaf.where(_entry.c.context_compaction_id.is_not(None)).cte("summaries", recursive=True)
    compaction, before = _entry.alias("compaction"), _entry.alias("before")
    earlier = select(summaries.c.session_id, before.c.context_compaction_id).join_from(
        summaries, compaction, compaction.c.id == summaries.c.compaction_id
    )
    earlier = earlier.join(before, before.c.id == compaction.c.parent_id).where(before.c.context_compaction_id.is_not(None))
    summaries = summaries.union_all(earlier)
    counted = select(summaries.c.session_id, func.count().label("summaries")).group_by(summaries.c.session_id)
    return {row.session_id: row.summaries for row in await connection.execute(counted)}


async def is_on_path(connection: AsyncConnection, entry: Entry, leaf_id: int) -> bool:
    """Whether the entry is the leaf or one of its ancestors; costs O(distance)."""
    climbed = _climbed(leaf_id, literal(entry.depth))
    found = await connection.execute(select(climbed.c.id).where(climbed.c.id == entry.id))
    return found.first() is not None


async def _climb(connection: AsyncConnection, leaf_id: int, lowest_depth: ColumnElement[int]) -> tuple[Entry, ...]:
    """Return the path to the leaf from the given depth on, in order."""
    climbed = _climbed(leaf_id, lowest_depth)
    rows = await connection.execute(select(*ENTRY_COLUMNS).join_from(climbed, _entry, _entry.c.id == climbed.c.id))
    return tuple(sorted((entry_from_row(row) for row in rows), key=lambda entry: entry.depth))


def _climbed(leaf_id: int, lowest_depth: ColumnElement[int]) -> CTE:
    """The ids from the leaf up to a depth, which is an expression over the leaf's row."""
    columns: tuple[ColumnElement[Any], ...] = (_entry.c.id, _entry.c.parent_id, _entry.c.depth)
    leaf = select(*columns, lowest_depth.cast(Integer).label("lowest_depth")).where(_entry.c.id == leaf_id)
    climbed = leaf.cte("climbed", recursive=True)
    above = select(*columns, climbed.c.lowest_depth).join_from(climbed, _entry, _entry.c.id == climbed.c.parent_id)
    return climbed.union_all(above.where(climbed.c.depth > climbed.c.lowest_depth))


async def _by_ids(connection: AsyncConnection, ids: Iterable[int]) -> dict[int, Entry]:
    wanted = sorted(ids)
    found: dict[int, Entry] = {}
    for start in range(0, len(wanted), _IDS_IN_ONE_QUERY):
        some = wanted[start : start + _IDS_IN_ONE_QUERY]
        rows = await connection.execute(SELECT_ENTRY.where(_entry.c.id.in_(some)))
        found |= {row.id: entry_from_row(row) for row in rows}
    return found
