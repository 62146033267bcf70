"""Any channel as the writer of summaries: what `netaclaw.compaction` calls to have a middle summarised."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from netaclaw.compaction import SummaryReply, SummaryRequest, offline_summarizer
from netaclaw.compaction.plan import Summarize
from netaclaw.domain.agents import Channel
from netaclaw.domain.messages import text_message
from netaclaw.errors import ContextOverflowError, ProviderAuthError, ProviderBusyError, ProviderError, SummarizerError
from netaclaw.providers.base import Finished, ModelClient, ModelRequest, TextDelta
from netaclaw.providers.known_models import known_model
from netaclaw.providers.opened_stream import opened_stream
from netaclaw.providers.retry import backoff_seconds, without_retries

OnDelta: TypeAlias = Callable[[str], None]

TIMEOUT_SECONDS = 120.0
_ROOM_FACTOR = 2
"""The output limit is twice the budget that the prompt states: a model that writes a little more is not cut off."""
_LEAST_OUTPUT_TOKENS = 4_000


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a summary is waited for."""

    timeout_seconds: float = TIMEOUT_SECONDS
    """For each try."""
    attempts: int = 3
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] | None = None


def summarizer_for(
    client: ModelClient,
    channel: Channel,
    on_delta: OnDelta | None = None,
    on_restart: Callable[[], None] | None = None,
    patience: Patience | None = None,
) -> Summarize:
    """Return a summariser over a channel; the offline channel extracts instead of asking a model.

    `on_delta` gets the summary piece by piece; `on_restart` says that another try begins and what was shown is void. Raises
    SummarizerError: auxiliary_timeout, auxiliary_auth, auxiliary_overflow, auxiliary_error. What passes by itself was tried again
    here, so none of them is marked transient.
    """
    patient, bare = patience or Patience(), without_retries(client)

    async def summarize(request: SummaryRequest) -> SummaryReply:
        for attempt in range(patient.attempts):
            if attempt and on_restart is not None:
                on_restart()
            try:
                return await _ask(bare, _model_request(request, channel), on_delta, patient.timeout_seconds)
            except (ProviderError, TimeoutError) as error:
                wait_seconds = _wait_seconds(error, attempt, patient)
                if wait_seconds is None:
                    raise _summarizer_error(error, channel, patient.timeout_seconds) from error
            await patient.sleep(wait_seconds)
        raise AssertionError("unreachable: the last try returns or raises")

    return _extract(on_delta) if channel.vendor == "offline" else summarize


def _extract(on_delta: OnDelta | None) -> Summarize:
    async def summarize(request: SummaryRequest) -> SummaryReply:
        reply = await asyncio.to_thread(asyncio.run, offline_summarizer(request))  # seconds of computing: the server stays awake
        if on_delta is not None:
            on_delta(reply.text)
        return reply

    return summarize


def _model_request(request: SummaryRequest, channel: Channel) -> ModelRequest:
    known = known_model(channel.model)
    most = channel.max_output_tokens or (known.max_output_tokens if known else None)
    window = channel.window_tokens or (known.window_tokens if known else None)
    limits = [limit for limit in (most, window // 4 if window else None) if limit]
    return ModelRequest(
        system_prompt=(),
        messages=(text_message("user", request.prompt),),
        thinking=request.thinking,
        temperature=request.temperature,
        max_output_tokens=min([max(_LEAST_OUTPUT_TOKENS, _ROOM_FACTOR * request.budget_tokens), *limits]),
    )


async def _ask(client: ModelClient, request: ModelRequest, on_delta: OnDelta | None, timeout_seconds: float) -> SummaryReply:
    async with asyncio.timeout(timeout_seconds), opened_stream(client, request) as events:
        async for event in events:
            if isinstance(event, TextDelta) and on_delta is not None:
                on_delta(event.text)
            elif isinstance(event, Finished):
                message, usage = event.message, event.message.usage
                return SummaryReply(
                    message.text, usage.input_tokens if usage else None, usage.output_tokens if usage else None, message.stop_reason
                )
    return SummaryReply("")


def _wait_seconds(error: ProviderError | TimeoutError, attempt: int, patience: Patience) -> float | None:
    """None: no further try."""
    if attempt + 1 >= patience.attempts or not isinstance(error, ProviderBusyError | TimeoutError):
        return None
    asked_seconds = error.retry_after_seconds if isinstance(error, ProviderBusyError) else None
    return backoff_seconds(attempt, asked_seconds, patience.random)


def _summarizer_error(error: ProviderError | TimeoutError, channel: Channel, timeout_seconds: float) -> SummarizerError:
    match error:
        case ProviderAuthError():
            return SummarizerError("auxiliary_auth", str(error))
        case ContextOverflowError():
            return SummarizerError("auxiliary_overflow", str(error))
        case ProviderError():
            return SummarizerError("auxiliary_error", str(error))
        case _:
            said = f"Channel '{channel.name}' did not write the summary within {timeout_seconds:.0f} s; try again or choose another one"
            return SummarizerError("auxiliary_timeout", said)
