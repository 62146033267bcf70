"""One session as it stands now: its context, how large that is, and where compaction starts. Read anew before every decision."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from netaclaw.agent.tool_calls import tool_specs
from netaclaw.compaction import CompactionSettings, detect_language, message_counter
from netaclaw.compaction.settings import Language
from netaclaw.compaction.tokens import count_o200k
from netaclaw.context.budget import (
    ContextSize,
    Threshold,
    estimated_tokens,
    margin_of,
    reserve_of,
    size_of,
    starting_factor,
    threshold_of,
)
from netaclaw.context.builder import Context, build_context
from netaclaw.context.system_prompt import system_prompt
from netaclaw.domain.agents import Agent, Channel
from netaclaw.domain.entries import CompactionPayload, MessagePayload, Session, TodoPayload
from netaclaw.domain.events import ThresholdLimit
from netaclaw.errors import SettingsError
from netaclaw.providers.base import ToolSpec
from netaclaw.providers.known_models import known_model
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.sessions import CompactionState, ContextRead
from netaclaw.tools.base import Tool
from netaclaw.tools.registry import tools_of

DEFAULT_THRESHOLD_PERCENT = 70
DEFAULT_PROTECT_FIRST_N = 3
COUNT = message_counter(CompactionSettings(counter="o200k"))
"""The server's counter: exact BPE; known counts of entries are used as they are."""

_NO_AGENT = Agent(id=0, name="default", tools=("list_files", "read_file", "search_files", "todo", "recall"))


@dataclass(frozen=True, slots=True)
class SessionView:
    """What one decision about a session is made from."""

    session: Session
    agent: Agent
    channel: Channel | None
    """The channel that answers; None where none is configured or it cannot be opened."""
    channel_fault: str | None
    """Why it cannot be opened."""
    read: ContextRead
    context: Context
    language: Language
    sections: tuple[str, ...]
    """The system prompt."""
    tools: dict[str, Tool]
    specs: tuple[ToolSpec, ...]
    factor: float
    """Tokens that the channel bills for one token of ours."""
    size: ContextSize
    threshold: Threshold
    estimate_tokens: int
    """The estimate of everything, without the factor."""
    state: CompactionState

    @property
    def threshold_percent(self) -> int:
        """The configured threshold."""
        return self.agent.compaction_threshold_percent or DEFAULT_THRESHOLD_PERCENT

    @property
    def threshold_limited_by(self) -> ThresholdLimit | None:
        """What keeps the threshold under the configured share of the channel's window; None where nothing does."""
        if self.threshold.window_tokens < (window_of(self.channel) or 0):
            return "learned"
        share = int(self.threshold_percent * self.threshold.window_tokens / 100)
        return "reserve" if self.threshold.tokens < share else None

    @property
    def is_auto(self) -> bool:
        """Whether automatic compaction is on: the session's own switch, else the agent's."""
        return self.agent.is_auto_compaction if self.state.is_auto_compaction is None else self.state.is_auto_compaction

    @property
    def is_over(self) -> bool:
        """Whether the context has reached the threshold."""
        return self.size.used_tokens >= self.threshold.tokens

    @property
    def fixed_tokens(self) -> int:
        """System prompt and tools, in the channel's tokens: what no compaction can make smaller."""
        return self.size.breakdown["system"] + self.size.breakdown["tools"]

    @property
    def window_is_known(self) -> bool:
        """Whether the window is the channel's, not an assumption."""
        return not self.threshold.is_window_assumed


async def load_view(parts: RuntimeParts, session_id: int) -> SessionView:
    """Read a session. Raises NotFoundError for an unknown one."""
    session = await parts.sessions.get_session(session_id)
    agent = (await parts.configuration.find_agent(session.agent_id) if session.agent_id else None) or _NO_AGENT
    channel, channel_fault = await _channel_of(parts, agent)
    read = await parts.sessions.read_context(session_id, session.active_leaf_id)
    language = language_of(read)
    context = build_context(read, language=language)
    tools = dict(tools_of(agent.tools))
    specs = tuple(tool_specs(tools))
    sections = system_prompt(agent.prompt, list(tools), language)
    calibration = await parts.calibrations.get(channel.id) if channel else None
    factor = calibration.factor if calibration else starting_factor(channel.vendor, channel.model) if channel else 1.0
    system_tokens, tool_tokens = sum(map(_counted, sections)), _counted(_specs_text(specs))
    return SessionView(
        session=session,
        agent=agent,
        channel=channel,
        channel_fault=channel_fault,
        read=read,
        context=context,
        language=language,
        sections=sections,
        tools=tools,
        specs=specs,
        factor=factor,
        size=size_of(context, system_tokens, tool_tokens, factor, COUNT),
        threshold=_threshold(agent, channel, calibration.learned_limit if calibration else None),
        estimate_tokens=estimated_tokens(context, system_tokens, tool_tokens, COUNT),
        state=await parts.states.get(session_id),
    )


async def _channel_of(parts: RuntimeParts, agent: Agent) -> tuple[Channel | None, str | None]:
    """A key that cannot be opened must not make the session unreadable: only a run needs it."""
    try:
        return (await parts.configuration.find_channel(agent.channel_id) if agent.channel_id else None), None
    except SettingsError as error:
        return None, str(error)


def language_of(read: ContextRead) -> Language:
    """Return the language of the context's fixed texts. It never changes while the context only grows, so earlier bytes stay."""
    if read.governing is not None and isinstance(read.governing.payload, CompactionPayload):
        return read.governing.payload.language
    said = (entry.payload.message for entry in read.entries if isinstance(entry.payload, MessagePayload))
    first = next((message for message in said if message.is_human_request), None)
    return detect_language([first]) if first else "en"


def todo_of(view: SessionView) -> tuple[Mapping[str, Any], ...]:
    """Return the newest todo list of the context, or the one that the governing compaction carries."""
    for entry in reversed(view.read.entries):
        if isinstance(entry.payload, TodoPayload):
            return entry.payload.items
    governing = view.read.governing
    kept = governing.payload.state.get("todo") if governing and isinstance(governing.payload, CompactionPayload) else None
    return tuple(kept) if isinstance(kept, list | tuple) else ()


def window_of(channel: Channel | None) -> int | None:
    """Return a channel's window: as configured, else as known of its model, else None."""
    if channel is None:
        return None
    known = known_model(channel.model)
    return channel.window_tokens or (known.window_tokens if known else None)


def max_output_of(channel: Channel | None) -> int | None:
    """Return the longest reply of a channel, None where it is unknown."""
    if channel is None:
        return None
    known = known_model(channel.model)
    return channel.max_output_tokens or (known.max_output_tokens if known else None)


def _threshold(agent: Agent, channel: Channel | None, learned_limit: int | None) -> Threshold:
    window = window_of(channel)
    if learned_limit:
        window = min(window or learned_limit, learned_limit)
    percent = agent.compaction_threshold_percent or DEFAULT_THRESHOLD_PERCENT
    base = threshold_of(window, percent)
    reserve = reserve_of(base.window_tokens, max_output_of(channel))
    return threshold_of(window, percent, reserve, margin_of(base.window_tokens))


@lru_cache(maxsize=256)
def _counted(text: str) -> int:
    return count_o200k(text)


def _specs_text(specs: tuple[ToolSpec, ...]) -> str:
    shown = [{"name": spec.name, "description": spec.description, "parameters": spec.parameters} for spec in specs]
    return json.dumps(shown, ensure_ascii=False, default=dict) if specs else ""
