"""The command `serve`: bind, migrate, recover, listen, say where, end cleanly."""

import asyncio
import logging
import socket
import sys
from collections.abc import Awaitable, Callable

import structlog
from fastapi import FastAPI

from netaclaw.app import BuildRuntime, build_runtime, create_app
from netaclaw.gateway.server import bind, need_loopback, run_server
from netaclaw.settings import Settings


async def _nothing_to_prepare(app: FastAPI) -> None:
    pass


def run_serve(
    settings: Settings,
    build: BuildRuntime = build_runtime,
    prepare: Callable[[FastAPI], Awaitable[None]] = _nothing_to_prepare,
    closing_words: str = "",
) -> int:
    """Serve until SIGTERM or Ctrl-C and return 0. `prepare` works with the runtime before anybody can connect.

    Raises SettingsError for an address or port that cannot be used, StoreError for a data folder or database that cannot be used.
    """
    need_loopback(settings.host)
    _set_up_logging()
    with bind(settings.host, settings.port) as bound:  # before the data is touched
        asyncio.run(_serve(create_app(settings, build), settings, bound, prepare, closing_words))
    return 0


async def _serve(
    app: FastAPI, settings: Settings, bound: socket.socket, prepare: Callable[[FastAPI], Awaitable[None]], closing_words: str
) -> None:
    async with app.router.lifespan_context(app):
        await prepare(app)
        await run_server(app, bound, settings.max_frame_bytes, lambda: _say_where(bound, closing_words))


def _say_where(bound: socket.socket, closing_words: str) -> None:
    host, port = bound.getsockname()[:2]
    print(f"NetaClaw listens on http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)
    if closing_words:
        print(closing_words, flush=True)


def _set_up_logging() -> None:
    """One line an event on standard error, ours and the libraries'."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"], bool_as_flag=False),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(level=logging.WARNING, format="timestamp=%(asctime)s level=%(levelname)s logger=%(name)s event=%(message)r")
