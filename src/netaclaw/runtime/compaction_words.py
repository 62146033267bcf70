"""What people are told of a compaction that changed nothing, in the language of the conversation."""

from collections.abc import Mapping
from types import MappingProxyType

from netaclaw.compaction.settings import Language
from netaclaw.domain.agents import Agent, Channel

Sentence = Mapping[Language, str]


def _said(zh: str, en: str) -> Sentence:
    return MappingProxyType({"zh": zh, "en": en})


NOTHING_TO_COMPACT = _said("没有可以压缩的内容：开头和结尾之间没有消息", "nothing lies between the protected start and the recent tail")
CANCELLED = _said("压缩已取消，对话没有任何改动", "the compaction was cancelled; nothing was changed")
UNEXPECTED = _said("压缩意外失败，对话没有任何改动", "the compaction failed unexpectedly; nothing was changed")
STALE = _said("压缩期间对话有了变化，没有写入任何内容", "the conversation changed while it was being compacted; nothing was written")
NO_AUXILIARY = _said(
    "未配置辅助模型：请在系统设置中选择默认辅助模型", "no auxiliary model is configured; set the default one in the system settings"
)
_NOT_STORED = _said("{error}；对话没有任何改动", "{error}; nothing was changed")
_NO_CHAT_CHANNEL = _said(
    "智能体“{agent}”没有可以用来写摘要的模型渠道：请在智能体设置中为它选择",
    "agent '{agent}' has no chat channel to summarise with; choose one for it",
)
_MISSING = _said(
    "{place}中指定的辅助模型渠道已不存在：请在{place}中另选一个",
    "the auxiliary channel named in {place} does not exist; choose another one there",
)
_DISABLED = _said(
    "辅助模型渠道“{channel}”已停用：请启用它，或在{place}中另选一个",
    "the auxiliary channel '{channel}' is disabled; enable it, or choose another one in {place}",
)
_NOT_TICKED = _said(
    "渠道“{channel}”未勾选“可作为辅助模型”：请勾选它，或在{place}中另选一个",
    "the channel '{channel}' may not write summaries; tick it as auxiliary, or choose another one in {place}",
)
IN_SYSTEM_SETTINGS = _said("系统设置", "the system settings")
_IN_AGENT_SETTINGS = _said("智能体“{agent}”的设置", "the settings of agent '{agent}'")


def in_settings_of(agent: Agent) -> Sentence:
    """Return the place where the agent's own auxiliary channel is chosen."""
    return _filled(_IN_AGENT_SETTINGS, agent=agent.name)


def not_stored(error: Exception, language: Language) -> str:
    """Return what is said where the database refused."""
    return _NOT_STORED[language].format(error=error)


def no_chat_channel(agent: Agent, language: Language) -> str:
    """Return what is said where the chat channel should write the summary and there is none."""
    return _NO_CHAT_CHANNEL[language].format(agent=agent.name)


def missing_channel(place: Sentence, language: Language) -> str:
    """Return what is said where the named channel was deleted."""
    return _MISSING[language].format(place=place[language])


def disabled_channel(channel: Channel, place: Sentence, language: Language) -> str:
    """Return what is said where the named channel is switched off."""
    return _DISABLED[language].format(channel=channel.name, place=place[language])


def unticked_channel(channel: Channel, place: Sentence, language: Language) -> str:
    """Return what is said where the named channel may not write summaries."""
    return _NOT_TICKED[language].format(channel=channel.name, place=place[language])


def _filled(sentence: Sentence, **values: str) -> Sentence:
    return MappingProxyType({language: text.format(**values) for language, text in sentence.items()})
