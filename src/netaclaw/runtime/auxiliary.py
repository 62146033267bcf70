"""Which channel writes the summaries of a session (DESIGN section 7): the agent's, else the system's, else an error."""

from dataclasses import dataclass
from typing import Protocol

from netaclaw.compaction.settings import Language
from netaclaw.domain.agents import Agent, Channel
from netaclaw.errors import SettingsError, SummarizerError
from netaclaw.runtime import compaction_words as words

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


async def resolve_auxiliary(
    agent: Agent, chat_channel: Channel | None, configuration: Configuration, language: Language = "en"
) -> AuxiliaryChoice:
    """Return the channel for summaries: the agent's own, else the dictionary's default.

    A level that names a channel is final: one that is missing, disabled or not ticked as auxiliary is an error and never falls
    through to the next level. Raises SummarizerError `no_auxiliary_model` or `auxiliary_unavailable`, in the given language.
    """
    if agent.auxiliary_mode == "same":
        if chat_channel is None:
            raise SummarizerError("auxiliary_unavailable", words.no_chat_channel(agent, language))
        return AuxiliaryChoice(chat_channel, is_chat_channel=True)
    if agent.auxiliary_mode == "channel" or agent.auxiliary_model_channel_id is not None:
        return await _usable(agent.auxiliary_model_channel_id, words.in_settings_of(agent), configuration, language)
    named = await configuration.dictionary_value(DICTIONARY_TYPE, DEFAULT_AUXILIARY_KEY)
    if not named or not named.strip().isdigit():
        raise SummarizerError("no_auxiliary_model", words.NO_AUXILIARY[language])
    return await _usable(int(named), words.IN_SYSTEM_SETTINGS, configuration, language)


async def _usable(channel_id: int | None, place: words.Sentence, configuration: Configuration, language: Language) -> AuxiliaryChoice:
    try:
        channel = await configuration.find_channel(channel_id) if channel_id is not None else None
    except SettingsError as error:  # its key cannot be opened
        raise SummarizerError("auxiliary_unavailable", str(error)) from error
    if channel is None:
        raise SummarizerError("auxiliary_unavailable", words.missing_channel(place, language))
    if not channel.is_enabled:
        raise SummarizerError("auxiliary_unavailable", words.disabled_channel(channel, place, language))
    if not channel.is_auxiliary:
        raise SummarizerError("auxiliary_unavailable", words.unticked_channel(channel, place, language))
    return AuxiliaryChoice(channel)
