"""The agent loop: ask the model, run its calls, ask again, until it has no more to do, is stopped, or may go no further."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext

from netaclaw.agent.base import LoopPorts, RunOutcome
from netaclaw.agent.partial_reply import PartialReply, interrupted
from netaclaw.agent.tool_calls import run_calls
from netaclaw.agent.undisturbed import undisturbed
from netaclaw.domain.entries import MessagePayload, NoticePayload
from netaclaw.domain.messages import Message, Usage
from netaclaw.errors import ContextOverflowError, NetaClawError, ProviderBusyError, ProviderError, StaleLeaf, StoreError
from netaclaw.providers.base import Finished, StreamEvent

_STEP_LIMIT = {
    "zh": "已达到每次运行的步数上限（{steps}），运行停止；发送消息即可继续。",
    "en": "The run stopped at its limit of {steps} model requests; send a message to go on.",
}


async def run_agent(ports: LoopPorts) -> RunOutcome:
    """Run until the model calls no more tools. Each finished message is appended at once.

    A cancelled task is a stop: what arrived is kept and the outcome is `stopped`. Errors of ours end as `failed`; others are raised.
    """
    usage, steps = Usage(0, 0), 0
    try:
        while steps < ports.max_steps:
            reply = await _next_reply(ports)
            await undisturbed(ports.append(MessagePayload(reply)))
            usage, steps = _sum(usage, reply.usage), steps + 1
            if not reply.tool_calls:
                return RunOutcome("done", reply.stop_reason, usage, steps)
            await run_calls(reply.tool_calls, ports)
        await undisturbed(ports.append(_step_limit_notice(ports)))
        return RunOutcome("step_limit", "step_limit", usage, steps)
    except asyncio.CancelledError:
        _take_back_the_cancellation()
        return RunOutcome("stopped", "stopped", usage, steps)
    except NetaClawError as error:
        return RunOutcome("failed", _reason(error), usage, steps, error)


async def _next_reply(ports: LoopPorts) -> Message:
    """Ask the model; if the request was too large, compact once and ask once more."""
    try:
        return await _ask(ports)
    except ContextOverflowError as error:
        if not await ports.on_overflow(error):
            raise
    return await _ask(ports)


async def _ask(ports: LoopPorts) -> Message:
    """Stream one reply; of one that is cut off by a stop or an error, keep what arrived."""
    request = await ports.next_request()
    partial = PartialReply()
    reply: Message | None = None
    try:
        stream = ports.client.stream(request)
        async with _closing(stream):
            async for event in stream:
                if isinstance(event, Finished):
                    reply = event.message
                else:
                    partial.add(event)
                    ports.emit(event)
        if reply is None:
            raise ProviderBusyError("the provider ended its reply without finishing it; send the message again")
        return reply
    except ContextOverflowError:
        raise
    except (ProviderError, asyncio.CancelledError) as error:
        await _keep(partial.message(), error, ports)
        raise


async def _keep(arrived: Message, error: BaseException, ports: LoopPorts) -> None:
    known = getattr(error, "partial", None)
    payload = interrupted(known if isinstance(known, Message) else arrived)
    if payload is not None:
        await undisturbed(ports.append(payload))


def _closing(stream: AsyncIterator[StreamEvent]) -> AbstractAsyncContextManager[object]:
    """A stream left in the middle must close its connection now, not when it is collected."""
    return aclosing(stream) if isinstance(stream, AsyncGenerator) else nullcontext()


def _step_limit_notice(ports: LoopPorts) -> NoticePayload:
    text = _STEP_LIMIT[ports.language].format(steps=ports.max_steps)
    return NoticePayload("run_event", text, reason="step_limit", details={"maxSteps": ports.max_steps})


def _take_back_the_cancellation() -> None:
    """The stop is answered by an outcome, so that the caller can still write how the run ended."""
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()


def _reason(error: NetaClawError) -> str:
    """Return the error's own reason code, else its name: ProviderAuthError -> provider_auth."""
    if isinstance(error, StoreError) and not isinstance(error, StaleLeaf):
        return "storage_error"
    own = getattr(error, "reason", None)
    return own if isinstance(own, str) else re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__.removesuffix("Error")).lower()


def _sum(total: Usage, more: Usage | None) -> Usage:
    if more is None:
        return total
    return Usage(
        total.input_tokens + more.input_tokens,
        total.output_tokens + more.output_tokens,
        total.cache_read_tokens + more.cache_read_tokens,
        total.cache_write_tokens + more.cache_write_tokens,
    )
