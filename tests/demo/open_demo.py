"""The demo in this process: its services over a data folder, and a browser's way to say something."""

import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

from netaclaw.app import create_app
from netaclaw.demo.making import prepare_demo
from netaclaw.domain.events import RunEnd
from netaclaw.gateway.services import Services
from netaclaw.settings import read_settings

CHINESE_ID, ENGLISH_ID = 1, 2


@asynccontextmanager
async def open_demo(folder: Path) -> AsyncIterator[Services]:
    """Start as `netaclaw demo` does, without the door."""
    app = create_app(read_settings(data_dir=folder))
    async with app.router.lifespan_context(app):
        services: Services = app.state.services
        await prepare_demo(services, lambda: None)
        yield services


async def say(services: Services, session_id: int, text: str) -> list[Any]:
    """Send a message and return what is heard until it is answered."""
    heard: list[Any] = []
    async with aclosing(services.conversations.subscribe(session_id, None)) as events:
        await anext(events)
        await services.conversations.chat(session_id, text, (), None, f"{time.monotonic_ns()}")
        async for event in events:
            heard.append(event)
            if isinstance(event, RunEnd):
                break
    return heard
