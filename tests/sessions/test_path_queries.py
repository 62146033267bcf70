"""The bounded read of a context, against a walk over the whole path in memory."""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.domain.entries import CompactionPayload, Entry, Session
from netaclaw.errors import NotFoundError
from netaclaw.sessions import ContextRead, NewEntry, SessionStore, migrate, open_database
from netaclaw.sessions.tree import path
from tests.sessions.builders import said, summary, undo
from tests.sessions.random_tree import RandomTree

SEEDS = range(8)
LEAVES_OF_A_TREE = 250
NIGHTLY_TREES = 50
NIGHTLY_LEAVES_OF_A_TREE = 1_000
IS_NIGHTLY = os.environ.get("NETACLAW_NIGHTLY") == "1"


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_bounded_read_is_the_walk_over_the_whole_path_also_after_reopening(
    seed: int, database_file: Path, clock: Callable[[], datetime]
) -> None:
    await _compare_random_tree(database_file, clock, seed, LEAVES_OF_A_TREE)


@pytest.mark.skipif(not IS_NIGHTLY, reason="50,000 leaves take minutes: set NETACLAW_NIGHTLY=1")
@pytest.mark.timeout(7_200)
async def test_a_bounded_read_is_the_walk_over_the_whole_path_at_fifty_thousand_leaves(
    tmp_path: Path, clock: Callable[[], datetime]
) -> None:
    for seed in range(1_000, 1_000 + NIGHTLY_TREES):
        await _compare_random_tree(tmp_path / f"seed-{seed}.db", clock, seed, NIGHTLY_LEAVES_OF_A_TREE)


async def _compare_random_tree(file: Path, clock: Callable[[], datetime], seed: int, leaves: int) -> None:
    engine = open_database(file)
    await migrate(engine)
    store = SessionStore(engine, clock)
    session = await store.create_session("random")
    tree = RandomTree(store, session, seed)
    await tree.grow(leaves)
    _is_varied(tree)
    read_while_open = {leaf_id: await store.read_context(session.id, leaf_id) for leaf_id in tree.leaf_ids}
    await engine.dispose()

    engine = open_database(file)
    reopened = SessionStore(engine, clock)
    for leaf_id in tree.leaf_ids:
        expected = tree.walk(leaf_id)
        assert read_while_open[leaf_id] == expected
        assert await reopened.read_context(session.id, leaf_id) == expected
    await engine.dispose()


def _is_varied(tree: RandomTree) -> None:
    """The tree has what the test is about, or it would show nothing."""
    compactions = [entry.payload for entry in tree.entries.values() if isinstance(entry.payload, CompactionPayload)]
    third = [entry for entry in tree.entries.values() if _summaries_above(tree, entry) >= 3]
    forked = len(tree.leaf_ids)
    assert min(len(compactions), len(third), forked) > 50


def _summaries_above(tree: RandomTree, entry: Entry) -> int:
    count = 0
    while entry.context_compaction_id is not None:
        count += 1
        governing = tree.entries[entry.context_compaction_id]
        if governing.parent_id is None:
            break
        entry = tree.entries[governing.parent_id]
    return count


async def test_a_page_of_history_is_a_slice_of_the_path(store: SessionStore, session: Session) -> None:
    tree = RandomTree(store, session, seed=77)
    await tree.grow(40)
    leaf_id = max(tree.leaf_ids, key=lambda one: tree.entries[one].depth)
    full = path(tree.entries, leaf_id)
    pages: list[tuple[Entry, ...]] = []
    before = None
    while page := await store.read_path_page(leaf_id, before, limit=7):
        pages.insert(0, page)
        before = page[0].id
    assert tuple(entry for page in pages for entry in page) == full
    assert {len(page) for page in pages[1:]} == {7}
    assert await store.read_path(leaf_id) == full


async def test_the_undo_of_a_second_compaction_brings_the_first_one_back(store: SessionStore, session: Session) -> None:
    leaf = (await store.append_many(session.id, None, [NewEntry(said(f"{n}")) for n in range(6)]))[-1]
    first = await store.append(session.id, leaf.id, summary(leaf.id - 1))
    said_later = await store.append(session.id, first.id, said("later"))
    second = await store.append(session.id, said_later.id, summary(said_later.id))
    undone = await store.append(session.id, second.id, undo(second.id))
    read = await store.read_context(session.id, undone.id)
    assert read.governing == first
    assert read.entries[0].id == leaf.id - 1


async def test_an_empty_session_has_an_empty_context_and_history(store: SessionStore, session: Session) -> None:
    assert await store.read_context(session.id, None) == ContextRead()
    assert await store.read_path_page(None) == await store.read_path(None) == ()


async def test_an_entry_of_another_session_is_not_found(store: SessionStore, session: Session) -> None:
    entry = await store.append(session.id, None, said("mine"))
    other = await store.create_session("other")
    with pytest.raises(NotFoundError, match=f"Session {other.id} has no entry {entry.id}"):
        await store.read_context(other.id, entry.id)


async def test_a_path_that_does_not_exist_is_not_found(store: SessionStore) -> None:
    with pytest.raises(NotFoundError, match="no entry 99"):
        await store.read_path(99)
    with pytest.raises(NotFoundError, match="no entry 99"):
        await store.read_path_page(1, before_entry_id=99)


async def test_a_bounded_read_fetches_only_what_is_kept(engine: AsyncEngine, store: SessionStore, session: Session) -> None:
    chain = await store.append_many(session.id, None, [NewEntry(said(f"{n}")) for n in range(300)])
    leaf = await store.append(session.id, chain[-1].id, summary(chain[-3].id, head_entry_ids=(chain[0].id,), kept_entry_ids=(chain[5].id,)))
    read = await store.read_context(session.id, leaf.id)
    assert read.entries == (*chain[-3:], leaf)
    assert read.head == {chain[0].id: chain[0]}
    assert read.kept == {chain[5].id: chain[5]}


async def test_each_leaf_counts_the_summaries_that_its_context_rests_on(store: SessionStore, session: Session) -> None:
    tree = RandomTree(store, session, seed=5)
    await tree.grow(60)
    bare = await store.create_session("without entries")
    for leaf_id in tree.leaf_ids:
        now = (await store.get_session(session.id)).active_leaf_id
        await store.set_active_leaf(session.id, now, leaf_id)
        governed = _summaries_above(tree, tree.entries[leaf_id])
        assert await store.compaction_counts([session.id, bare.id, 99]) == ({session.id: governed} if governed else {})
    assert await store.compaction_counts([]) == {}


async def test_a_summary_that_was_taken_back_is_not_counted(store: SessionStore, session: Session) -> None:
    leaf = (await store.append_many(session.id, None, [NewEntry(said(f"{n}")) for n in range(6)]))[-1]
    first = await store.append(session.id, leaf.id, summary(leaf.id))
    second = await store.append(session.id, first.id, summary(leaf.id))
    assert await store.compaction_counts([session.id]) == {session.id: 2}
    undone = await store.append(session.id, second.id, undo(second.id))
    assert await store.compaction_counts([session.id]) == {session.id: 1}
    await store.append(session.id, undone.id, undo(first.id))
    assert await store.compaction_counts([session.id]) == {}
