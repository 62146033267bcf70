"""The session store: a context read after a compaction against the read of the whole path, and an append against a bare INSERT.

`python -m bench.sessions` prints one line for each length of history. Times are medians in one process on one machine.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bench.conversation import conversation
from netaclaw.domain.entries import CompactionPayload, MessagePayload
from netaclaw.domain.messages import Message
from netaclaw.sessions import NewEntry, SessionStore, migrate, open_database
from netaclaw.sessions.json_text import to_text
from netaclaw.sessions.payload_json import payload_to_json
from netaclaw.sessions.transactions import writing

SIZES = (1_000, 10_000, 100_000)
_COMPACTED_EVERY = 500
_KEPT = 60
_APPENDS = 200
_READS = 15
_WALKS = {1_000: 9, 10_000: 3, 100_000: 1}


@dataclass(frozen=True, slots=True)
class History:
    """A stored session with a compaction every 500 entries, the newest one at its leaf."""

    store: SessionStore
    session_id: int
    leaf_id: int
    messages: list[Message]


def main() -> None:
    """Print the table."""
    print(f"Session store, a compaction every {_COMPACTED_EVERY} entries that keeps {_KEPT}: medians")
    print("read: context after a compaction, as a share of the read of the whole path; append: in bare INSERTs by the same driver")
    print(f"{'entries':>9} {'whole path':>12} {'read':>10} {'share':>8} {'INSERT':>9} {'append':>9} {'multiple':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            asyncio.run(_one_size(size, Path(folder)))


async def _one_size(size: int, folder: Path) -> None:
    engine = open_database(folder / f"{size}.db")
    try:
        await migrate(engine)
        history = await _write(SessionStore(engine, lambda: datetime.now(UTC)), size)
        read = await _median(lambda: history.store.read_context(history.session_id, history.leaf_id), _READS)
        walk = await _median(lambda: history.store.read_path(history.leaf_id), _WALKS.get(size, 1))
        append = await _append_time(history)
        bare = await _insert_time(engine, history.messages)
    finally:
        await engine.dispose()
    milliseconds = [f"{seconds * 1_000:.2f} ms" for seconds in (walk, read, bare, append)]
    print(
        f"{size:>9,} {milliseconds[0]:>12} {milliseconds[1]:>10} {read / walk:>8.4f} "
        f"{milliseconds[2]:>9} {milliseconds[3]:>9} {append / bare:>9.1f}",
        flush=True,
    )


async def _write(store: SessionStore, size: int) -> History:
    """Write the history in chains, each ended by its compaction."""
    messages = conversation(_COMPACTED_EVERY)
    chain = [NewEntry(MessagePayload(message), 100) for message in messages[1:]]
    session = await store.create_session("bench")
    leaf_id: int | None = None
    for _ in range(size // _COMPACTED_EVERY):
        written = await store.append_many(session.id, leaf_id, chain)
        compaction = CompactionPayload("summary", "What happened. " * 400, written[-_KEPT].id, 90_000, 20_000, "auto")
        leaf_id = (await store.append(session.id, written[-1].id, compaction, 1_500)).id
    assert leaf_id is not None
    return History(store, session.id, leaf_id, messages)


async def _append_time(history: History) -> float:
    leaf_id = history.leaf_id
    times: list[float] = []
    for number in range(_APPENDS):
        payload = MessagePayload(history.messages[number])
        start = time.perf_counter()
        leaf_id = (await history.store.append(history.session_id, leaf_id, payload, 100)).id
        times.append(time.perf_counter() - start)
    return statistics.median(times)


async def _insert_time(engine: AsyncEngine, messages: list[Message]) -> float:
    """One INSERT of the same JSON in a transaction of its own, through the same driver."""
    async with writing(engine) as connection:
        await connection.execute(text("CREATE TABLE bare (id INTEGER PRIMARY KEY, payload TEXT)"))
    times: list[float] = []
    for message in messages[:_APPENDS]:
        start = time.perf_counter()
        async with writing(engine) as connection:
            row = {"payload": to_text(payload_to_json(MessagePayload(message)))}
            await connection.execute(text("INSERT INTO bare (payload) VALUES (:payload)"), row)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


async def _median(work: Callable[[], Awaitable[Any]], repeats: int) -> float:
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        await work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


if __name__ == "__main__":
    main()
