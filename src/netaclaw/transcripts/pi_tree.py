"""Which entries of a pi session the model sees: the path to the last entry, cut at the newest compaction."""

from collections.abc import Mapping, Sequence
from typing import Any

from netaclaw.transcripts.base import Record, content_blocks
from netaclaw.transcripts.notes import Notes, describe


def active_path(records: Sequence[Record], notes: Notes) -> list[Record]:
    """Return the entries from the root to the last entry; all of them where entries have no ids (version 1)."""
    entries = [record for record in records if record.value.get("type") != "session"]
    if not any("parentId" in entry.value and "id" in entry.value for entry in entries):
        return entries
    parents = _parents(records, entries, notes)
    path: list[Record] = []
    index: int | None = len(entries) - 1
    while index is not None:
        path.append(entries[index])
        index = parents[index]
    if len(path) < len(entries):
        notes.add("branches", f"{len(entries) - len(path)} entries on branches that were left behind were left out")
    return path[::-1]


def visible_entries(path: Sequence[Record], notes: Notes) -> list[Record]:
    """Return the newest compaction, then the entries it kept, then those after it; the whole path without one."""
    at = next((index for index in range(len(path) - 1, -1, -1) if path[index].value.get("type") == "compaction"), None)
    if at is None:
        return list(path)
    compaction = path[at]
    first = _first_kept(path[:at], compaction.value)
    if first is None:
        notes.add("compactions without kept entries", "the first kept entry is missing; nothing before the summary was read", compaction)
        first = at
    kept = [entry for entry in path[first:at] if entry.value.get("type") != "compaction"]
    return [compaction, *kept, *path[at + 1 :]]


def _parents(records: Sequence[Record], entries: Sequence[Record], notes: Notes) -> list[int | None]:
    """Return the index of each entry's parent: the nearest earlier entry of that id. So there are no cycles.

    OpenClaw names a tool call as the parent of its result; that means the entry of the call.
    """
    headers = [record.value.get("id") for record in records if record.value.get("type") == "session"]
    known: dict[str, int] = {}
    parents: list[int | None] = []
    for index, entry in enumerate(entries):
        before = index - 1 if index else None
        parent = entry.value.get("parentId", before)
        if "parentId" not in entry.value:
            parents.append(before)
        elif isinstance(parent, str) and parent in known:
            parents.append(known[parent])
        elif not isinstance(parent, str) or parent in headers:
            parents.append(None)
        else:
            notes.add("entries whose parent is missing", f"the parent {describe(parent)} is missing; the entry before was taken", entry)
            parents.append(before)
        for name in _names(entry.value):
            known[name] = index
    return parents


def _names(entry: Mapping[str, Any]) -> list[str]:
    message = entry.get("message")
    calls = content_blocks(message) if isinstance(message, Mapping) else []
    names = [block.get("id") for block in calls if block.get("type") == "toolCall"] + [entry.get("id")]
    return [name for name in names if isinstance(name, str)]


def _first_kept(before: Sequence[Record], compaction: Mapping[str, Any]) -> int | None:
    """Find the first kept entry by its id, or (version 1) by its index among all records, the header included."""
    kept_id = compaction.get("firstKeptEntryId")
    if isinstance(kept_id, str):
        return next((index for index, entry in enumerate(before) if entry.value.get("id") == kept_id), None)
    kept_index = compaction.get("firstKeptEntryIndex")
    if isinstance(kept_index, int) and not isinstance(kept_index, bool):
        return next((index for index, entry in enumerate(before) if entry.number > kept_index), len(before))
    return None
