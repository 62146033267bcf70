"""Entries and sizes as browsers see them."""

from collections.abc import Sequence
from typing import Any

from netaclaw.context.budget import reserve_of
from netaclaw.domain.entries import CompactionPayload, CompactionUndoPayload, Entry, NoticePayload
from netaclaw.domain.events import ContextUsage, QueuedMessage, TokenUpdate, TreePatch, Usage
from netaclaw.runtime.view import SessionView, max_output_of
from netaclaw.sessions import QueuedCommand, payload_to_json

_PERCENT = 100


def entry_frame(entry: Entry, covered_by: Entry | None = None) -> dict[str, Any]:
    """Return an entry in wire form. `covered_by` is the compaction whose summary stands for it on the active path."""
    frame: dict[str, Any] = {
        "id": entry.id,
        "parentId": entry.parent_id,
        "seq": entry.seq,
        "depth": entry.depth,
        "type": entry.payload.type,
        "tokens": entry.tokens,
        "createdAt": entry.created_at.isoformat(),
        "payload": payload_to_json(entry.payload),
        "isCompactionSummary": isinstance(entry.payload, CompactionPayload) and entry.payload.mode == "summary",
        "compactedAt": covered_by.created_at.isoformat() if covered_by else None,
        "compactedIntoId": covered_by.id if covered_by else None,
    }
    system_type = _system_type(entry)
    if system_type is not None:
        frame["metadata"] = {"systemType": system_type}
    return frame


def tree_patch(view_session_id: int, revision: int, appended: Sequence[Entry], active_leaf_id: int | None) -> TreePatch:
    """Return the event of appended entries."""
    return TreePatch(
        session_id=view_session_id,
        revision=revision,
        appended=[entry_frame(entry) for entry in appended],
        active_leaf_id=active_leaf_id,
    )


def context_usage(view: SessionView) -> ContextUsage:
    """Return how full the window is: the one number that bar, text, tick and trigger share."""
    window = view.threshold.window_tokens if view.window_is_known else None
    used = view.size.used_tokens
    return ContextUsage(
        used_tokens=used,
        max_tokens=window,
        percent=round(_PERCENT * used / window, 1) if window else None,
        threshold_percent=view.threshold_percent,
        threshold_tokens=view.threshold.tokens,
        estimated=view.size.source != "provider",
        source=view.size.source,
        breakdown=dict(view.size.breakdown),
        compaction_count=compaction_count(view),
        reserve_tokens=reserve_of(view.threshold.window_tokens, max_output_of(view.channel)),
        is_automatic=view.is_auto,
        threshold_limited_by=view.threshold_limited_by,
    )


def token_update(view: SessionView, usage: Usage) -> TokenUpdate:
    """Return the event of a size that may have changed."""
    return TokenUpdate(session_id=view.session.id, current=usage, context=context_usage(view), blocked_reason=view.state.blocked_reason)


def compaction_count(view: SessionView) -> int:
    """Return how many summaries the active path's context rests on."""
    governing = view.read.governing
    if governing is None or not isinstance(governing.payload, CompactionPayload):
        return 0
    counted = governing.payload.state.get("compactionCount")
    return int(counted) if isinstance(counted, int) else 1


def queued_frames(waiting: Sequence[QueuedCommand]) -> list[QueuedMessage]:
    """Return the messages that wait; a retry has no text to show."""
    return [
        QueuedMessage(queue_id=command.id, request_id=command.request_id, text=str(command.command.get("text", "")))
        for command in waiting
        if command.command.get("type") != "retry"
    ]


def _system_type(entry: Entry) -> str | None:
    match entry.payload:
        case NoticePayload(system_type=system_type):
            return system_type
        case CompactionPayload() | CompactionUndoPayload():
            return "compaction_event"
        case _:
            return None
