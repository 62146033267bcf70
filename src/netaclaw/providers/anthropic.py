"""Anthropic's Messages API: signed thinking goes back untouched, and every request names its output limit."""

from typing import TYPE_CHECKING

import httpx2
from anthropic import AsyncAnthropic
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.providers.anthropic import AnthropicProvider

from netaclaw.domain.agents import Channel, ThinkingLevel
from netaclaw.domain.messages import Message
from netaclaw.providers.base import ModelRequest
from netaclaw.providers.family import CONNECT_SECONDS, SILENCE_SECONDS, Family, output_limit

if TYPE_CHECKING:
    from pydantic_ai.profiles import ModelProfile
    from pydantic_ai.settings import ModelSettings

DEFAULT_BASE_URL = "https://api.anthropic.com"

_BUDGET_TOKENS = {"low": 2_048, "medium": 10_000, "high": 16_384}
_LEAST_BUDGET_TOKENS = 1_024


def open_anthropic(channel: Channel) -> Family:
    """Open the Messages API."""
    key = channel.api_key or "none"
    client = AsyncAnthropic(
        api_key=key,
        base_url=channel.base_url or DEFAULT_BASE_URL,
        max_retries=0,
        timeout=httpx2.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS),
        default_headers={"x-api-key": key},  # the SDK sends the key as a bearer token only, which some proxies do not read
    )
    model = AnthropicModel(channel.model, provider=AnthropicProvider(anthropic_client=client))
    return Family(model, "anthropic", "signed", lambda request: _settings(channel, model.profile, request), client.close)


def _settings(channel: Channel, profile: "ModelProfile", request: ModelRequest) -> "ModelSettings":
    chosen = AnthropicModelSettings(
        # Without it the library asks for the model's maximum, and input + max_tokens must fit the window.
        max_tokens=output_limit(channel, request),
        anthropic_cache_tool_definitions=True,
        anthropic_cache_instructions=True,
        anthropic_cache_messages=True,
    )
    level = _level(profile, request, chosen["max_tokens"])
    if level == "off":
        chosen["thinking"] = False
    elif profile.get("anthropic_binds_thinking_blocks", False):
        # A compaction changes what such a block is bound to; the provider then drops it instead of refusing the request.
        chosen["anthropic_thinking"] = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
        chosen["anthropic_effort"] = level
    elif profile.get("anthropic_supports_adaptive_thinking", False):
        chosen["thinking"] = level
    else:
        budget = min(_BUDGET_TOKENS[level], chosen["max_tokens"] // 2)
        chosen["anthropic_thinking"] = {"type": "enabled", "budget_tokens": budget}
    can_cool = not profile.get("anthropic_disallows_sampling_settings", False)
    if request.temperature is not None and level == "off" and can_cool:
        chosen["temperature"] = request.temperature
    return chosen


def _level(profile: "ModelProfile", request: ModelRequest, max_tokens: int) -> ThinkingLevel:
    """What can be asked for: some models always think, and a thinking budget needs room and a turn that began with it."""
    if profile.get("thinking_always_enabled", False):
        return "low" if request.thinking == "off" else request.thinking
    if profile.get("anthropic_supports_adaptive_thinking", False):
        return request.thinking
    has_room = max_tokens // 2 >= _LEAST_BUDGET_TOKENS
    return request.thinking if has_room and not _is_in_unsigned_turn(request.messages) else "off"


def _is_in_unsigned_turn(messages: tuple[Message, ...]) -> bool:
    """Whether an open tool turn began without signed thinking: models with a thinking budget refuse to start in its middle."""
    if not messages or messages[-1].role != "tool":
        return False
    caller = next((message for message in reversed(messages) if message.role == "assistant"), None)
    return caller is not None and not any(block.is_sent for block in caller.thinking)
