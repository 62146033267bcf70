"""The append: one winner, nothing half written, and no entry that would make a bounded read wrong."""

import asyncio
from random import Random

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.domain.entries import MessagePayload, Session
from netaclaw.errors import NotFoundError, StaleLeaf, StoreError
from netaclaw.sessions import NewEntry, QueueStore, SessionStore
from netaclaw.sessions.transactions import writing
from tests.builders import user
from tests.sessions.builders import prune, said, summary, undo


async def test_an_append_moves_the_leaf_counts_the_revision_and_inherits_from_the_parent(store: SessionStore, session: Session) -> None:
    first = await store.append(session.id, None, said("one"), 3)
    second = await store.append(session.id, first.id, said("two"), 4)
    assert (second.parent_id, second.seq, second.depth, second.tokens) == (first.id, 2, 1, 4)
    now = await store.get_session(session.id)
    assert (now.active_leaf_id, now.revision) == (second.id, session.revision + 2)


async def test_what_was_appended_reads_back_the_same(store: SessionStore, session: Session) -> None:
    entry = await store.append(session.id, None, MessagePayload(user("lone \ud800 and 中文"), attached="today"), 3)
    assert await store.get_entry(entry.id) == entry
    assert isinstance(entry.payload, MessagePayload)
    assert entry.payload.message.entry_id == entry.id


async def test_an_append_at_a_leaf_that_has_moved_writes_nothing(store: SessionStore, session: Session) -> None:
    first = await store.append(session.id, None, said("one"))
    with pytest.raises(StaleLeaf, match=f"moved on from entry None to {first.id}"):
        await store.append(session.id, None, said("late"))
    assert await store.entries_since(session.id, 0) == (first,)


async def test_of_appends_at_the_same_time_exactly_one_wins(store: SessionStore, session: Session) -> None:
    outcomes = await asyncio.gather(*(store.append(session.id, None, said(f"{n}")) for n in range(12)), return_exceptions=True)
    won = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    assert [type(outcome) for outcome in outcomes].count(StaleLeaf) == 11
    assert await store.entries_since(session.id, 0) == tuple(won)


async def test_writers_that_try_again_end_on_one_path_without_gaps(store: SessionStore, session: Session) -> None:
    async def write(name: str) -> None:
        for number in range(8):
            while True:
                leaf_id = (await store.get_session(session.id)).active_leaf_id
                try:
                    await store.append(session.id, leaf_id, said(f"{name}{number}"))
                    break
                except StaleLeaf:
                    continue

    await asyncio.gather(*(write(name) for name in "abcd"))
    entries = await store.entries_since(session.id, 0)
    assert [entry.seq for entry in entries] == list(range(1, 33))
    assert entries == await store.read_path(entries[-1].id)


async def test_cancelled_appends_leave_a_whole_tree_and_a_usable_database(store: SessionStore, session: Session) -> None:
    random = Random(4)
    for number in range(60):
        leaf_id = (await store.get_session(session.id)).active_leaf_id
        task = asyncio.create_task(store.append(session.id, leaf_id, said(f"{number}")))
        await asyncio.sleep(random.random() * 0.004)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    now = await store.get_session(session.id)
    entries = await store.entries_since(session.id, 0)
    assert entries == await store.read_path(now.active_leaf_id)
    assert [entry.seq for entry in entries] == list(range(1, now.revision - session.revision + 1))


async def test_a_chain_is_appended_whole_or_not_at_all(store: SessionStore, session: Session) -> None:
    chain = await store.append_many(session.id, None, [NewEntry(said(f"{n}"), n) for n in range(3)])
    assert [(entry.seq, entry.depth) for entry in chain] == [(1, 0), (2, 1), (3, 2)]
    with pytest.raises(StoreError):
        await store.append_many(session.id, chain[-1].id, [NewEntry(said("fine")), NewEntry(undo(chain[0].id))])
    assert await store.entries_since(session.id, 0) == chain
    assert await store.append_many(session.id, None, []) == ()


async def test_a_compaction_in_a_chain_may_keep_entries_of_the_chain(store: SessionStore, session: Session) -> None:
    first = await store.append(session.id, None, said("one"))
    chain = await store.append_many(session.id, first.id, [NewEntry(said("two")), NewEntry(summary(first.id + 1)), NewEntry(said("three"))])
    assert (await store.read_context(session.id, chain[-1].id)).entries == chain


async def test_a_sibling_and_a_second_root_are_appended_under_another_parent(store: SessionStore, session: Session) -> None:
    first = await store.append(session.id, None, said("ask"))
    answer = await store.append(session.id, first.id, said("answer"))
    other = await store.append(session.id, answer.id, said("other answer"), parent_id=first.id)
    root = await store.append(session.id, other.id, said("ask again"), parent_id=None)
    assert await store.children(session.id, first.id) == (answer, other)
    assert await store.children(session.id, None) == (first, root)


async def test_the_first_kept_entry_must_be_on_the_path(store: SessionStore, session: Session) -> None:
    first = await store.append(session.id, None, said("ask"))
    left = await store.append(session.id, first.id, said("left"))
    right = await store.append(session.id, left.id, said("right"), parent_id=first.id)
    with pytest.raises(StoreError, match=f"Entry {left.id} cannot be the first kept one"):
        await store.append(session.id, right.id, summary(left.id))
    with pytest.raises(NotFoundError, match="has no entry 999"):
        await store.append(session.id, right.id, summary(999))


async def test_only_the_governing_compaction_can_be_undone(store: SessionStore, session: Session) -> None:
    first = await store.append(session.id, None, said("ask"))
    older = await store.append(session.id, first.id, summary(first.id))
    newer = await store.append(session.id, older.id, summary(first.id))
    with pytest.raises(StoreError, match=f"Compaction {older.id} cannot be undone"):
        await store.append(session.id, newer.id, undo(older.id))
    with pytest.raises(StoreError, match="is no compaction"):
        await store.append(session.id, newer.id, undo(first.id))
    undone = await store.append(session.id, newer.id, undo(newer.id))
    with pytest.raises(StoreError, match=f"Compaction {newer.id} cannot be undone"):
        await store.append(session.id, undone.id, undo(newer.id))


async def test_a_prune_can_be_undone_after_a_later_compaction(store: SessionStore, session: Session) -> None:
    first = await store.append(session.id, None, said("ask"))
    cut = await store.append(session.id, first.id, prune({first.id: "short"}))
    governing = await store.append(session.id, cut.id, summary(first.id))
    undone = await store.append(session.id, governing.id, undo(cut.id))
    read = await store.read_context(session.id, undone.id)
    assert (read.governing, read.replacements.texts) == (governing, {})


async def test_an_append_needs_a_session_and_a_parent_of_it(store: SessionStore, session: Session) -> None:
    with pytest.raises(NotFoundError, match="There is no session 99"):
        await store.append(99, None, said("x"))
    other = await store.create_session("other")
    foreign = await store.append(other.id, None, said("x"))
    with pytest.raises(NotFoundError, match=f"Session {session.id} has no entry {foreign.id}"):
        await store.append(session.id, None, said("x"), parent_id=foreign.id)
    assert await store.entries_since(session.id, 0) == ()


async def test_a_value_that_is_no_json_is_refused_and_nothing_is_written(store: SessionStore, session: Session) -> None:
    with pytest.raises(StoreError, match="cannot be stored"):
        await store.append(session.id, None, MessagePayload(user("x", meta={"file": object()})))
    assert (await store.get_session(session.id)).active_leaf_id is None


async def test_a_command_is_done_in_the_transaction_of_its_entry_and_only_once(
    engine: AsyncEngine, store: SessionStore, session: Session
) -> None:
    queue = QueueStore(engine, lambda: session.created_at)
    command = await queue.enqueue(session.id, "r1", {"type": "chat"})
    entry = await store.append(session.id, None, said("x"), finished_command_id=command.id)
    with pytest.raises(StoreError, match="done or removed already"):
        await store.append(session.id, entry.id, said("again"), finished_command_id=command.id)
    assert await store.entries_since(session.id, 0) == (entry,)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE entry SET tokens = 9", "UPDATE is refused"),
        ("DELETE FROM entry", "DELETE is refused"),
        ("INSERT OR REPLACE INTO entry SELECT * FROM entry", "DELETE is refused"),
        (
            "REPLACE INTO entry SELECT id + 50, session_id, parent_id, seq, 7, 0, NULL, type, payload, 0, created_at FROM entry",
            "DELETE is refused",
        ),
        ("DELETE FROM session", "FOREIGN KEY"),
    ],
)
async def test_the_database_refuses_to_change_entries(
    engine: AsyncEngine, store: SessionStore, session: Session, statement: str, what: str
) -> None:
    entry = await store.append(session.id, None, said("for ever"))
    with pytest.raises(StoreError, match=what):
        async with writing(engine) as connection:
            await connection.execute(text(statement))
    assert await store.get_entry(entry.id) == entry
