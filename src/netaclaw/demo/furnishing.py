"""The demo's agent: the offline model with a small window, and NetaClaw's own source as its workspace."""

from dataclasses import replace
from pathlib import Path

from netaclaw.domain.agents import Agent, Channel
from netaclaw.gateway.services import Services

SOURCE = Path(__file__).resolve().parent.parent
"""The installed package: what the agent reads."""
WINDOW_TOKENS = 16_000
"""Small, so that the conversations are made in seconds and read in minutes."""

_CHANNEL = Channel(id=0, name="Offline (demo, small window)", vendor="offline", model="offline", window_tokens=WINDOW_TOKENS)


async def furnish(services: Services) -> Agent:
    """Give the first agent its channel and workspace, and return it. One that the user has changed stays as it is."""
    agents = await services.store.agents.list()
    if not agents:
        return await services.store.agents.add(Agent(id=0, name="NetaClaw", workspace=str(SOURCE)))
    agent = agents[0]
    if agent.workspace is None:
        channel = await services.configuration.add_channel(_CHANNEL)
        return await services.store.agents.update(replace(agent, channel_id=channel.id, workspace=str(SOURCE)))
    if not Path(agent.workspace).is_dir():  # NetaClaw was installed elsewhere since
        return await services.store.agents.update(replace(agent, workspace=str(SOURCE)))
    return agent
