"""The session store: a context read after a compaction against the read of the whole path, and an append against a bare INSERT.

`python -m bench.sessions` prints one line for each length of history. Times are medians in one process on one machine.
"""

import asyncio
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bench.history import COMPACTED_EVERY, KEPT, SIZES, History, median_seconds, write_history
from netaclaw.domain.entries import MessagePayload
from netaclaw.domain.messages import Message
from netaclaw.sessions import SessionStore, migrate, open_database
from netaclaw.sessions.json_text import to_text
from netaclaw.sessions.payload_json import payload_to_json
from netaclaw.sessions.transactions import writing

_APPENDS = 200
_READS = 15
_WALKS = {1_000: 9, 10_000: 3, 100_000: 1}


def main() -> None:
    """Print the table."""
    print(f"Session store, a compaction every {COMPACTED_EVERY} entries that keeps {KEPT}: medians")
    print("read: context after a compaction, as a share of the read of the whole path; append: in bare INSERTs by the same driver")
    print(f"{'entries':>9} {'whole path':>12} {'read':>10} {'share':>8} {'INSERT':>9} {'append':>9} {'multiple':>9}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            asyncio.run(_one_size(size, Path(folder)))


async def _one_size(size: int, folder: Path) -> None:
    engine = open_database(folder / f"{size}.db")
    try:
        await migrate(engine)
        history = await write_history(SessionStore(engine, lambda: datetime.now(UTC)), size)
        read = await median_seconds(lambda: history.store.read_context(history.session_id, history.leaf_id), _READS)
        walk = await median_seconds(lambda: history.store.read_path(history.leaf_id), _WALKS.get(size, 1))
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


if __name__ == "__main__":
    main()
