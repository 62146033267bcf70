"""The SDKs take seconds to import: once for the whole run, in the first test that needs them."""

import warnings
from collections.abc import AsyncIterator

import pytest

from netaclaw.domain.agents import Channel, Vendor
from netaclaw.providers.pydantic_ai_model import PydanticAiClient
from netaclaw.providers.registry import client_for, close_client
from tests.providers.fake_servers import AnthropicServer, DeepSeekServer, FakeServer, OpenAiServer, ResponsesServer

SERVERS: dict[Vendor, type[FakeServer]] = {
    "openai": OpenAiServer,
    "openai_compatible": OpenAiServer,
    "openai_responses": ResponsesServer,
    "deepseek": DeepSeekServer,
    "anthropic": AnthropicServer,
}
MODELS: dict[Vendor, str] = {
    "openai": "gpt-5.2",
    "openai_compatible": "local-model",
    "openai_responses": "gpt-5.2",
    "deepseek": "deepseek-v4-pro",
    "anthropic": "claude-haiku-4-5",
}


class Provider:
    """A fake server and clients of it."""

    def __init__(self, vendor: Vendor, server: FakeServer) -> None:
        self.vendor = vendor
        self.server = server
        self.opened: list[PydanticAiClient] = []

    def channel(self, model: str | None = None, **fields: object) -> Channel:
        """Return a channel to the server."""
        name = model or MODELS[self.vendor]
        return Channel(1, "test channel", self.vendor, name, self.server.base_url, "sk-very-secret-key-1234567890", **fields)  # type: ignore[arg-type]

    def client(self, model: str | None = None, **fields: object) -> PydanticAiClient:
        """Return a client that is closed after the test."""
        client = client_for(self.channel(model, **fields))
        assert isinstance(client, PydanticAiClient)
        self.opened.append(client)
        return client


@pytest.fixture(scope="session", autouse=True)
def _sdks() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import netaclaw.providers.anthropic
        import netaclaw.providers.deepseek
        import netaclaw.providers.openai  # noqa: F401


@pytest.fixture(params=list(SERVERS))
async def provider(request: pytest.FixtureRequest) -> AsyncIterator[Provider]:
    """Each vendor in turn."""
    async for opened in open_provider(request.param):
        yield opened


async def open_provider(vendor: Vendor) -> AsyncIterator[Provider]:
    """Start the fake server of a vendor; stop it and close the clients afterwards."""
    async with SERVERS[vendor]() as server:
        opened = Provider(vendor, server)
        yield opened
        for client in opened.opened:
            await close_client(client)


@pytest.fixture
async def openai() -> AsyncIterator[Provider]:
    """OpenAI's Chat Completions."""
    async for opened in open_provider("openai"):
        yield opened


@pytest.fixture
async def deepseek() -> AsyncIterator[Provider]:
    """DeepSeek."""
    async for opened in open_provider("deepseek"):
        yield opened


@pytest.fixture
async def anthropic() -> AsyncIterator[Provider]:
    """Anthropic's Messages API."""
    async for opened in open_provider("anthropic"):
        yield opened


@pytest.fixture
async def responses() -> AsyncIterator[Provider]:
    """OpenAI's Responses API."""
    async for opened in open_provider("openai_responses"):
        yield opened
