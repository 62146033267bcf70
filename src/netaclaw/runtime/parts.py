"""What the runtime is built from; `app.py` puts it together, tests put in a scripted client and a clock of their own."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from netaclaw.domain.agents import Agent, Channel
from netaclaw.providers.auxiliary import Patience
from netaclaw.providers.base import ModelClient
from netaclaw.runtime.event_hub import EventHub
from netaclaw.sessions import CalibrationStore, CompactionStateStore, QueueStore, RunStore, SessionStore


class Configuration(Protocol):
    """What is configured: agents, channels with their keys in clear, the dictionary."""

    async def find_channel(self, channel_id: int) -> Channel | None:
        """Return a channel, or None."""
        ...

    async def find_agent(self, agent_id: int) -> Agent | None:
        """Return an agent, or None."""
        ...

    async def dictionary_value(self, type_key: str, key: str) -> str | None:
        """Return a dictionary item's value, or None."""
        ...


class Meter(Protocol):
    """Where figures are counted."""

    def run_started(self) -> None:
        """Count a run that begins."""
        ...

    def run_ended(self, state: str) -> None:
        """Count a run that ended."""
        ...

    def compaction_ended(self, trigger: str, outcome: str, tokens_saved: int, duration_seconds: float) -> None:
        """Count a compaction that ended."""
        ...


@dataclass(frozen=True, slots=True)
class RuntimeParts:
    """Stores, configuration, events and access to models."""

    sessions: SessionStore
    runs: RunStore
    queue: QueueStore
    states: CompactionStateStore
    calibrations: CalibrationStore
    configuration: Configuration
    open_client: Callable[[Channel], ModelClient]
    """Returns a client with its retries. Raises a ProviderError for a channel that cannot be used."""
    meter: Meter
    clock: Callable[[], datetime]
    patience: Patience = field(default_factory=Patience)
    """How long a summary is waited for."""
    hub: EventHub = field(default_factory=EventHub)
