"""A real server that speaks Chat Completions and has a small window. Its text is nonsense, its wire is not."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from netaclaw.app import Parts, Runtime, build_parts, build_runtime, prepare_data
from netaclaw.compaction import message_counter
from netaclaw.compaction.settings import CompactionSettings
from netaclaw.domain.agents import Agent, Channel
from netaclaw.domain.entries import CompactionPayload, Entry, MessagePayload
from netaclaw.domain.events import Delta, RunEnd, SessionEvent
from netaclaw.domain.messages import Message
from netaclaw.errors import ContextOverflowError
from netaclaw.providers.base import Finished, TextDelta
from netaclaw.providers.registry import client_for, close_client
from netaclaw.settings import Settings
from tests.builders import assistant, user
from tests.localmodel.conftest import CONTEXT_TOKENS
from tests.providers.asking import asks, events_of, streamed

pytestmark = pytest.mark.timeout(600)  # one thread reads about 100 tokens a second

LONG = "The invoice of the customer was paid in the wrong currency, so the clerk booked it again. " * 20
COUNT = message_counter(CompactionSettings(counter="o200k"))


async def test_a_reply_is_streamed_piece_by_piece_and_its_usage_arrives(channel: Channel) -> None:
    client = client_for(channel)
    try:
        events = await events_of(client, asks(user("Once upon a time"), tools=(), max_output_tokens=16))
    finally:
        await close_client(client)

    finished = events[-1]
    assert isinstance(finished, Finished)
    assert len([event for event in events if isinstance(event, TextDelta)]) > 3
    assert streamed(events)[0] == finished.message.text
    assert finished.message.usage is not None
    assert finished.message.usage.input_tokens > 5
    assert 3 < finished.message.usage.output_tokens <= 16


async def test_its_refusal_of_a_long_prompt_is_an_overflow_with_both_numbers(channel: Channel) -> None:
    client = client_for(channel)
    try:
        with pytest.raises(ContextOverflowError) as caught:
            await events_of(client, asks(*_talk(15), tools=()))
    finally:
        await close_client(client)

    assert caught.value.limit_tokens == CONTEXT_TOKENS
    assert caught.value.requested_tokens is not None
    assert caught.value.requested_tokens > CONTEXT_TOKENS


async def test_an_overflow_ends_in_a_compaction_by_the_offline_auxiliary_and_an_answer(tmp_path: Path, channel: Channel) -> None:
    async with _server(tmp_path) as (parts, runtime):
        session_id = await _session(parts, channel, _talk(15))

        events = await _ask(runtime, session_id, "And then?")

        session = await parts.sessions.get_session(session_id)
        path = await parts.sessions.read_path(session.active_leaf_id)
        assert [(compaction.trigger, compaction.mode) for compaction in _compactions(path)] == [("overflow", "summary")]
        assert [event.state for event in events if isinstance(event, RunEnd)] == ["done"]
        assert any(event.text for event in events if isinstance(event, Delta))
        assert isinstance(path[-1].payload, MessagePayload)
        assert path[-1].payload.message.usage is not None
        assert path[-1].payload.message.usage.input_tokens < CONTEXT_TOKENS


@asynccontextmanager
async def _server(folder: Path) -> AsyncIterator[tuple[Parts, Runtime]]:
    """The server without its door, as `netaclaw serve` builds it: real clients, real retries, real database."""
    parts = build_parts(Settings(data_dir=folder, database_url=None))
    await prepare_data(parts)
    runtime = build_runtime(parts)
    await runtime.start()
    try:
        yield parts, runtime
    finally:
        await runtime.close()
        await parts.clients.close()
        await parts.engine.dispose()


async def _session(parts: Parts, channel: Channel, messages: list[Message]) -> int:
    stored = await parts.configuration.add_channel(channel)
    offline = next(known for known in await parts.store.channels.list() if known.vendor == "offline")
    agent = Agent(0, "local", "You are helpful.", stored.id, auxiliary_mode="channel", auxiliary_model_channel_id=offline.id)
    session = await parts.sessions.create_session("local", (await parts.store.agents.add(agent)).id)
    leaf_id: int | None = None
    for message in messages:
        leaf_id = (await parts.sessions.append(session.id, leaf_id, MessagePayload(message), COUNT(message))).id
    return session.id


async def _ask(runtime: Runtime, session_id: int, text: str) -> list[SessionEvent]:
    """Send a message and return what is heard until its run has ended."""
    heard: list[SessionEvent] = []
    is_sent = False
    async for event in runtime.subscribe(session_id, None):
        heard.append(event)
        if not is_sent:
            is_sent = True
            await runtime.chat(session_id, text, (), None, "ask")
        if isinstance(event, RunEnd):
            break
    return heard


def _talk(turns: int) -> list[Message]:
    return [message for number in range(turns) for message in (user(f"{number}. {LONG}"), assistant(f"Yes, that was case {number}."))]


def _compactions(path: tuple[Entry, ...]) -> list[CompactionPayload]:
    return [entry.payload for entry in path if isinstance(entry.payload, CompactionPayload)]
