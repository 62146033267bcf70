"""The demo's agent: the offline model with a small window, and NetaClaw's own source as its workspace."""

import os
from dataclasses import replace
from pathlib import Path

from netaclaw.domain.agents import Agent, Channel
from netaclaw.gateway.services import Services

SOURCE = Path(__file__).resolve().parent.parent
"""The installed package: what the agent reads."""
_SOURCE_ENDING = f"{os.sep}{SOURCE.name}"
WINDOW_TOKENS = 16_000
"""Small, so that the conversations are made in seconds and read in minutes."""

_CHANNEL = Channel(id=0, name="Offline (demo, small window)", vendor="offline", model="offline", window_tokens=WINDOW_TOKENS)


async def furnish(services: Services) -> Agent:
    """Give the first agent the demo's channel and workspace, and return it; called while the conversations are still to be made."""
    known = next((channel for channel in await services.store.channels.list() if channel.name == _CHANNEL.name), None)
    channel = known or await services.configuration.add_channel(_CHANNEL)
    agents = await services.store.agents.list()
    agent = agents[0] if agents else await services.store.agents.add(Agent(id=0, name="NetaClaw"))
    return await services.store.agents.update(replace(agent, channel_id=channel.id, workspace=str(SOURCE)))


async def find_source_again(services: Services) -> None:
    """Agents that read NetaClaw's source find it where it is installed now. All else that the user has changed stays."""
    for agent in await services.store.agents.list():
        if agent.workspace and agent.workspace.endswith(_SOURCE_ENDING) and not Path(agent.workspace).is_dir():
            await services.store.agents.update(replace(agent, workspace=str(SOURCE)))
