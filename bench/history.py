"""A long stored session for the benchmarks of the server, and the median of a few runs."""

import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from bench.conversation import conversation
from netaclaw.domain.entries import CompactionPayload, MessagePayload
from netaclaw.domain.messages import Message
from netaclaw.sessions import NewEntry, SessionStore

SIZES = (1_000, 10_000, 100_000)
COMPACTED_EVERY = 500
KEPT = 60


@dataclass(frozen=True, slots=True)
class History:
    """A stored session with a compaction every 500 entries, the newest one at its leaf."""

    store: SessionStore
    session_id: int
    leaf_id: int
    messages: list[Message]


async def write_history(store: SessionStore, size: int, agent_id: int | None = None) -> History:
    """Write `size` entries in chains, each ended by its compaction."""
    messages = conversation(COMPACTED_EVERY)
    chain = [NewEntry(MessagePayload(message), 100) for message in messages[1:]]
    session = await store.create_session("bench", agent_id)
    leaf_id: int | None = None
    for _ in range(size // COMPACTED_EVERY):
        written = await store.append_many(session.id, leaf_id, chain)
        compaction = CompactionPayload("summary", "What happened. " * 400, written[-KEPT].id, 90_000, 20_000, "auto")
        leaf_id = (await store.append(session.id, written[-1].id, compaction, 1_500)).id
    assert leaf_id is not None
    return History(store, session.id, leaf_id, messages)


async def median_seconds(work: Callable[[], Awaitable[Any]], repeats: int) -> float:
    """Return the median time of several runs."""
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        await work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)
