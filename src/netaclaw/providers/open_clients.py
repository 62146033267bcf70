"""The clients in use: one for each channel, so that connections are kept from request to request."""

import asyncio
import random

from netaclaw.domain.agents import Channel
from netaclaw.providers.base import ModelClient
from netaclaw.providers.registry import client_for, close_client
from netaclaw.providers.retry import with_retries


class OpenClients:
    """Opens a client when a channel is first asked, and another one when the channel has changed."""

    def __init__(self) -> None:
        self._bare: dict[Channel, ModelClient] = {}

    def client(self, channel: Channel) -> ModelClient:
        """Return the channel's client with its retries. Raises a ProviderError for a channel that cannot be used."""
        if channel not in self._bare:
            self._bare[channel] = client_for(channel)
        return with_retries(self._bare[channel], asyncio.sleep, random.random)

    async def close(self) -> None:
        """Close all connections; those of changed channels stay open until then, since a reply may still come over them."""
        clients, self._bare = list(self._bare.values()), {}
        for client in clients:
            await close_client(client)
