"""What is configured and learned: agents, channels, dictionary, compaction state, calibration."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.domain.agents import Agent, Channel
from netaclaw.domain.entries import Session
from netaclaw.errors import NotFoundError, StoreError
from netaclaw.sessions import Calibration, CalibrationStore, CompactionState, CompactionStateStore, ConfigStore


@pytest.fixture
def config(engine: AsyncEngine) -> ConfigStore:
    return ConfigStore(engine)


async def test_an_agent_is_stored_with_every_field(config: ConfigStore) -> None:
    agent = Agent(0, "helper", "Be brief", 1, "high", ("read_file", "todo"), 2, "channel", "lossy", 55, 4, False, True, "folder", 9)
    stored = await config.agents.add(agent)
    assert stored == replace(agent, id=stored.id)
    changed = replace(stored, tools=(), auxiliary_mode="inherit", compaction_threshold_percent=None)
    assert await config.agents.update(changed) == changed
    assert await config.agents.list() == (await config.agents.get(stored.id),) == (changed,)
    await config.agents.delete(stored.id)
    for gone in (config.agents.get(stored.id), config.agents.delete(stored.id), config.agents.update(changed)):
        with pytest.raises(NotFoundError, match=f"There is no agent {stored.id}"):
            await gone


async def test_a_channel_never_carries_its_key(config: ConfigStore) -> None:
    channel = Channel(0, "main", "anthropic", "claude", "http://localhost", "secret", 200_000, 8_000, True, True)
    stored = await config.channels.add(channel)
    assert stored == replace(channel, id=stored.id, api_key=None)
    assert await config.channels.encrypted_key(stored.id) is None
    await config.channels.set_encrypted_key(stored.id, b"\x00\x01cipher")
    changed = await config.channels.update(replace(stored, is_enabled=False))
    assert (changed.is_enabled, changed.api_key) == (False, None)
    assert await config.channels.encrypted_key(stored.id) == b"\x00\x01cipher"
    assert await config.channels.ids_with_key() == {stored.id}
    assert await config.channels.list() == (changed,)


async def test_a_deleted_channel_is_named_and_its_id_never_used_again(config: ConfigStore) -> None:
    stored = await config.channels.add(Channel(0, "main", "openai", "gpt"))
    agent = await config.agents.add(Agent(0, "helper", auxiliary_model_channel_id=stored.id))
    await config.channels.delete(stored.id)
    assert (await config.agents.get(agent.id)).auxiliary_model_channel_id == stored.id
    with pytest.raises(NotFoundError, match=f"There is no channel {stored.id}"):
        await config.channels.get(stored.id)
    assert (await config.channels.add(Channel(0, "next", "openai", "gpt"))).id > stored.id


async def test_the_dictionary_has_the_type_of_this_project_from_the_start(config: ConfigStore) -> None:
    assert await config.dictionary.types() == {"netaclaw": "NetaClaw配置"}
    await config.dictionary.set("netaclaw", "default_auxiliary_channel_id", "1")
    await config.dictionary.set("netaclaw", "default_auxiliary_channel_id", "2")
    assert await config.dictionary.items("netaclaw") == {"default_auxiliary_channel_id": "2"}
    await config.dictionary.set("netaclaw", "default_auxiliary_channel_id", None)
    assert await config.dictionary.get("netaclaw", "default_auxiliary_channel_id") is None


async def test_a_dictionary_item_needs_its_type(config: ConfigStore) -> None:
    with pytest.raises(NotFoundError, match="no dictionary type 'other'"):
        await config.dictionary.set("other", "key", "value")
    await config.dictionary.add_type("other", "Other")
    await config.dictionary.set("other", "key", "value")
    assert await config.dictionary.get("other", "key") == "value"


async def test_the_compaction_state_starts_fresh_and_is_remembered(engine: AsyncEngine, session: Session) -> None:
    states = CompactionStateStore(engine)
    assert await states.get(session.id) == CompactionState(session.id)
    until = datetime(2026, 1, 1, 20, tzinfo=timezone(timedelta(hours=8)))
    state = CompactionState(session.id, 2, 3, until, "ineffective", True, False)
    await states.put(replace(state, strikes=1))
    await states.put(state)
    read = await states.get(session.id)
    assert read == state
    assert read.cooldown_until is not None
    assert read.cooldown_until.tzinfo is UTC
    with pytest.raises(StoreError):
        await states.put(CompactionState(99))


async def test_a_calibration_belongs_to_a_channel(engine: AsyncEngine, config: ConfigStore) -> None:
    calibrations = CalibrationStore(engine)
    channel = await config.channels.add(Channel(0, "main", "openai", "gpt"))
    assert await calibrations.get(channel.id) is None
    learned = Calibration(channel.id, 1.25, 7, 128_000)
    await calibrations.put(replace(learned, samples=6))
    await calibrations.put(learned)
    assert await calibrations.get(channel.id) == learned
    await calibrations.forget(channel.id)
    assert await calibrations.get(channel.id) is None
    with pytest.raises(StoreError):
        await calibrations.put(Calibration(99, 1.0))
