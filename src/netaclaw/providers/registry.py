"""From a channel row to a client, and the small request behind the button "Test"."""

import asyncio
import time
from dataclasses import dataclass
from typing import assert_never

from netaclaw.domain.agents import Channel
from netaclaw.domain.messages import text_message
from netaclaw.errors import ProviderAuthError, ProviderError, ProviderRejectedError
from netaclaw.providers.base import Finished, ModelClient, ModelRequest
from netaclaw.providers.family import Family, OpenFamily
from netaclaw.providers.known_models import KnownModel, known_model
from netaclaw.providers.offline import OfflineChat
from netaclaw.providers.opened_stream import opened_stream
from netaclaw.providers.pydantic_ai_model import PydanticAiClient

__all__ = ["ChannelTest", "KnownModel", "client_for", "close_client", "known_model", "test_channel"]

_TEST_SECONDS = 30.0
_TEST_OUTPUT_TOKENS = 16


@dataclass(frozen=True, slots=True)
class ChannelTest:
    """The outcome of one tiny request."""

    ok: bool
    message: str
    """One line for people."""
    latency_ms: int


def client_for(channel: Channel) -> ModelClient:
    """Return a client for a channel; quick, the SDK is imported at its first request.

    Raises ProviderRejectedError for a disabled channel or one without base URL, ProviderAuthError where the key is missing.
    """
    if not channel.is_enabled:
        raise ProviderRejectedError(f"Channel '{channel.name}' is disabled; enable it in the channel's settings")
    match channel.vendor:
        case "offline":
            return OfflineChat()
        case "scripted":
            raise ProviderRejectedError(f"Channel '{channel.name}' is for tests, which pass their own client; choose another vendor")
        case "openai_compatible":
            if not channel.base_url:
                raise ProviderRejectedError(f"Channel '{channel.name}' has no base URL; enter the address of the server")
            return PydanticAiClient(channel, _open)
        case "openai" | "openai_responses" | "anthropic" | "deepseek":
            if not channel.api_key:
                raise ProviderAuthError(f"Channel '{channel.name}' has no key; enter one in the channel's settings")
            return PydanticAiClient(channel, _open)
        case _:
            # A row of a newer version: the type does not know it, the database may.
            raise ProviderRejectedError(f"Channel '{channel.name}' has the unknown vendor '{channel.vendor}'; choose one of the list")


async def close_client(client: ModelClient) -> None:
    """Close the connections of a client that has any."""
    if isinstance(client, PydanticAiClient):
        await client.aclose()


async def test_channel(channel: Channel) -> ChannelTest:
    """Make one tiny request and tell how it went; never raises for what the provider does."""
    started = time.monotonic()
    try:
        client = client_for(channel)
        try:
            async with asyncio.timeout(_TEST_SECONDS):
                message = await _ask(client)
        finally:
            await close_client(client)
    except ProviderError as error:
        return ChannelTest(False, str(error), _since(started))
    except TimeoutError:
        return ChannelTest(
            False, f"Channel '{channel.name}' did not answer within {_TEST_SECONDS:.0f} s; check its base URL", _since(started)
        )
    return ChannelTest(True, message, _since(started))


test_channel.__test__ = False  # type: ignore[attr-defined]  # a test file that imports it must not run it as a test


async def _ask(client: ModelClient) -> str:
    request = ModelRequest((), (text_message("user", "Reply with: ok"),), max_output_tokens=_TEST_OUTPUT_TOKENS)
    async with opened_stream(client, request) as events:
        async for event in events:
            if isinstance(event, Finished):
                return f"{event.message.model or 'the model'} answers"
    return "the model answers"


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)


def _open(channel: Channel) -> Family:
    return _family_of(channel)(channel)


def _family_of(channel: Channel) -> OpenFamily:
    match channel.vendor:
        case "anthropic":
            from netaclaw.providers.anthropic import open_anthropic

            return open_anthropic
        case "deepseek":
            from netaclaw.providers.deepseek import open_deepseek

            return open_deepseek
        case "openai_responses":
            from netaclaw.providers.openai import open_responses

            return open_responses
        case "openai_compatible":
            from netaclaw.providers.openai import open_compatible

            return open_compatible
        case "openai":
            from netaclaw.providers.openai import open_openai

            return open_openai
        case "offline" | "scripted":
            raise AssertionError("unreachable: these have no family")
        case _:
            assert_never(channel.vendor)
