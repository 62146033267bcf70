"""Which channel writes the summaries of a session (DESIGN section 7): the agent's, else the system's, else an error."""

from dataclasses import dataclass
from typing import Protocol

from netaclaw.domain.agents import Agent, Channel
from netaclaw.errors import SettingsError, SummarizerError

DICTIONARY_TYPE = "netaclaw"
DEFAULT_AUXILIARY_KEY = "default_auxiliary_channel_id"


class Configuration(Protocol):
    """What is configured: channels and the dictionary."""

    async def find_channel(self, channel_id: int) -> Channel | None:
        """Return a channel with its key in clear, or None."""
        ...

    async def dictionary_value(self, type_key: str, key: str) -> str | None:
        """Return a dictionary item's value, or None."""
        ...


@dataclass(frozen=True, slots=True)
class AuxiliaryChoice:
    """The channel, and whether it is the one that also chats."""

    channel: Channel
    is_chat_channel: bool = False


async def resolve_auxiliary(agent: Agent, chat_channel: Channel | None, configuration: Configuration) -> AuxiliaryChoice:
    """Return the channel for summaries: the agent's own, else the dictionary's default.

    A level that names a channel is final: one that is missing, disabled or not ticked as auxiliary is an error and never falls
    through to the next level. Raises SummarizerError `no_auxiliary_model` or `auxiliary_unavailable`.
    """
    if agent.auxiliary_mode == "same":
        if chat_channel is None:
            raise SummarizerError("auxiliary_unavailable", f"agent '{agent.name}' has no chat channel to summarise with; choose one for it")
        return AuxiliaryChoice(chat_channel, is_chat_channel=True)
    if agent.auxiliary_mode == "channel" or agent.auxiliary_model_channel_id is not None:
        return await _usable(agent.auxiliary_model_channel_id, f"agent '{agent.name}'", configuration)
    named = await configuration.dictionary_value(DICTIONARY_TYPE, DEFAULT_AUXILIARY_KEY)
    if not named or not named.strip().isdigit():
        raise SummarizerError("no_auxiliary_model", "no auxiliary model is configured; set the default one in the system settings")
    return await _usable(int(named), "the system settings", configuration)


async def _usable(channel_id: int | None, named_by: str, configuration: Configuration) -> AuxiliaryChoice:
    try:
        channel = await configuration.find_channel(channel_id) if channel_id is not None else None
    except SettingsError as error:  # its key cannot be opened
        raise SummarizerError("auxiliary_unavailable", str(error)) from error
    if channel is None:
        raise SummarizerError("auxiliary_unavailable", f"the auxiliary channel that {named_by} names does not exist; choose another")
    if not channel.is_enabled:
        raise SummarizerError("auxiliary_unavailable", f"the auxiliary channel '{channel.name}' is disabled; enable it or choose another")
    if not channel.is_auxiliary:
        raise SummarizerError(
            "auxiliary_unavailable", f"the channel '{channel.name}' may not write summaries; tick it as auxiliary or choose another"
        )
    return AuxiliaryChoice(channel)
