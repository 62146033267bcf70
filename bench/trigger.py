"""The check before every model request (is the context over the threshold?) against the bare read of the same rows.

`python -m bench.trigger` prints one line for each length of history. It must not grow with the history.
"""

import asyncio
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncEngine

from bench.history import COMPACTED_EVERY, KEPT, SIZES, median_seconds, write_history
from bench.wiring import add_agent, open_parts, runtime_parts
from netaclaw.app import prepare_data
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.runtime.view import load_view
from netaclaw.sessions.tables import entry

_CHECKS = 30


@dataclass(frozen=True, slots=True)
class _Times:
    """Seconds."""

    rows: float
    check: float
    path: float


def main() -> None:
    """Print the table."""
    print(
        f"Trigger check (load_view, then size against threshold), a compaction every {COMPACTED_EVERY} entries that keeps {KEPT}: medians"
    )
    print("multiple: of one SELECT of the context's rows and json.loads of their payloads; share: of the read of the whole path;")
    print("growth: against the check at the first size, 1 means that it does not grow with the history", flush=True)
    print(f"{'entries':>9} {'SELECT+loads':>13} {'check':>10} {'multiple':>9} {'whole path':>12} {'share':>8} {'growth':>7}", flush=True)
    first: _Times | None = None
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            times = asyncio.run(_one_size(size, Path(folder) / str(size)))
            first = first or times
            print(_line(size, times, first), flush=True)


def _line(size: int, times: _Times, first: _Times) -> str:
    rows, check, path = (f"{seconds * 1_000:.2f} ms" for seconds in (times.rows, times.check, times.path))
    ratios = f"{times.check / times.rows:>9.1f} {path:>12} {times.check / times.path:>8.4f} {times.check / first.check:>7.2f}"
    return f"{size:>9,} {rows:>13} {check:>10} {ratios}"


async def _one_size(size: int, folder: Path) -> _Times:
    parts = open_parts(folder)
    try:
        await prepare_data(parts)
        history = await write_history(parts.sessions, size, await add_agent(parts))
        checked = runtime_parts(parts)
        ids = [kept.id for kept in (await load_view(checked, history.session_id)).read.entries]
        return _Times(
            rows=await median_seconds(lambda: _load_rows(parts.engine, ids), _CHECKS),
            check=await median_seconds(lambda: _check(checked, history.session_id), _CHECKS),
            path=await median_seconds(lambda: history.store.read_path(history.leaf_id), 1),
        )
    finally:
        await parts.engine.dispose()


async def _check(parts: RuntimeParts, session_id: int) -> bool:
    return (await load_view(parts, session_id)).is_over


async def _load_rows(engine: AsyncEngine, ids: list[int]) -> list[object]:
    async with engine.connect() as connection:
        rows = await connection.exec_driver_sql(_rows_sql(ids), tuple(ids))
        return [json.loads(payload) for (payload,) in rows]


def _rows_sql(ids: list[int]) -> str:
    return f"SELECT {entry.c.payload.name} FROM {entry.name} WHERE id IN ({','.join('?' * len(ids))})"


if __name__ == "__main__":
    main()
