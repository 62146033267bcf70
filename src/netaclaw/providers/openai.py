"""OpenAI and what speaks like it: Chat Completions (also of other servers) and the Responses API."""

from typing import TYPE_CHECKING

import httpx2
from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings, OpenAIResponsesModel, OpenAIResponsesModelSettings
from pydantic_ai.profiles import merge_profile
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider

from netaclaw.domain.agents import Channel
from netaclaw.providers.base import ModelRequest
from netaclaw.providers.family import CONNECT_SECONDS, SILENCE_SECONDS, Family

if TYPE_CHECKING:
    from pydantic_ai.profiles import ModelProfile
    from pydantic_ai.settings import ModelSettings

DEFAULT_BASE_URL = "https://api.openai.com/v1"
STRICT_CHAT = OpenAIModelProfile(
    openai_chat_supports_multiple_system_messages=False,  # chat templates of local servers take one
    openai_chat_streaming_requires_finish_reason=True,  # or a cut stream would pass for a whole reply
)
_NO_KEY = "none"
"""Local servers ask for no key; the SDK insists on one and would take it from the environment."""


def open_client(channel: Channel, default_base_url: str) -> AsyncOpenAI:
    """Return the SDK's client: nothing from the environment, and no retries, which are ours."""
    return AsyncOpenAI(
        api_key=channel.api_key or _NO_KEY,
        base_url=channel.base_url or default_base_url,
        organization="",
        project="",
        max_retries=0,
        timeout=httpx2.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS),
    )


def open_openai(channel: Channel) -> Family:
    """Open Chat Completions of OpenAI itself."""
    client = open_client(channel, DEFAULT_BASE_URL)
    provider = OpenAIProvider(openai_client=client)
    profile = merge_profile(
        provider.model_profile(channel.model), STRICT_CHAT, OpenAIModelProfile(openai_chat_send_back_thinking_parts=False)
    )

    def settings(request: ModelRequest) -> "ModelSettings":
        chosen = OpenAIChatModelSettings(thinking=False if request.thinking == "off" else request.thinking)
        return _with_limits(chosen, channel, request, takes_temperature=takes_temperature(profile, request))

    model = OpenAIChatModel(channel.model, provider=provider, profile=profile)
    return Family(model, "openai", "never", settings, client.close)


def open_compatible(channel: Channel) -> Family:
    """Open another server that speaks Chat Completions; what it can is unknown, so nothing is sent that was not asked for."""
    client = open_client(channel, DEFAULT_BASE_URL)
    provider = OpenAIProvider(openai_client=client)
    profile = OpenAIModelProfile(
        supports_thinking=True,
        openai_chat_send_back_thinking_parts=False,
        openai_chat_supports_max_completion_tokens=False,
        openai_supports_strict_tool_definition=False,
    )
    model = OpenAIChatModel(channel.model, provider=provider, profile=merge_profile(profile, STRICT_CHAT))

    def settings(request: ModelRequest) -> "ModelSettings":
        chosen = (
            OpenAIChatModelSettings() if request.thinking == "off" else OpenAIChatModelSettings(openai_reasoning_effort=request.thinking)
        )
        return _with_limits(chosen, channel, request, takes_temperature=True)

    return Family(model, "openai_compatible", "never", settings, client.close)


def open_responses(channel: Channel) -> Family:
    """Open OpenAI's Responses API: the one that shows reasoning, and takes it back encrypted."""
    client = open_client(channel, DEFAULT_BASE_URL)
    provider = OpenAIProvider(openai_client=client)
    model = OpenAIResponsesModel(channel.model, provider=provider)

    def settings(request: ModelRequest) -> "ModelSettings":
        chosen = OpenAIResponsesModelSettings(thinking=False if request.thinking == "off" else request.thinking, openai_store=False)
        if request.thinking != "off":
            chosen["openai_reasoning_summary"] = "auto"
        return _with_limits(chosen, channel, request, takes_temperature=takes_temperature(model.profile, request))

    return Family(model, "openai", "signed", settings, client.close)


def takes_temperature(profile: "ModelProfile", request: ModelRequest) -> bool:
    """Whether a request may name a temperature: reasoning models refuse it while they think."""
    if not profile.get("supports_thinking", False):
        return True
    return request.thinking == "off" and not profile.get("thinking_always_enabled", False)


def _with_limits(chosen: "ModelSettings", channel: Channel, request: ModelRequest, *, takes_temperature: bool) -> "ModelSettings":
    limit = request.max_output_tokens or channel.max_output_tokens
    if limit is not None:
        chosen["max_tokens"] = limit
    if request.temperature is not None and takes_temperature:
        chosen["temperature"] = request.temperature
    return chosen
