"""A `ModelClient` over pydantic-ai's model layer. The loop, the retries and the messages of each request are ours."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING

from netaclaw.domain.agents import Channel
from netaclaw.errors import ProviderError
from netaclaw.providers.base import Finished, ModelRequest, StreamEvent
from netaclaw.providers.failures import Failure, provider_error
from netaclaw.providers.family import Family, OpenFamily

if TYPE_CHECKING:
    from pydantic_ai.models import StreamedResponse


class PydanticAiClient:
    """One channel. The SDK is imported in a thread at the first request, because it takes seconds."""

    def __init__(self, channel: Channel, open_family: OpenFamily) -> None:
        self.channel = channel
        self._open_family = open_family
        self._family: Family | None = None
        self._opening = asyncio.Lock()

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        """Yield deltas, then `Finished`; raises a ProviderError, with `.partial` if the stream broke off."""
        family = await self._opened()
        async with aclosing(_stream(family, self.channel, request)) as events:
            async for event in events:
                yield event

    async def aclose(self) -> None:
        """Close the connections to the provider."""
        if self._family is not None:
            await self._family.close()
            self._family = None

    async def _opened(self) -> Family:
        async with self._opening:
            if self._family is None:
                self._family = await asyncio.to_thread(self._open_family, self.channel)
            return self._family


async def _stream(family: Family, channel: Channel, request: ModelRequest) -> AsyncGenerator[StreamEvent, None]:
    from httpx2 import HTTPError, InvalidURL
    from pydantic_ai.direct import model_request_stream
    from pydantic_ai.exceptions import AgentRunError, UserError

    from netaclaw.providers.reply import DeltaReader, reply_message
    from netaclaw.providers.translation import model_messages, request_parameters

    messages = model_messages(request.messages, family.provider, family.thinking_policy)
    opened: StreamedResponse | None = None
    reader = DeltaReader()
    try:
        async with model_request_stream(
            family.model,
            messages,
            model_settings=family.settings(request),
            model_request_parameters=request_parameters(request),
            instrument=False,
        ) as opened:
            async for event in opened:
                for delta in reader.read(event):
                    yield delta
    except (AgentRunError, UserError, HTTPError, InvalidURL, OSError, ValueError, ExceptionGroup) as error:
        raise _translated(error, family, channel, opened) from error
    response = opened.get()
    has_reason = response.finish_reason is not None or bool((response.provider_details or {}).get("finish_reason"))
    if response.state == "incomplete" or not has_reason:
        partial = reply_message(response, family.provider, is_complete=False)
        raise provider_error(Failure(None, "the stream ended in the middle of the reply", is_network=True), channel, partial)
    yield Finished(reply_message(response, family.provider))


def _translated(error: Exception, family: Family, channel: Channel, opened: "StreamedResponse | None") -> ProviderError:
    from httpx2 import HTTPError
    from pydantic_ai.exceptions import ModelAPIError, ModelConnectionError, ModelContextWindowExceededError, ModelRequestTimeout

    from netaclaw.providers.reply import reply_message

    partial = reply_message(opened.get(), family.provider, is_complete=False) if opened is not None else None
    if partial is not None and not partial.parts:
        partial = None
    body = getattr(error, "body", None)
    failure = Failure(
        status=_status(error),
        body=body if isinstance(body, str | Mapping | list) and body else str(error),
        retry_after_seconds=error.retry_after if isinstance(error, ModelAPIError) else None,
        is_overflow=isinstance(error, ModelContextWindowExceededError),
        is_network=isinstance(error, ModelConnectionError | ModelRequestTimeout | HTTPError | OSError | ExceptionGroup),
    )
    return provider_error(failure, channel, partial)


def _status(error: Exception) -> int | None:
    from httpx2 import InvalidURL
    from pydantic_ai.exceptions import ModelHTTPError, UserError

    if isinstance(error, ModelHTTPError):
        return error.status_code
    return 400 if isinstance(error, UserError | InvalidURL) else None  # never sent: our request is at fault, not the provider
