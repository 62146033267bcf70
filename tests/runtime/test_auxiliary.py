"""Which channel writes summaries: the spec's unit test 3 (section 11), three paths of resolution and their faults."""

from dataclasses import dataclass, field, replace

import pytest

from netaclaw.domain.agents import Agent, Channel
from netaclaw.errors import SummarizerError
from netaclaw.runtime.auxiliary import AuxiliaryChoice, resolve_auxiliary

CHAT = Channel(1, "chat", "openai", "gpt-x")
OWN = Channel(2, "own", "deepseek", "deepseek-x", is_auxiliary=True)
DEFAULT = Channel(3, "default", "offline", "offline", is_auxiliary=True)
AGENT = Agent(1, "coder", channel_id=1)


@dataclass
class Configured:
    """A configuration in memory."""

    channels: tuple[Channel, ...] = (CHAT, OWN, DEFAULT)
    items: dict[tuple[str, str], str] = field(default_factory=lambda: {("netaclaw", "default_auxiliary_channel_id"): "3"})

    async def find_channel(self, channel_id: int) -> Channel | None:
        return next((channel for channel in self.channels if channel.id == channel_id), None)

    async def dictionary_value(self, type_key: str, key: str) -> str | None:
        return self.items.get((type_key, key))


async def test_unit_3_the_agents_own_channel_comes_first() -> None:
    agent = replace(AGENT, auxiliary_mode="channel", auxiliary_model_channel_id=2)

    assert await resolve_auxiliary(agent, CHAT, Configured()) == AuxiliaryChoice(OWN)


async def test_unit_3_the_dictionarys_default_comes_second() -> None:
    assert await resolve_auxiliary(AGENT, CHAT, Configured()) == AuxiliaryChoice(DEFAULT)


@pytest.mark.parametrize("items", [{}, {("netaclaw", "default_auxiliary_channel_id"): ""}])
async def test_unit_3_without_either_it_is_an_error_that_says_where_to_set_it(items: dict[tuple[str, str], str]) -> None:
    with pytest.raises(SummarizerError, match="system settings") as caught:
        await resolve_auxiliary(AGENT, CHAT, Configured(items=items))
    assert caught.value.reason == "no_auxiliary_model"


async def test_the_same_as_the_chat_model_is_a_choice_of_its_own() -> None:
    assert await resolve_auxiliary(replace(AGENT, auxiliary_mode="same"), CHAT, Configured()) == AuxiliaryChoice(CHAT, is_chat_channel=True)


@pytest.mark.parametrize(
    "channels",
    [(CHAT, DEFAULT), (CHAT, replace(OWN, is_enabled=False), DEFAULT), (CHAT, replace(OWN, is_auxiliary=False), DEFAULT)],
    ids=["missing", "disabled", "not ticked"],
)
async def test_a_named_channel_that_cannot_be_used_never_falls_through(channels: tuple[Channel, ...]) -> None:
    agent = replace(AGENT, auxiliary_mode="channel", auxiliary_model_channel_id=2)
    with pytest.raises(SummarizerError, match="in the settings of agent 'coder'") as caught:
        await resolve_auxiliary(agent, CHAT, Configured(channels))
    assert caught.value.reason == "auxiliary_unavailable"


@pytest.mark.parametrize(
    ("agent", "chat", "channels", "said"),
    [
        (AGENT, CHAT, (CHAT,), "系统设置中指定的辅助模型渠道已不存在：请在系统设置中另选一个"),
        (AGENT, CHAT, (replace(DEFAULT, is_enabled=False),), "辅助模型渠道“default”已停用：请启用它，或在系统设置中另选一个"),
        (
            replace(AGENT, auxiliary_mode="channel", auxiliary_model_channel_id=2),
            CHAT,
            (replace(OWN, is_auxiliary=False),),
            "渠道“own”未勾选“可作为辅助模型”：请勾选它，或在智能体“coder”的设置中另选一个",
        ),
        (replace(AGENT, auxiliary_mode="same"), None, (), "智能体“coder”没有可以用来写摘要的模型渠道：请在智能体设置中为它选择"),
    ],
)
async def test_a_chinese_conversation_is_told_in_chinese_what_to_do(
    agent: Agent, chat: Channel | None, channels: tuple[Channel, ...], said: str
) -> None:
    with pytest.raises(SummarizerError) as caught:
        await resolve_auxiliary(agent, chat, Configured(channels), "zh")
    assert str(caught.value) == said
