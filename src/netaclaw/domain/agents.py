"""Agents and model channels: what a user configures."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Vendor: TypeAlias = Literal["openai", "openai_responses", "anthropic", "deepseek", "openai_compatible", "offline", "scripted"]
ThinkingLevel: TypeAlias = Literal["off", "low", "medium", "high"]
AuxiliaryMode: TypeAlias = Literal["inherit", "same", "channel"]


@dataclass(frozen=True, slots=True)
class Channel:
    """One model endpoint. The key is in here in clear only in memory; it is stored encrypted and never returned."""

    id: int
    name: str
    vendor: Vendor
    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    window_tokens: int | None = None
    """None: unknown; the trigger then assumes 128,000 and says so."""
    max_output_tokens: int | None = None
    is_auxiliary: bool = False
    """Whether it may write summaries."""
    is_enabled: bool = True


@dataclass(frozen=True, slots=True)
class Agent:
    """Who answers in a session. None inherits the system's setting."""

    id: int
    name: str
    prompt: str = ""
    channel_id: int | None = None
    thinking_level: ThinkingLevel = "off"
    tools: tuple[str, ...] = ()
    auxiliary_model_channel_id: int | None = None
    auxiliary_mode: AuxiliaryMode = "inherit"
    compaction_strategy: Literal["lossy"] = "lossy"
    compaction_threshold_percent: int | None = None
    """30 to 95 in steps of 5."""
    compaction_protect_first_n: int | None = None
    """1 to 10."""
    is_auto_compaction: bool = True
    use_main_model_when_auxiliary_fails: bool = False
    workspace: str | None = None
    """Folder whose files the tools may read."""
    max_steps: int = 50
    """Model requests in one run."""
