"""What the runtime reads of the configuration: channels with their keys in clear, agents, the dictionary.

Keys are sealed and unsealed here only.
"""

from dataclasses import replace

from netaclaw.domain.agents import Agent, Channel
from netaclaw.errors import NotFoundError
from netaclaw.security import KeySeal
from netaclaw.sessions import ConfigStore


class StoredConfiguration:
    """The configuration in the database, opened with the master key."""

    def __init__(self, store: ConfigStore, seal: KeySeal) -> None:
        self._store = store
        self._seal = seal

    async def find_channel(self, channel_id: int) -> Channel | None:
        """Return a channel with its key in clear, or None. Raises SettingsError where the key cannot be decrypted."""
        try:
            channel = await self._store.channels.get(channel_id)
            sealed = await self._store.channels.encrypted_key(channel_id)
        except NotFoundError:
            return None
        return channel if sealed is None else replace(channel, api_key=self._seal.unseal(channel_id, sealed))

    async def find_agent(self, agent_id: int) -> Agent | None:
        """Return an agent, or None."""
        try:
            return await self._store.agents.get(agent_id)
        except NotFoundError:
            return None

    async def dictionary_value(self, type_key: str, key: str) -> str | None:
        """Return a dictionary item's value, or None."""
        return await self._store.dictionary.get(type_key, key)

    async def add_channel(self, channel: Channel) -> Channel:
        """Store a new channel and its key; return it with the id that it was given, without the key."""
        added = await self._store.channels.add(channel)
        if channel.api_key:
            await self.set_key(added.id, channel.api_key)
        return added

    async def set_key(self, channel_id: int, api_key: str | None) -> None:
        """Replace the key of a channel, None for no key. Raises NotFoundError."""
        await self._store.channels.set_encrypted_key(channel_id, self._seal.seal(channel_id, api_key) if api_key else None)
