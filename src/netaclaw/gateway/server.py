"""The server process around the application: uvicorn, told to end cleanly and to let go of browsers that do not read."""

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from netaclaw.errors import SettingsError
from netaclaw.gateway.access import is_loopback

_GRACE_SECONDS = 5
_HEARTBEAT_SECONDS = 20.0


def need_loopback(host: str) -> None:
    """Raise SettingsError for an address that others can reach: without users, whoever reaches the server owns it."""
    if not is_loopback(host):
        raise SettingsError(
            f"{host} can be reached from other machines, and NetaClaw has no users and no login yet; use --host 127.0.0.1 and a tunnel"
        )


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises SettingsError where the port is taken or the address is not of this machine."""
    bare = host.strip("[]")
    bound = socket.socket(socket.AF_INET6 if ":" in bare else socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((bare, port))
        bound.listen(2_048)
    except OSError as error:
        bound.close()
        raise SettingsError(
            f"Port {port} on {host} cannot be used ({error.strerror or error}); stop what uses it or choose another with --port"
        ) from error
    return bound


async def run_server(app: ASGIApp, bound: socket.socket, max_frame_bytes: int, on_start: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT; a second signal does not wait for browsers. The application's lifespan is the caller's."""
    config = uvicorn.Config(
        app,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        ws=CutOffProtocol,
        ws_max_size=2 * max_frame_bytes,  # what is a little too large is answered with an error frame, only more ends the socket
        ws_ping_interval=_HEARTBEAT_SECONDS,
        ws_ping_timeout=_HEARTBEAT_SECONDS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = _Server(config, on_start)
    with _ending_by_signal(server):
        await server.serve(sockets=[bound])


class CutOffProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's socket, except that one whose peer does not read is closed without waiting for it, and soon let go."""

    async def send(self, message) -> None:  # type: ignore[no-untyped-def]
        """Send; a close goes out, into the buffer if need be, although the peer takes nothing."""
        if message["type"] == "websocket.close":
            self.writable.set()
        await super().send(message)

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Give the peer a moment to read what is buffered, then free it."""
        super().on_task_complete(task)
        self.loop.call_later(_GRACE_SECONDS, self.transport.abort)


class _Server(uvicorn.Server):
    """Says when it listens, and leaves signals to `_ending_by_signal`: uvicorn would raise them again before the lifespan has ended."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets)
        self._on_start()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do nothing."""
        yield


@contextmanager
def _ending_by_signal(server: uvicorn.Server) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    signals = (signal.SIGTERM, signal.SIGINT)

    def end() -> None:
        server.force_exit = server.should_exit
        server.should_exit = True

    for number in signals:
        loop.add_signal_handler(number, end)
    try:
        yield
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
