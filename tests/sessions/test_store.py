"""Sessions: made, found, renamed, moved between branches, deleted."""

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.domain.agents import Agent
from netaclaw.domain.entries import Session
from netaclaw.errors import NotFoundError, StaleLeaf
from netaclaw.sessions import CompactionState, CompactionStateStore, ConfigStore, NewEntry, QueueStore, RunStore, SessionStore, tables
from netaclaw.sessions.transactions import reading, writing
from tests.sessions.builders import said


async def test_a_new_session_is_empty(store: SessionStore) -> None:
    session = await store.create_session("会话")
    assert session == Session(session.id, "会话", None, None, 0, session.created_at, session.created_at)
    assert await store.get_session(session.id) == session


async def test_sessions_are_listed_by_their_last_change_page_by_page(store: SessionStore) -> None:
    ids = [(await store.create_session(f"s{number}")).id for number in range(5)]
    await store.append(ids[1], None, said("newest"))
    order = [ids[1], ids[4], ids[3], ids[2], ids[0]]
    first = await store.list_sessions(limit=3)
    rest = await store.list_sessions(limit=3, before=first[-1].id)
    assert [session.id for session in (*first, *rest)] == order


async def test_sessions_are_found_by_a_part_of_their_title_and_wildcards_are_no_wildcards(store: SessionStore) -> None:
    wanted = await store.create_session("Deploy 100% of 订单")
    await store.create_session("Deploy 1000 orders")
    assert await store.list_sessions(query="100%") == (wanted,)
    assert await store.list_sessions(query="订单") == (wanted,)
    assert len(await store.list_sessions(query="dEPLOY")) == 2


async def test_a_rename_is_a_change_that_browsers_hear_of(store: SessionStore, session: Session) -> None:
    renamed = await store.rename(session.id, "better")
    assert (renamed.title, renamed.revision) == ("better", session.revision + 1)
    with pytest.raises(NotFoundError):
        await store.rename(99, "x")


async def test_the_active_leaf_moves_only_from_where_it_is_expected(store: SessionStore, session: Session) -> None:
    first, second = await store.append_many(session.id, None, [NewEntry(said("1")), NewEntry(said("2"))])
    moved = await store.set_active_leaf(session.id, second.id, first.id)
    assert (moved.active_leaf_id, moved.revision) == (first.id, session.revision + 2)
    with pytest.raises(StaleLeaf):
        await store.set_active_leaf(session.id, second.id, first.id)
    with pytest.raises(NotFoundError, match="has no entry 999"):
        await store.set_active_leaf(session.id, first.id, 999)
    with pytest.raises(NotFoundError, match="no session 99"):
        await store.set_active_leaf(99, None, None)


async def test_a_browser_gets_the_entries_that_it_has_missed(store: SessionStore, session: Session) -> None:
    chain = await store.append_many(session.id, None, [NewEntry(said(f"{n}")) for n in range(4)])
    assert await store.entries_since(session.id, 2) == chain[2:]


async def test_a_deleted_session_goes_with_all_that_hangs_on_it_and_no_other(
    engine: AsyncEngine, store: SessionStore, session: Session
) -> None:
    chain = await store.append_many(session.id, None, [NewEntry(said(f"{n}")) for n in range(30)])
    await QueueStore(engine, lambda: session.created_at).enqueue(session.id, "r1", {})
    await RunStore(engine, lambda: session.created_at).start(session.id, "agent")
    await CompactionStateStore(engine).put(CompactionState(session.id, strikes=1))
    other = await store.create_session("stays")
    kept = await store.append(other.id, None, said("stays"))

    await store.delete_session(session.id)

    with pytest.raises(NotFoundError):
        await store.get_session(session.id)
    with pytest.raises(NotFoundError):
        await store.delete_session(session.id)
    with pytest.raises(NotFoundError):
        await store.get_entry(chain[0].id)
    assert await store.read_path(kept.id) == (kept,)
    async with reading(engine) as connection:
        for table in (tables.queue, tables.run, tables.compaction_state):
            assert await connection.scalar(select(func.count()).select_from(table)) == 0


async def test_ids_of_deleted_entries_are_never_given_out_again(store: SessionStore, session: Session) -> None:
    old = await store.append(session.id, None, said("x"))
    await store.delete_session(session.id)
    other = await store.create_session("other")
    assert other.id > session.id
    assert (await store.append(other.id, None, said("y"))).id > old.id


async def test_a_deletion_that_was_interrupted_hides_the_session_and_is_finished_at_start(
    engine: AsyncEngine, store: SessionStore, session: Session
) -> None:
    entry = await store.append(session.id, None, said("x"))
    async with writing(engine) as connection:
        await connection.execute(update(tables.session).values(deleting_at=session.created_at))
    assert await store.list_sessions() == ()
    with pytest.raises(NotFoundError):
        await store.append(session.id, entry.id, said("too late"))
    await store.finish_deletions()
    with pytest.raises(NotFoundError):
        await store.get_entry(entry.id)


async def test_a_session_outlives_its_agent(engine: AsyncEngine, store: SessionStore) -> None:
    agents = ConfigStore(engine).agents
    agent = await agents.add(Agent(0, "helper"))
    session = await store.create_session("x", agent.id)
    await agents.delete(agent.id)
    assert (await store.get_session(session.id)).agent_id is None
