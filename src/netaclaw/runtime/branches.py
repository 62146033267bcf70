"""Moves in the tree that need no model: undo of a compaction, another branch."""

from dataclasses import replace
from typing import Any

from netaclaw.context.budget import size_of
from netaclaw.context.builder import build_context
from netaclaw.domain.entries import CompactionUndoPayload
from netaclaw.domain.events import Usage
from netaclaw.errors import CommandRefused, NotFoundError
from netaclaw.runtime.frames import token_update, tree_patch
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.runtime.view import COUNT, SessionView, load_view


async def undo_compaction(parts: RuntimeParts, session_id: int, compaction_id: int) -> dict[str, Any]:
    """Append the undo of the governing compaction. Raises CommandRefused if another one governs or the old context would not fit."""
    view = await load_view(parts, session_id)
    governing = view.read.governing
    if governing is None or governing.id != compaction_id:
        raise CommandRefused("stale", "Only the newest compaction of this branch can be undone, and only once")
    restored = await _tokens_without(parts, view, governing.parent_id)
    if view.window_is_known and restored >= view.threshold.window_tokens:
        said = f"The restored context would have {restored} tokens, the window has {view.threshold.window_tokens}"
        raise CommandRefused("message_too_large", f"{said}; choose a model with a larger window first")
    entry = await parts.sessions.append(session_id, view.session.active_leaf_id, CompactionUndoPayload(compaction_id))
    session = await parts.sessions.get_session(session_id)
    parts.hub.publish(session_id, tree_patch(session_id, session.revision, [entry], entry.id))
    await _tell_size(parts, session_id)
    return {"entryId": entry.id}


async def switch_branch(parts: RuntimeParts, session_id: int, leaf_id: int) -> dict[str, Any]:
    """Move the active leaf. Raises NotFoundError for an entry of another session, StaleLeaf if it moved meanwhile."""
    entry = await parts.sessions.get_entry(leaf_id)
    if entry.session_id != session_id:
        raise NotFoundError(f"Session {session_id} has no entry {leaf_id}; reload the session")
    session = await parts.sessions.get_session(session_id)
    moved = await parts.sessions.set_active_leaf(session_id, session.active_leaf_id, leaf_id)
    parts.hub.publish(session_id, tree_patch(session_id, moved.revision, [], leaf_id))
    await _tell_size(parts, session_id)
    return {"activeLeafId": leaf_id}


async def _tokens_without(parts: RuntimeParts, view: SessionView, leaf_id: int | None) -> int:
    """Return the size of the context as it was before the governing compaction, with what came after it."""
    before = await parts.sessions.read_context(view.session.id, leaf_id)
    governing = view.read.governing
    later = [entry for entry in view.read.entries if governing is not None and entry.depth > governing.depth]
    context = build_context(replace(before, entries=(*before.entries, *later)), language=view.language)
    fixed = view.size.breakdown
    return size_of(replace(context, reported=None), fixed["system"], fixed["tools"], view.factor, COUNT).used_tokens


async def _tell_size(parts: RuntimeParts, session_id: int) -> None:
    parts.hub.publish(session_id, token_update(await load_view(parts, session_id), Usage()))
