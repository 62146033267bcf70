"""DeepSeek: Chat Completions with `reasoning_content`, which must come back in turns that call tools."""

from typing import TYPE_CHECKING

from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
from pydantic_ai.profiles import merge_profile
from pydantic_ai.providers.deepseek import DeepSeekProvider

from netaclaw.domain.agents import Channel
from netaclaw.providers.base import ModelRequest
from netaclaw.providers.family import Family
from netaclaw.providers.openai import STRICT_CHAT, open_client, takes_temperature

if TYPE_CHECKING:
    from pydantic_ai.settings import ModelSettings

DEFAULT_BASE_URL = "https://api.deepseek.com"


def open_deepseek(channel: Channel) -> Family:
    """Open DeepSeek's API."""
    client = open_client(channel, DEFAULT_BASE_URL)
    provider = DeepSeekProvider(openai_client=client)
    profile = merge_profile(provider.model_profile(channel.model), STRICT_CHAT)
    model = OpenAIChatModel(channel.model, provider=provider, profile=profile)
    knows_levels = bool(profile.get("supports_thinking", False))

    def settings(request: ModelRequest) -> "ModelSettings":
        chosen = OpenAIChatModelSettings(max_tokens=request.max_output_tokens) if request.max_output_tokens else OpenAIChatModelSettings()
        if channel.max_output_tokens and not request.max_output_tokens:
            chosen["max_tokens"] = channel.max_output_tokens
        if knows_levels:
            chosen["thinking"] = False if request.thinking == "off" else request.thinking
        elif request.thinking != "off":
            chosen["extra_body"] = {"thinking": {"type": "enabled"}}  # models without levels have a switch
        if request.temperature is not None and takes_temperature(profile, request):
            chosen["temperature"] = request.temperature
        return chosen

    return Family(model, "deepseek", "tool_turns", settings, client.close)
