"""From a channel row to a client, and the button "Test"."""

import subprocess
import sys
from dataclasses import replace

import pytest

from netaclaw.domain.agents import Channel
from netaclaw.errors import ProviderAuthError, ProviderRejectedError
from netaclaw.providers import registry
from netaclaw.providers.known_models import KnownModel, known_model, known_models
from netaclaw.providers.offline import OfflineChat
from tests.providers.conftest import Provider
from tests.providers.fake_servers import Fault, Reply

CHANNEL = Channel(1, "mine", "openai", "gpt-5.2", api_key="sk-1")


def test_the_offline_channel_needs_no_key() -> None:
    assert isinstance(registry.client_for(replace(CHANNEL, vendor="offline", api_key=None)), OfflineChat)


@pytest.mark.parametrize(
    ("channel", "error", "words"),
    [
        (replace(CHANNEL, is_enabled=False), ProviderRejectedError, "'mine' is disabled; enable it"),
        (replace(CHANNEL, api_key=None), ProviderAuthError, "'mine' has no key; enter one"),
        (replace(CHANNEL, vendor="openai_compatible"), ProviderRejectedError, "'mine' has no base URL"),
        (replace(CHANNEL, vendor="nobody"), ProviderRejectedError, "unknown vendor 'nobody'"),  # type: ignore[arg-type]
    ],
)
def test_an_unusable_channel_says_why(channel: Channel, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        registry.client_for(channel)


async def test_a_good_channel_passes_its_test(provider: Provider) -> None:
    provider.server.script.append(Reply("ok"))
    result = await registry.test_channel(provider.channel())
    assert (result.ok, result.message) == (True, "fake-model answers")
    assert result.latency_ms >= 0
    assert len(provider.server.requests) == 1


async def test_a_bad_key_fails_the_test_with_the_remedy(provider: Provider) -> None:
    provider.server.script.append(Fault(401, {"error": {"message": "invalid key"}}))
    result = await registry.test_channel(provider.channel())
    assert not result.ok
    assert "check the key" in result.message


async def test_a_disabled_channel_fails_the_test() -> None:
    assert not (await registry.test_channel(replace(CHANNEL, is_enabled=False))).ok


def test_clients_are_made_without_importing_an_sdk() -> None:
    code = (
        "import sys; from netaclaw.domain.agents import Channel; from netaclaw.providers.registry import client_for\n"
        "client_for(Channel(1, 'c', 'anthropic', 'm', api_key='k'))\n"
        "assert not {'openai', 'anthropic', 'pydantic_ai'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["claude-haiku-4-5", "claude-haiku-4-5-20251001", "anthropic/claude-haiku-4-5", "Claude-Haiku-4-5-latest"])
def test_a_model_is_known_under_its_dated_and_prefixed_names(name: str) -> None:
    assert known_model(name) == KnownModel("claude-haiku-4-5", 200_000, 64_000)


@pytest.mark.parametrize("name", ["", "gpt-4o-realtime", "claude-opus-4-99", "my-model"])
def test_another_model_is_not_taken_for_a_known_one(name: str) -> None:
    assert known_model(name) is None


def test_every_known_model_has_room_for_its_output() -> None:
    assert all(0 < model.max_output_tokens <= model.window_tokens for model in known_models())
    assert len(known_models()) >= 60
