"""Model channels. A key goes in and never comes out."""

from dataclasses import replace
from typing import Annotated, Any, Literal, Self, TypeAlias

from fastapi import APIRouter
from pydantic import AfterValidator, Field, SecretStr

from netaclaw.domain.agents import Channel
from netaclaw.errors import NotFoundError
from netaclaw.gateway.services import Given
from netaclaw.gateway.wire import PathId, Wire
from netaclaw.providers.known_models import known_model

router = APIRouter(prefix="/api/channels", tags=["channels"])

OfferedVendor: TypeAlias = Literal["openai", "openai_responses", "anthropic", "deepseek", "openai_compatible", "offline"]


def _web_address(url: str) -> str:
    stripped = url.strip()
    if not stripped.startswith(("http://", "https://")):
        raise ValueError("write an address that begins with http:// or https://")
    return stripped


def _header_text(key: SecretStr) -> SecretStr:
    stripped = key.get_secret_value().strip()
    if not (stripped.isascii() and stripped.isprintable()):
        raise ValueError("a key has only ASCII characters; copy it again")
    return SecretStr(stripped)


Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]
BaseUrl: TypeAlias = Annotated[str, Field(max_length=2_000), AfterValidator(_web_address)]
ApiKey: TypeAlias = Annotated[SecretStr, Field(max_length=4_000), AfterValidator(_header_text)]
Tokens: TypeAlias = Annotated[int, Field(ge=1, le=100_000_000)]


class NewChannel(Wire):
    """A channel to be made. Window and output limit of a known model need not be given."""

    name: Name
    vendor: OfferedVendor
    model: Name
    base_url: BaseUrl | None = None
    api_key: ApiKey | None = None
    window_tokens: Tokens | None = None
    max_output_tokens: Tokens | None = None
    is_auxiliary: bool = False
    is_enabled: bool = True


class ChannelChange(Wire):
    """What to change; fields that are left out stay. A key of null or "" is removed."""

    name: Name | None = None
    vendor: OfferedVendor | None = None
    model: Name | None = None
    base_url: BaseUrl | None = None
    api_key: ApiKey | None = None
    window_tokens: Tokens | None = None
    max_output_tokens: Tokens | None = None
    is_auxiliary: bool | None = None
    is_enabled: bool | None = None

    def applied_to(self, channel: Channel) -> Channel:
        """Return the channel with the changes, the key apart; another model brings its own limits."""
        given = {name: getattr(self, name) for name in self.model_fields_set - {"api_key"}}
        changes = {name: value for name, value in given.items() if value is not None or name in _MAY_BE_NULL}
        if changes.get("model", channel.model) != channel.model:
            changes = {"window_tokens": None, "max_output_tokens": None, **changes}
        return replace(channel, **changes)


_MAY_BE_NULL = ("base_url", "window_tokens", "max_output_tokens")


class ChannelBody(Wire):
    """A channel, without its key."""

    id: int
    name: str
    vendor: str
    model: str
    base_url: str | None
    has_key: bool
    window_tokens: int | None
    max_output_tokens: int | None
    is_auxiliary: bool
    is_enabled: bool

    @classmethod
    def of(cls, channel: Channel, has_key: bool) -> Self:
        """Return the body of a channel."""
        shown = {name: getattr(channel, name) for name in cls.model_fields if name != "has_key"}
        return cls(**shown, has_key=has_key)


class ChannelList(Wire):
    """All channels."""

    channels: list[ChannelBody]


class ChannelTestBody(Wire):
    """How one tiny request went."""

    ok: bool
    message: str
    latency_ms: int


@router.get("")
async def list_channels(given: Given) -> ChannelList:
    """List all channels."""
    with_key = await given.store.channels.ids_with_key()
    return ChannelList(channels=[ChannelBody.of(channel, channel.id in with_key) for channel in await given.store.channels.list()])


@router.post("", status_code=201)
async def create_channel(body: NewChannel, given: Given) -> ChannelBody:
    """Make a channel."""
    fields: dict[str, Any] = {name: getattr(body, name) for name in NewChannel.model_fields if name != "api_key"}
    key = body.api_key.get_secret_value() if body.api_key else None
    added = await given.configuration.add_channel(_with_known_limits(Channel(id=0, **fields, api_key=key)))
    return ChannelBody.of(added, bool(key))


@router.get("/{channel_id}")
async def read_channel(channel_id: PathId, given: Given) -> ChannelBody:
    """Read one channel."""
    channel = await given.store.channels.get(channel_id)
    return ChannelBody.of(channel, await given.store.channels.encrypted_key(channel_id) is not None)


@router.patch("/{channel_id}")
async def change_channel(channel_id: PathId, body: ChannelChange, given: Given) -> ChannelBody:
    """Change a channel; the next model request already follows."""
    changed = _with_known_limits(body.applied_to(await given.store.channels.get(channel_id)))
    await given.store.channels.update(changed)
    if "api_key" in body.model_fields_set:
        await given.configuration.set_key(channel_id, body.api_key.get_secret_value() if body.api_key else None)
    return await read_channel(channel_id, given)


@router.delete("/{channel_id}", status_code=204)
async def delete_channel(channel_id: PathId, given: Given) -> None:
    """Delete a channel with its key; agents that name it fail until they are given another."""
    await given.store.channels.delete(channel_id)


@router.post("/{channel_id}/test")
async def test_channel(channel_id: PathId, given: Given) -> ChannelTestBody:
    """Make one tiny request and say how it went."""
    from netaclaw.providers.registry import test_channel as ask

    channel = await given.configuration.find_channel(channel_id)
    if channel is None:
        raise NotFoundError(f"There is no channel {channel_id}; add one under model channels")
    outcome = await ask(channel)
    return ChannelTestBody(ok=outcome.ok, message=outcome.message, latency_ms=outcome.latency_ms)


def _with_known_limits(channel: Channel) -> Channel:
    known = known_model(channel.model)
    if known is None:
        return channel
    return replace(
        channel,
        window_tokens=channel.window_tokens or known.window_tokens,
        max_output_tokens=channel.max_output_tokens or known.max_output_tokens,
    )
