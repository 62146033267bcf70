"""What a user configures, in one place: agents, channels, dictionary."""

from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.sessions.agent_store import AgentStore
from netaclaw.sessions.channel_store import ChannelStore
from netaclaw.sessions.dictionary_store import DictionaryStore


class ConfigStore:
    """The three stores of the configuration."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.agents = AgentStore(engine)
        self.channels = ChannelStore(engine)
        self.dictionary = DictionaryStore(engine)
