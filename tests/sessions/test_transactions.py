"""Transactions: our errors instead of the driver's, and a whole end when the caller is cancelled."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.domain.entries import Session
from netaclaw.errors import NotFoundError, StoreError
from netaclaw.sessions import SessionStore
from netaclaw.sessions.transactions import writing
from tests.sessions.builders import said


async def test_an_error_of_the_database_is_one_line(engine: AsyncEngine) -> None:
    with pytest.raises(StoreError, match=r"^The database refuses: no such table: absent$"):
        async with writing(engine) as connection:
            await connection.execute(text("SELECT 1 FROM absent"))


async def test_an_id_that_no_row_can_have_is_not_found(store: SessionStore) -> None:
    with pytest.raises(NotFoundError, match="more than 64 bits"):
        await store.get_session(10**30)


async def test_half_a_character_in_a_title_is_refused_in_words(store: SessionStore) -> None:
    with pytest.raises(StoreError, match="half a character"):
        await store.create_session("\ud800")


async def test_what_is_raised_in_a_transaction_undoes_it(engine: AsyncEngine, store: SessionStore, session: Session) -> None:
    async def change_half() -> None:
        async with writing(engine) as connection:
            await connection.execute(text("UPDATE session SET title = 'half done'"))
            raise KeyError

    with pytest.raises(KeyError):
        await change_half()
    assert await store.get_session(session.id) == session


async def test_a_cancelled_append_holds_no_lock_and_raises_the_cancellation(store: SessionStore, session: Session) -> None:
    task = asyncio.create_task(store.append(session.id, None, said("x")))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    entries = await store.entries_since(session.id, 0)
    await asyncio.wait_for(store.append(session.id, entries[-1].id if entries else None, said("next")), timeout=1)
