"""The queue before the writer: in order, and full when it is full."""

import asyncio

import pytest

from netaclaw.gateway.outbox import Outbox


async def test_frames_leave_in_order() -> None:
    outbox = Outbox()
    for frame in "abc":
        outbox.put(frame)
    assert [await outbox.take() for _ in "abc"] == ["a", "b", "c"]


@pytest.mark.parametrize("outbox", [Outbox(max_frames=2), Outbox(max_chars=2)])
async def test_a_full_one_has_room_again_when_a_frame_was_taken(outbox: Outbox) -> None:
    outbox.put("a")
    await outbox.room()
    outbox.put("b")
    waiting = asyncio.create_task(outbox.room())
    await asyncio.sleep(0)
    assert not waiting.done()
    await outbox.take()
    await asyncio.wait_for(waiting, 1)


async def test_taking_waits_for_a_frame() -> None:
    outbox = Outbox()
    taking = asyncio.create_task(outbox.take())
    await asyncio.sleep(0)
    outbox.put("a")
    assert await asyncio.wait_for(taking, 1) == "a"
