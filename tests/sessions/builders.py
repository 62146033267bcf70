"""Short ways to build payloads and entries of the session tree."""

from datetime import UTC, datetime
from typing import Any

from netaclaw.domain.entries import CompactionPayload, CompactionUndoPayload, Entry, MessagePayload, Payload
from netaclaw.sessions.tree import context_values
from tests.builders import user


def said(text: str) -> MessagePayload:
    """Return a user message as a payload."""
    return MessagePayload(user(text))


def summary(first_kept_entry_id: int | None, **fields: Any) -> CompactionPayload:
    """Return a compaction with a summary."""
    return CompactionPayload("summary", "what happened", first_kept_entry_id, 900, 100, "auto", **fields)


def prune(pruned: dict[int, str], **fields: Any) -> CompactionPayload:
    """Return a compaction that only shortens."""
    return CompactionPayload("prune", None, None, 900, 500, "auto", pruned=pruned, **fields)


def undo(compaction_id: int) -> CompactionUndoPayload:
    """Return the undo of a compaction."""
    return CompactionUndoPayload(compaction_id)


def line(*payloads: Payload) -> tuple[Entry, ...]:
    """Return a path of entries with the ids 1, 2, 3 and so on."""
    entries: dict[int, Entry] = {}
    parent: Entry | None = None
    for entry_id, payload in enumerate(payloads, start=1):
        context_depth, compaction_id = context_values(entry_id, parent, payload, entries.get)
        parent = Entry(
            id=entry_id,
            session_id=1,
            parent_id=parent.id if parent else None,
            seq=entry_id,
            depth=entry_id - 1,
            context_depth=context_depth,
            context_compaction_id=compaction_id,
            payload=payload,
            tokens=1,
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        entries[entry_id] = parent
    return tuple(entries.values())
