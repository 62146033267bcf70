"""What one reads of a session: the snapshot, pages of its history in both views, the exact next request."""

from collections.abc import Sequence
from typing import Any

from netaclaw.domain.entries import CompactionPayload, Entry
from netaclaw.domain.events import SessionSnapshot, SessionState
from netaclaw.errors import CommandRefused
from netaclaw.runtime.frames import context_usage, entry_frame, queued_frames
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.runtime.view import SessionView, load_view
from netaclaw.sessions.tree import Replacements
from netaclaw.transcripts import to_neutral

SNAPSHOT_ENTRIES = 200


async def snapshot(parts: RuntimeParts, session_id: int, state: SessionState, compaction_started_at: float | None) -> SessionSnapshot:
    """Return what a browser needs to show a session: the newest entries of the compacted view, sizes, queue and state."""
    view = await load_view(parts, session_id)
    waiting = await parts.queue.waiting(session_id)
    return SessionSnapshot(
        session_id=session_id,
        revision=view.session.revision,
        active_leaf_id=view.session.active_leaf_id,
        visible_entries=_as_seen(_compacted_entries(view)[-SNAPSHOT_ENTRIES:], view),
        context=context_usage(view),
        queue=queued_frames(waiting),
        state=state,
        compaction_started_at=compaction_started_at,
        is_compacted=view.read.governing is not None,
        blocked_reason=view.state.blocked_reason,
    )


async def history(parts: RuntimeParts, session_id: int, view_name: str, before: int | None, limit: int) -> dict[str, Any]:
    """Return a page of the active path, oldest first: `compacted` is exactly what the next request rests on, `full` is everything."""
    view = await load_view(parts, session_id)
    if view_name == "compacted":
        carried = _compacted_entries(view)
        if before is not None:
            ids = [entry.id for entry in carried]
            carried = carried[: ids.index(before)] if before in ids else []
        return _page(view, "compacted", _as_seen(carried[-limit:], view), has_more=len(carried) > limit)
    if view_name != "full":
        raise CommandRefused("bad_request", f"'{view_name}' is no view; use compacted or full")
    entries = await parts.sessions.read_path_page(view.session.active_leaf_id, before, limit + 1)
    frames = [entry_frame(entry, _covered_by(entry, view)) for entry in entries[-limit:]]
    return _page(view, "full", frames, has_more=len(entries) > limit)


async def next_request(parts: RuntimeParts, session_id: int) -> dict[str, Any]:
    """Return the exact next model request, in the neutral form."""
    view = await load_view(parts, session_id)
    return {
        "system": list(view.sections),
        "messages": to_neutral(view.context.request),
        "entryIds": list(view.context.entry_ids),
        "tools": [{"name": spec.name, "description": spec.description, "parameters": dict(spec.parameters)} for spec in view.specs],
        "context": context_usage(view).wire(),
    }


def _page(view: SessionView, name: str, frames: list[dict[str, Any]], *, has_more: bool) -> dict[str, Any]:
    return {
        "sessionId": view.session.id,
        "view": name,
        "revision": view.session.revision,
        "activeLeafId": view.session.active_leaf_id,
        "isCompacted": view.read.governing is not None,
        "messages": frames,
        "hasMore": has_more,
    }


def _compacted_entries(view: SessionView) -> list[Entry]:
    """Head, summary, kept messages, tail and what came after, in that order; each entry once."""
    governing = view.read.governing
    if governing is None:
        return list(view.read.entries)
    tail = [entry for entry in view.read.entries if entry.id != governing.id]
    in_tail = {entry.id for entry in tail}
    before = [entry for entry in view.read.head.values() if entry.id not in in_tail]
    kept = [entry for entry in view.read.kept.values() if entry.id not in in_tail and entry.id not in view.read.head]
    return [*before, governing, *kept, *tail]


def _as_seen(entries: Sequence[Entry], view: SessionView) -> list[dict[str, Any]]:
    """Return the frames with what stands in the next request in place of a tool result, or of the arguments of a call."""
    in_force = view.read.replacements  # walks all entries: once for the page
    return [_replaced(entry_frame(entry), in_force) for entry in entries]


def _replaced(frame: dict[str, Any], in_force: Replacements) -> dict[str, Any]:
    if (text := in_force.texts.get(frame["id"])) is not None:
        frame["replacement"] = text
    if shorter := in_force.arguments.get(frame["id"]):
        frame["shortenedArguments"] = {str(number): arguments for number, arguments in shorter.items()}
    return frame


def _covered_by(entry: Entry, view: SessionView) -> Entry | None:
    governing = view.read.governing
    if governing is None or not isinstance(governing.payload, CompactionPayload) or isinstance(entry.payload, CompactionPayload):
        return None
    is_shown = entry.id in governing.payload.head_entry_ids or entry.id in governing.payload.kept_entry_ids
    return None if is_shown or entry.depth >= governing.context_depth else governing
