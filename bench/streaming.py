"""CPU of the server for each streamed frame, against a bare websocket that pushes the same text.

`python -m bench.streaming` starts each server as a process of its own; another process holds the browsers' ends and counts.
"""

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.streaming_server import PIECES, PIECES_IN_A_FRAME, SECONDS_BETWEEN_PIECES
from bench.wiring import add_agent, open_parts
from netaclaw.app import prepare_data

CONNECTIONS = (1, 200)


@dataclass(frozen=True, slots=True)
class _Run:
    """One reply, streamed to every connection."""

    frames: int
    cpu_seconds: float

    @property
    def microseconds(self) -> float:
        return self.cpu_seconds / self.frames * 1e6


def main() -> None:
    """Print the table."""
    seconds = PIECES * SECONDS_BETWEEN_PIECES
    print(
        f"CPU of the server process for each `delta` frame, a reply of {PIECES} pieces in {seconds:.0f} s, from its first piece to its last"
    )
    print(f"bare: a Starlette socket behind the same uvicorn, {PIECES_IN_A_FRAME} pieces of text every 40 ms like NetaClaw; both deflate")
    print("growth: NetaClaw's CPU a frame against that at the first number of connections", flush=True)
    print(f"{'connections':>11} {'bare frames':>11} {'bare':>9} {'frames':>8} {'NetaClaw':>9} {'multiple':>9} {'growth':>7}", flush=True)
    first: _Run | None = None
    for connections in CONNECTIONS:
        bare, ours = _stream("bare", connections), _stream("netaclaw", connections)
        first = first or ours
        print(
            f"{connections:>11,} {bare.frames:>11,} {bare.microseconds:>6.0f} µs {ours.frames:>8,} {ours.microseconds:>6.0f} µs "
            f"{ours.microseconds / bare.microseconds:>9.1f} {ours.microseconds / first.microseconds:>7.2f}",
            flush=True,
        )


def _stream(kind: str, connections: int) -> _Run:
    with tempfile.TemporaryDirectory() as folder:
        session_id = asyncio.run(_prepare(Path(folder)))
        with _server(kind, folder) as (server, address), _listeners(address, session_id, connections) as listeners:
            _expect(listeners, "begun")
            before = _cpu_seconds(server)
            frames = int(_expect(listeners, "ended"))
            return _Run(frames, _cpu_seconds(server) - before)


async def _prepare(folder: Path) -> int:
    parts = open_parts(folder)
    try:
        await prepare_data(parts)
        return (await parts.sessions.create_session("bench", await add_agent(parts))).id
    finally:
        await parts.engine.dispose()


@contextmanager
def _server(kind: str, folder: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with _process("bench.streaming_server", kind, folder) as server:
        yield server, _expect(server, "NetaClaw listens on").replace("http", "ws", 1) + "/ws"


@contextmanager
def _listeners(address: str, session_id: int, connections: int) -> Iterator[subprocess.Popen[str]]:
    with _process("bench.listeners", address, str(session_id), str(connections)) as listeners:
        yield listeners


@contextmanager
def _process(module: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", module, *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _cpu_seconds(server: subprocess.Popen[str]) -> float:
    assert server.stdin is not None
    server.stdin.write("\n")
    server.stdin.flush()
    return float(_expect(server, "cpu"))


def _expect(process: subprocess.Popen[str], word: str) -> str:
    """Return what follows the word on the process's next line."""
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if not line.startswith(word):
        raise RuntimeError(f"expected '{word} ...' from {process.args!r}, not '{line}'")
    return line.removeprefix(word).strip()


if __name__ == "__main__":
    main()
