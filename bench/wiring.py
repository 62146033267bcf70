"""The server's parts over a data folder of a benchmark, with a scripted model."""

from datetime import UTC, datetime
from pathlib import Path

from netaclaw.app import Parts, build_parts
from netaclaw.domain.agents import Agent, Channel
from netaclaw.providers.scripted import ScriptedProvider, Step
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.sessions import CalibrationStore, CompactionStateStore, QueueStore, RunStore
from netaclaw.settings import Settings

_WINDOW_TOKENS = 128_000


def bench_settings(folder: Path) -> Settings:
    """Return settings that take the database of this folder, whatever the environment says."""
    return Settings(data_dir=folder, database_url=None, port=0)


def open_parts(folder: Path) -> Parts:
    """Open the data folder."""
    return build_parts(bench_settings(folder))


async def add_agent(parts: Parts) -> int:
    """Add an agent with a channel and return its id."""
    channel = await parts.configuration.add_channel(Channel(0, "bench", "scripted", "scripted", window_tokens=_WINDOW_TOKENS))
    return (await parts.store.agents.add(Agent(0, "bench", "You are a careful engineer.", channel.id, tools=("read_file", "todo")))).id


def runtime_parts(parts: Parts, script: tuple[Step, ...] = ()) -> RuntimeParts:
    """Return what the runtime is built from; its model plays the script."""
    provider = ScriptedProvider(script)
    return RuntimeParts(
        sessions=parts.sessions,
        runs=RunStore(parts.engine, _now),
        queue=QueueStore(parts.engine, _now),
        states=CompactionStateStore(parts.engine),
        calibrations=CalibrationStore(parts.engine),
        configuration=parts.configuration,
        open_client=lambda _: provider,
        meter=parts.metrics,
        clock=_now,
    )


def _now() -> datetime:
    return datetime.now(UTC)
