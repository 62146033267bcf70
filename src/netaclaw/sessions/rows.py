"""Rows of the database as the frozen values of the domain, and back."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from netaclaw.domain.entries import Entry, Session
from netaclaw.sessions import tables
from netaclaw.sessions.payload_json import payload_from_json, payload_to_json

ENTRY_COLUMNS = tuple(tables.entry.c)
SESSION_COLUMNS = tuple(
    tables.session.c[name] for name in ("id", "title", "agent_id", "active_leaf_id", "revision", "created_at", "updated_at")
)

SELECT_ENTRY = select(*ENTRY_COLUMNS)
SELECT_SESSION = select(*SESSION_COLUMNS).where(tables.session.c.deleting_at.is_(None))
"""Sessions that are being deleted are gone for everybody."""


def entry_from_row(row: Sequence[Any]) -> Entry:
    """Return the entry of a row of ENTRY_COLUMNS; a message in it knows the entry's id."""
    entry_id, session_id, parent_id, seq, depth, context_depth, context_compaction_id, entry_type, payload, tokens, created_at = row
    return Entry(
        id=entry_id,
        session_id=session_id,
        parent_id=parent_id,
        seq=seq,
        depth=depth,
        context_depth=context_depth,
        context_compaction_id=context_compaction_id,
        payload=payload_from_json(entry_type, payload, entry_id),
        tokens=tokens,
        created_at=created_at,
    )


def entry_to_row(entry: Entry) -> dict[str, Any]:
    """Return the columns of an entry."""
    return {
        "id": entry.id,
        "session_id": entry.session_id,
        "parent_id": entry.parent_id,
        "seq": entry.seq,
        "depth": entry.depth,
        "context_depth": entry.context_depth,
        "context_compaction_id": entry.context_compaction_id,
        "type": entry.payload.type,
        "payload": payload_to_json(entry.payload),
        "tokens": entry.tokens,
        "created_at": entry.created_at,
    }


def session_from_row(row: Sequence[Any]) -> Session:
    """Return the session of a row of SESSION_COLUMNS."""
    return Session(*row)
