"""Pure walks: which compaction governs, where the context begins, which replacements apply."""

import pytest

from netaclaw.sessions.tree import (
    ContextRead,
    Replacements,
    context_start,
    context_values,
    governing_compaction,
    path,
    read_whole,
    replacements_in_force,
)
from tests.sessions.builders import line, prune, said, summary, undo


def test_a_path_goes_from_the_root_to_the_leaf_and_leaves_other_branches_out() -> None:
    entries = line(said("1"), said("2"), said("3"))
    by_id = {entry.id: entry for entry in entries}
    assert path(by_id, 2) == entries[:2]
    assert path(by_id, None) == ()


def test_without_a_compaction_the_context_is_the_whole_path() -> None:
    entries = line(said("1"), said("2"))
    assert read_whole(entries) == ContextRead(entries)
    assert read_whole(()) == ContextRead()


def test_the_newest_summary_governs_and_a_prune_does_not() -> None:
    entries = line(said("1"), said("2"), summary(2), said("4"), summary(4), prune({4: "short"}))
    assert governing_compaction(entries) == entries[4]
    assert context_start(entries) == 3


def test_an_undone_summary_gives_way_to_the_one_before() -> None:
    entries = line(said("1"), said("2"), summary(2), said("4"), summary(4), undo(5))
    assert governing_compaction(entries) == entries[2]
    assert read_whole(entries).entries == entries[1:]


def test_the_context_begins_at_a_summary_that_keeps_nothing() -> None:
    entries = line(said("1"), summary(None), said("3"))
    assert read_whole(entries).entries == entries[1:]
    assert entries[2].context_depth == 1


def test_head_and_kept_entries_come_by_id_in_the_order_of_the_compaction() -> None:
    entries = line(said("1"), said("2"), said("3"), said("4"), summary(4, head_entry_ids=(2, 1), kept_entry_ids=(3,)))
    read = read_whole(entries)
    assert list(read.head.items()) == [(2, entries[1]), (1, entries[0])]
    assert read.kept == {3: entries[2]}
    assert read.governing == entries[4]


def test_the_newest_replacement_wins_and_an_undone_prune_has_none() -> None:
    entries = line(
        said("1"),
        prune({1: "old"}, pruned_arguments={1: {0: "a", 1: "b"}}),
        prune({1: "new"}, pruned_arguments={1: {1: "c"}}),
        prune({1: "undone"}),
        undo(4),
    )
    assert replacements_in_force(entries) == Replacements({1: "new"}, {1: {0: "a", 1: "c"}})


def test_replacements_before_the_context_count_only_as_the_summary_repeats_them() -> None:
    entries = line(said("1"), prune({1: "before"}), said("3"), summary(3, pruned={1: "carried"}))
    assert read_whole(entries).replacements.texts == {1: "carried"}


def test_a_new_entry_takes_the_context_values_of_its_parent() -> None:
    *_, parent = line(said("1"), said("2"), summary(2), said("4"))
    assert context_values(9, parent, said("x"), _no_entry) == (1, 3)
    assert context_values(9, None, said("x"), _no_entry) == (0, None)


def test_the_undo_of_a_summary_takes_the_values_from_before_it_and_the_undo_of_a_prune_keeps_them() -> None:
    entries = line(said("1"), said("2"), summary(2), prune({2: "short"}))
    by_id = {entry.id: entry for entry in entries}
    assert context_values(9, entries[-1], undo(3), by_id.get) == (0, None)
    assert context_values(9, entries[-1], undo(4), by_id.get) == (1, 3)


def test_a_reference_to_nothing_is_an_error() -> None:
    with pytest.raises(KeyError):
        context_values(9, None, summary(5), _no_entry)


def _no_entry(_entry_id: int) -> None:
    return None
