"""What the gateway asks of the runtime."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any, Protocol

from netaclaw.domain.events import SessionEvent, SessionSnapshot, SessionState
from netaclaw.domain.messages import Image


class Conversations(Protocol):
    """Every command of the socket; the same object serves the HTTP routes. `runtime/orchestrator.py` is the one implementation.

    A command returns once it is durable. Raises NotFoundError for an unknown session, CommandRefused (with a code such as
    `busy`, `stale`, `bad_request`) for what cannot be done now.
    """

    async def chat(self, session_id: int, text: str, images: Sequence[Image], parent_id: int | None, request_id: str) -> dict[str, Any]:
        """Take a user message: run it at once, or queue it while the session is busy. Returns {queued, entryId | queueId}."""
        ...

    async def retry(self, session_id: int, request_id: str) -> dict[str, Any]:
        """Run the agent again after a run that failed, was stopped or was interrupted. Returns {queued, queueId}."""
        ...

    def state(self, session_id: int) -> SessionState:
        """Return what a session does just now."""
        ...

    async def stop(self, session_id: int) -> dict[str, Any]:
        """Stop the run, and a compaction that belongs to it."""
        ...

    async def delete(self, session_id: int) -> None:
        """Stop what runs in a session and delete it with all its entries; what waits in its queue goes, too."""
        ...

    async def compact(self, session_id: int, focus: str | None, up_to_entry_id: int | None, request_id: str) -> dict[str, Any]:
        """Start a manual compaction; its outcome comes as events."""
        ...

    async def cancel_compaction(self, session_id: int) -> dict[str, Any]:
        """Cancel the compaction that runs."""
        ...

    async def undo_compaction(self, session_id: int, compaction_id: int) -> dict[str, Any]:
        """Take back the governing compaction."""
        ...

    async def switch_branch(self, session_id: int, leaf_id: int) -> dict[str, Any]:
        """Move the session to another leaf."""
        ...

    async def edit_queued(self, session_id: int, queue_id: int, text: str) -> dict[str, Any]:
        """Change a message that waits."""
        ...

    async def remove_queued(self, session_id: int, queue_id: int) -> dict[str, Any]:
        """Take a message out of the queue."""
        ...

    async def snapshot(self, session_id: int) -> SessionSnapshot:
        """Return what a browser needs to show the session."""
        ...

    def subscribe(self, session_id: int, after_revision: int | None) -> AsyncGenerator[SessionEvent, None]:
        """Yield what was missed since `after_revision` (or a snapshot), then every event, until the iterator is closed.

        Raises SlowSubscriber when the events that wait for this subscriber exceed its buffer.
        """
        ...

    async def next_request(self, session_id: int) -> dict[str, Any]:
        """Return the exact next model request: {system, messages (neutral form), tools, context}."""
        ...

    async def history(self, session_id: int, view: str, before: int | None, limit: int) -> dict[str, Any]:
        """Return a page of the active path: `compacted` (exactly the context) or `full`; each entry in wire form with
        `compactedAt`, `compactedIntoId`, `isCompactionSummary`."""
        ...
