"""Paths of a session tree built in memory, for tests of what is computed from them."""

from datetime import UTC, datetime

from netaclaw.domain.entries import Entry, MessagePayload, Payload
from netaclaw.domain.messages import Message
from netaclaw.sessions.tree import ContextRead, read_whole

_WHEN = datetime(2026, 4, 23, tzinfo=UTC)


def path_of(*contents: Message | Payload, tokens: int = 0) -> tuple[Entry, ...]:
    """Return a path of entries with ids from 1; a message stands for its payload."""
    return tuple(
        Entry(
            id=number,
            session_id=1,
            parent_id=number - 1 or None,
            seq=number,
            depth=number - 1,
            context_depth=0,
            context_compaction_id=None,
            payload=MessagePayload(content) if isinstance(content, Message) else content,
            tokens=tokens,
            created_at=_WHEN,
        )
        for number, content in enumerate(contents, start=1)
    )


def read_of(*contents: Message | Payload, tokens: int = 0) -> ContextRead:
    """Return what the context of such a path is built from."""
    return read_whole(path_of(*contents, tokens=tokens))
