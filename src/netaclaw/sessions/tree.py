"""Walks over the session tree, pure: what path leads to a leaf, which compaction governs it, where its context begins.

`read_whole` computes from a full path what the store reads by one bounded query; the two must always agree.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from netaclaw.domain.entries import CompactionPayload, CompactionUndoPayload, Entry, Payload

Lookup = Callable[[int], Entry | None]
"""Returns the entry with an id, or None."""


@dataclass(frozen=True, slots=True)
class Replacements:
    """The shortened texts that stand in for what entries carry."""

    texts: Mapping[int, str] = field(default_factory=dict)
    """{entry id: text of the whole message}."""
    arguments: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    """{entry id: {number of the call: arguments}}."""


@dataclass(frozen=True, slots=True)
class ContextRead:
    """All that the context of one leaf is built from."""

    entries: tuple[Entry, ...] = ()
    """The path from the context's beginning to the leaf, in order; every type of entry."""
    governing: Entry | None = None
    """The compaction whose summary stands for what lies before; it is one of `entries`."""
    head: Mapping[int, Entry] = field(default_factory=dict)
    """The entries of the governing compaction's `head_entry_ids`, by id and in that order; some may lie in `entries` too."""
    kept: Mapping[int, Entry] = field(default_factory=dict)
    """The entries of its `kept_entry_ids`, likewise."""

    @property
    def replacements(self) -> Replacements:
        """What prunes and compactions that are read and not undone put in place of long texts."""
        return replacements_in_force(self.entries)


def path(entries: Mapping[int, Entry], leaf_id: int | None) -> tuple[Entry, ...]:
    """Return the entries from the root to the leaf. Raises KeyError for an id that is not among them."""
    reverse: list[Entry] = []
    while leaf_id is not None:
        entry = entries[leaf_id]
        reverse.append(entry)
        leaf_id = entry.parent_id
    return tuple(reversed(reverse))


def governing_compaction(entries: Sequence[Entry]) -> Entry | None:
    """Return the newest compaction with a summary on this path that has not been undone."""
    undone = _undone_ids(entries)
    return next((entry for entry in reversed(entries) if is_summary(entry.payload) and entry.id not in undone), None)


def replacements_in_force(entries: Sequence[Entry]) -> Replacements:
    """Return the replacements of all compactions of this path that have not been undone; for each entry the newest wins."""
    undone = _undone_ids(entries)
    texts: dict[int, str] = {}
    arguments: dict[int, Mapping[int, str]] = {}
    for entry in entries:
        if isinstance(entry.payload, CompactionPayload) and entry.id not in undone:
            texts |= entry.payload.pruned
            for entry_id, shorter in entry.payload.pruned_arguments.items():
                arguments[entry_id] = {**arguments.get(entry_id, {}), **shorter}
    return Replacements(texts, arguments)


def context_start(entries: Sequence[Entry]) -> int:
    """Return the index in this path, given from the root, at which the context begins."""
    governing = governing_compaction(entries)
    if governing is None:
        return 0
    first_kept_id = _first_kept_id(governing)
    return next(index for index, entry in enumerate(entries) if entry.id == first_kept_id)


def context_values(entry_id: int, parent: Entry | None, payload: Payload, lookup: Lookup) -> tuple[int, int | None]:
    """Return `(context_depth, context_compaction_id)` of a new entry with this id.

    They are the parent's, but a summary begins the context at its first kept entry, and its undo takes back what it had changed.
    Raises KeyError for a first kept or undone entry that does not exist.
    """
    if isinstance(payload, CompactionPayload) and payload.mode == "summary":
        if payload.first_kept_entry_id is None:
            return _depth_under(parent), entry_id
        return _found(lookup, payload.first_kept_entry_id).depth, entry_id
    if isinstance(payload, CompactionUndoPayload):
        undone = _found(lookup, payload.compaction_id)
        if is_summary(undone.payload):
            return _inherited(None if undone.parent_id is None else _found(lookup, undone.parent_id))
    return _inherited(parent)


def read_whole(entries: Sequence[Entry]) -> ContextRead:
    """Return what the context of the path's last entry is built from, by a walk over the whole path."""
    governing = governing_compaction(entries)
    payload = governing.payload if governing else None
    by_id = {entry.id: entry for entry in entries}
    return context_read(entries[context_start(entries) :], governing, payload, by_id)


def context_read(entries: Sequence[Entry], governing: Entry | None, payload: Payload | None, by_id: Mapping[int, Entry]) -> ContextRead:
    """Put a context read together from its path and the entries by id that head and kept are taken from."""
    if not isinstance(payload, CompactionPayload):
        return ContextRead(tuple(entries))
    head = {entry_id: by_id[entry_id] for entry_id in payload.head_entry_ids if entry_id in by_id}
    kept = {entry_id: by_id[entry_id] for entry_id in payload.kept_entry_ids if entry_id in by_id}
    return ContextRead(tuple(entries), governing, head, kept)


def is_summary(payload: Payload) -> bool:
    """Whether this is a compaction with a summary, which can govern a context."""
    return isinstance(payload, CompactionPayload) and payload.mode == "summary"


def _undone_ids(entries: Sequence[Entry]) -> frozenset[int]:
    return frozenset(entry.payload.compaction_id for entry in entries if isinstance(entry.payload, CompactionUndoPayload))


def _first_kept_id(compaction: Entry) -> int:
    payload = compaction.payload
    if isinstance(payload, CompactionPayload) and payload.first_kept_entry_id is not None:
        return payload.first_kept_entry_id
    return compaction.id  # nothing was kept: the context begins with the summary itself


def _depth_under(parent: Entry | None) -> int:
    return 0 if parent is None else parent.depth + 1


def _inherited(parent: Entry | None) -> tuple[int, int | None]:
    return (0, None) if parent is None else (parent.context_depth, parent.context_compaction_id)


def _found(lookup: Lookup, entry_id: int) -> Entry:
    entry = lookup(entry_id)
    if entry is None:
        raise KeyError(entry_id)
    return entry
