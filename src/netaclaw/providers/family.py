"""What a file per API family gives to `pydantic_ai_model.py`: a model ready to be asked, and how that family wants to be asked."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from netaclaw.domain.agents import Channel
from netaclaw.providers.base import ModelRequest
from netaclaw.providers.known_models import known_model

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

    from netaclaw.providers.translation import ThinkingPolicy

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 300.0
"""How long a provider may say nothing before the stream counts as broken."""

_DEFAULT_WINDOW_TOKENS = 128_000
_DEFAULT_OUTPUT_TOKENS = 8_192


@dataclass(frozen=True, slots=True)
class Family:
    """One API family with a client for one channel."""

    model: "Model"
    provider: str
    """Whose thinking may be sent back."""
    thinking_policy: "ThinkingPolicy"
    settings: "Callable[[ModelRequest], ModelSettings]"
    close: Callable[[], Awaitable[None]]


class OpenFamily(Protocol):
    """Imports the SDK (seconds) and opens a client for a channel; called in a thread."""

    def __call__(self, channel: Channel) -> Family:
        """Return the family; nothing is sent yet."""
        ...


def output_limit(channel: Channel, request: ModelRequest) -> int:
    """Return the output limit in tokens for APIs that want one: never more than the reserve that the trigger keeps free."""
    if request.max_output_tokens is not None:
        return request.max_output_tokens
    known = known_model(channel.model)
    window = channel.window_tokens or (known.window_tokens if known else _DEFAULT_WINDOW_TOKENS)
    most = channel.max_output_tokens or (known.max_output_tokens if known else _DEFAULT_OUTPUT_TOKENS)
    return max(1, min(most, window // 4))
