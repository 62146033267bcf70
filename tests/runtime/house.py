"""A whole runtime over a real database, with scripted models: what tests of a conversation stand on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from netaclaw.app import Parts, build_parts, prepare_data
from netaclaw.domain.agents import Agent, Channel
from netaclaw.domain.entries import Entry
from netaclaw.domain.events import SessionEvent
from netaclaw.providers.auxiliary import Patience
from netaclaw.providers.base import ModelClient
from netaclaw.providers.scripted import ScriptedProvider, Step
from netaclaw.runtime.orchestrator import Orchestrator
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.sessions import CalibrationStore, CompactionStateStore, QueueStore, RunStore
from netaclaw.settings import Settings

SUMMARY = "## 目标\n把结算服务迁移到新的数据库，保留旧接口，订单 ZX-4417 先处理。" * 12


@dataclass
class House:
    """One session with its agent, a chat model and an auxiliary model that play their scripts."""

    parts: Parts
    runtime_parts: RuntimeParts
    runtime: Orchestrator
    chat: ScriptedProvider
    auxiliary: ScriptedProvider
    session_id: int
    agent: Agent
    chat_channel: Channel
    auxiliary_channel: Channel
    events: list[SessionEvent] = field(default_factory=list)
    asked: int = 0

    async def say(self, text: str) -> None:
        """Send a message and wait until the session is idle again."""
        self.asked += 1
        await self.runtime.chat(self.session_id, text, (), None, f"{id(self)}-{self.asked}")
        await self.idle()

    async def compact(self, focus: str | None = None) -> None:
        """Compact by hand and wait for the end."""
        self.asked += 1
        await self.runtime.compact(self.session_id, focus, None, f"{id(self)}-{self.asked}")
        await self.idle()

    async def idle(self) -> None:
        """Wait until nothing runs in the session."""
        for _ in range(1_000):
            await asyncio.sleep(0.02)
            if (await self.runtime.snapshot(self.session_id)).state == "idle":
                await asyncio.sleep(0.005)
                return
        raise AssertionError("the session never came to rest")

    async def path(self) -> tuple[Entry, ...]:
        """Return the active path."""
        session = await self.parts.sessions.get_session(self.session_id)
        return await self.parts.sessions.read_path(session.active_leaf_id)

    async def set_agent(self, **changes: object) -> None:
        """Change the agent."""
        self.agent = replace(self.agent, **changes)  # type: ignore[arg-type]
        await self.parts.store.agents.update(self.agent)

    def types(self, *kinds: str) -> list[str]:
        """Return the types of the events so far, of these kinds only."""
        return [event.type for event in self.events if not kinds or event.type in kinds]


@asynccontextmanager
async def open_house(
    folder: Path,
    chat: list[Step],
    auxiliary: list[Step] | None = None,
    window_tokens: int | None = 8_000,
    summary_seconds: float = 20.0,
) -> AsyncIterator[House]:
    """Open a house over a data folder. An existing one is reopened with its first session."""
    parts = build_parts(Settings(data_dir=folder))
    await prepare_data(parts)
    chat_client, auxiliary_client = ScriptedProvider(chat), ScriptedProvider(auxiliary or [])
    chat_channel, auxiliary_channel, agent, session_id = await _furnish(parts, window_tokens)

    def open_client(channel: Channel) -> ModelClient:
        return auxiliary_client if channel.id == auxiliary_channel.id else chat_client

    runtime_parts = RuntimeParts(
        sessions=parts.sessions,
        runs=RunStore(parts.engine, _now),
        queue=QueueStore(parts.engine, _now),
        states=CompactionStateStore(parts.engine),
        calibrations=CalibrationStore(parts.engine),
        configuration=parts.configuration,
        open_client=open_client,
        meter=parts.metrics,
        clock=_now,
        patience=Patience(timeout_seconds=summary_seconds, sleep=_no_wait),
    )
    runtime = Orchestrator(runtime_parts)
    house = House(parts, runtime_parts, runtime, chat_client, auxiliary_client, session_id, agent, chat_channel, auxiliary_channel)
    listener = asyncio.create_task(_listen(house))
    await asyncio.sleep(0)
    await runtime.start()
    try:
        yield house
    finally:
        await runtime.close()
        listener.cancel()
        await asyncio.gather(listener, return_exceptions=True)
        await parts.engine.dispose()


async def _furnish(parts: Parts, window_tokens: int | None) -> tuple[Channel, Channel, Agent, int]:
    sessions = await parts.sessions.list_sessions()
    channels = {channel.name: channel for channel in await parts.store.channels.list()}
    if sessions and "chat" in channels:
        agents = {agent.name: agent for agent in await parts.store.agents.list()}
        return channels["chat"], channels["auxiliary"], agents["tester"], sessions[0].id
    scripted = Channel(0, "chat", "scripted", "scripted", window_tokens=window_tokens, max_output_tokens=500)
    chat = await parts.configuration.add_channel(scripted)
    writer = replace(scripted, name="auxiliary", window_tokens=100_000, is_auxiliary=True)
    auxiliary = await parts.configuration.add_channel(writer)
    agent = await parts.store.agents.add(
        Agent(0, "tester", "You are a tester.", chat.id, auxiliary_model_channel_id=auxiliary.id, auxiliary_mode="channel")
    )
    session = await parts.sessions.create_session("test", agent.id)
    return chat, auxiliary, agent, session.id


async def _listen(house: House) -> None:
    with house.runtime_parts.hub.subscription(house.session_id) as events:
        async for event in events:
            house.events.append(event)


def _now() -> datetime:
    return datetime.now(UTC)


async def _no_wait(seconds: float) -> None:
    assert seconds >= 0
