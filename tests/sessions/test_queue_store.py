"""The queue: acknowledged once, carried out once, also over a restart."""

from collections.abc import Callable
from datetime import datetime

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.domain.entries import Session
from netaclaw.errors import StoreError
from netaclaw.sessions import QueueStore, SessionStore
from tests.sessions.builders import said


@pytest.fixture
def queue(engine: AsyncEngine, clock: Callable[[], datetime]) -> QueueStore:
    return QueueStore(engine, clock)


async def test_commands_are_taken_in_order_each_once(queue: QueueStore, session: Session) -> None:
    first = await queue.enqueue(session.id, "r1", {"type": "chat", "text": "一"})
    second = await queue.enqueue(session.id, "r2", {"type": "chat", "text": "二"})
    assert await queue.waiting(session.id) == (first, second)
    taken = [await queue.take_next(session.id) for _ in range(3)]
    assert [command and (command.id, command.state) for command in taken] == [(first.id, "taken"), (second.id, "taken"), None]


async def test_a_repeated_request_is_the_same_command(queue: QueueStore, session: Session) -> None:
    first = await queue.enqueue(session.id, "r1", {"text": "one"})
    assert await queue.enqueue(session.id, "r1", {"text": "sent again"}) == first
    assert await queue.find(session.id, "r1") == first
    assert await queue.find(session.id, "r2") is None


async def test_a_waiting_command_can_be_edited_and_removed_but_a_taken_one_cannot(queue: QueueStore, session: Session) -> None:
    command = await queue.enqueue(session.id, "r1", {"text": "one"})
    other = await queue.enqueue(session.id, "r2", {"text": "two"})
    assert await queue.edit(command.id, {"text": "better"})
    assert await queue.remove(other.id)
    taken = await queue.take_next(session.id)
    assert taken is not None
    assert taken.command == {"text": "better"}
    assert not await queue.edit(command.id, {"text": "late"})
    assert not await queue.remove(command.id)


async def test_a_finished_command_stays_finished(queue: QueueStore, session: Session) -> None:
    command = await queue.enqueue(session.id, "r1", {})
    assert await queue.mark(command.id, "done")
    assert not await queue.mark(command.id, "queued")


async def test_after_a_crash_what_was_not_carried_out_waits_again(queue: QueueStore, store: SessionStore, session: Session) -> None:
    for request_id in ("done", "cut off", "waiting"):
        await queue.enqueue(session.id, request_id, {})
    done, cut_off = await queue.take_next(session.id), await queue.take_next(session.id)
    assert done is not None
    assert cut_off is not None
    await store.append(session.id, None, said("x"), finished_command_id=done.id)
    assert await queue.recover() == (session.id,)
    assert [command.request_id for command in await queue.waiting(session.id)] == ["cut off", "waiting"]


async def test_a_command_needs_a_session(queue: QueueStore) -> None:
    with pytest.raises(StoreError):
        await queue.enqueue(99, "r1", {})
