"""A stream that is closed for certain: a consumer that leaves early must not leave the connection to the garbage collector."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from netaclaw.providers.base import ModelClient, ModelRequest, StreamEvent


@asynccontextmanager
async def opened_stream(client: ModelClient, request: ModelRequest) -> AsyncIterator[AsyncIterator[StreamEvent]]:
    """Open a stream for `async with`; leaving the block, for whatever reason, closes the connection to the provider."""
    events = client.stream(request)
    try:
        yield events
    finally:
        close = getattr(events, "aclose", None)  # generators have it, the protocol does not ask for it
        if close is not None:
            await close()
