"""Another try for what passes by itself: rate limits, server faults, network. Only while nothing of the reply has been shown."""

from collections.abc import AsyncIterator, Awaitable, Callable

from netaclaw.errors import ProviderBusyError
from netaclaw.providers.base import ModelClient, ModelRequest, StreamEvent
from netaclaw.providers.opened_stream import opened_stream

FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
"""A provider that asks for more is not waited for: the error goes to the user, who may choose another model."""


def with_retries(
    client: ModelClient, sleep: Callable[[float], Awaitable[None]], random: Callable[[], float] | None = None, attempts: int = 3
) -> ModelClient:
    """Return a client that tries `attempts` times in all, waiting 1, 2, 4 ... s or what Retry-After says.

    `random` gives numbers from 0 to 1 and spreads the waits by up to a quarter, so that many sessions do not come back at once.
    """
    return _RetryingClient(client, sleep, random, attempts)


def without_retries(client: ModelClient) -> ModelClient:
    """Return the client beneath, for a caller that has its own tries."""
    return client.bare if isinstance(client, _RetryingClient) else client


class _RetryingClient:
    def __init__(
        self, client: ModelClient, sleep: Callable[[float], Awaitable[None]], random: Callable[[], float] | None, attempts: int
    ) -> None:
        self.bare = client
        self._sleep = sleep
        self._random = random
        self._attempts = attempts

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        """Yield what the client yields."""
        for attempt in range(self._attempts):
            has_begun = False
            try:
                async with opened_stream(self.bare, request) as events:
                    async for event in events:
                        has_begun = True
                        yield event
                return
            except ProviderBusyError as error:
                wait_seconds = self._wait_seconds(attempt, error.retry_after_seconds)
                if has_begun or wait_seconds is None:
                    raise
            await self._sleep(wait_seconds)

    def _wait_seconds(self, attempt: int, asked_seconds: float | None) -> float | None:
        """None: no further try."""
        return None if attempt + 1 >= self._attempts else backoff_seconds(attempt, asked_seconds, self._random)


def backoff_seconds(attempt: int, asked_seconds: float | None, random: Callable[[], float] | None = None) -> float | None:
    """Return how long to wait after try number `attempt` (from 0); None when the provider asks for more than is waited for."""
    if asked_seconds is not None:
        return asked_seconds if asked_seconds <= LONGEST_WAIT_SECONDS else None
    spread = 1 + random() / 4 if random else 1.0
    return min(FIRST_WAIT_SECONDS * 2.0**attempt * spread, LONGEST_WAIT_SECONDS)
