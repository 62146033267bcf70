"""The two servers of `bench.streaming`: NetaClaw with a scripted model, and a bare socket. Each says its CPU time when asked.

`python -m bench.streaming_server netaclaw|bare FOLDER`; every read of standard input is answered with `cpu SECONDS`.
"""

import asyncio
import json
import os
import sys
import threading
import time
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from bench.wiring import bench_settings, runtime_parts
from netaclaw.app import Parts, Runtime
from netaclaw.commands.serve import run_serve
from netaclaw.domain.events import Delta
from netaclaw.gateway.deltas import INTERVAL_SECONDS
from netaclaw.gateway.server import bind, run_server
from netaclaw.providers.scripted import Says
from netaclaw.runtime.orchestrator import Orchestrator

PIECES = 500
SECONDS_BETWEEN_PIECES = 0.01
PIECES_IN_A_FRAME = round(INTERVAL_SECONDS / SECONDS_BETWEEN_PIECES)
_PIECE = "twelve chars"  # what the scripted model says at once
TEXT = _PIECE * PIECES

_sockets: set[WebSocket] = set()


def main(kind: str, folder: Path) -> None:
    """Serve until SIGTERM."""
    threading.Thread(target=_answer_with_cpu_seconds, daemon=True).start()
    if kind == "netaclaw":
        run_serve(bench_settings(folder), _scripted_runtime)
    else:
        asyncio.run(_serve_bare(folder))


def _answer_with_cpu_seconds() -> None:
    while os.read(sys.stdin.fileno(), 1):
        print("cpu", time.process_time(), flush=True)


def _scripted_runtime(parts: Parts) -> Runtime:
    return Orchestrator(runtime_parts(parts, (Says(TEXT, delay_seconds=SECONDS_BETWEEN_PIECES),)))


async def _serve_bare(folder: Path) -> None:
    with bind("127.0.0.1", 0) as bound:
        app = Starlette(routes=[WebSocketRoute("/ws", _bare_endpoint)])
        address = f"http://127.0.0.1:{bound.getsockname()[1]}"
        await run_server(app, bound, bench_settings(folder).max_frame_bytes, lambda: print("NetaClaw listens on", address, flush=True))


async def _bare_endpoint(socket: WebSocket) -> None:
    await socket.accept()
    _sockets.add(socket)
    try:
        while True:
            command = json.loads(await socket.receive_text())
            await socket.send_text('{"type":"ack"}')
            if command["type"] == "chat":
                await _push_all()
    except WebSocketDisconnect:
        _sockets.discard(socket)


async def _push_all() -> None:
    """Send the reply to every socket in frames like NetaClaw's, each written out once."""
    frame = Delta(session_id=1, run_id=1, text=_PIECE * PIECES_IN_A_FRAME).model_dump_json(by_alias=True, exclude_none=True)
    for _ in range(PIECES // PIECES_IN_A_FRAME):
        for socket in tuple(_sockets):
            await socket.send_text(frame)
        await asyncio.sleep(INTERVAL_SECONDS)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
