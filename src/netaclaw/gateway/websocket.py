"""One socket of one browser: a reader that answers commands, one writer, and a task for each session it hears of."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from netaclaw.domain.events import Ack, Delta, ErrorFrame, Frame, Pong, SessionEvent
from netaclaw.errors import CommandRefused, SlowSubscriber
from netaclaw.gateway.commands import carry_out
from netaclaw.gateway.deltas import DeltaJoiner
from netaclaw.gateway.errors import describe
from netaclaw.gateway.outbox import Outbox
from netaclaw.gateway.protocol import BadFrame, ClientCommand, Ping, Subscribe, Unsubscribe, parse_command
from netaclaw.gateway.services import Services

TOO_SLOW = 4008
"""Close code of a browser that did not take its frames; it may come back with its last revision."""

_log = structlog.get_logger(__name__)
_CLOSE_TIMEOUT_SECONDS = 1.0
_PARSED_IN_THREAD_CHARS = 1_000_000


async def socket_endpoint(websocket: WebSocket) -> None:
    """Serve `/ws` until the browser leaves or is cut off."""
    services: Services = websocket.app.state.services
    services.metrics.connections.inc()
    try:
        await _Connection(websocket, services).serve()
    finally:
        services.metrics.connections.dec()


class _Connection:
    def __init__(self, websocket: WebSocket, services: Services) -> None:
        self._socket = websocket
        self._services = services
        self._outbox = Outbox()
        self._subscriptions: dict[int, asyncio.Task[None]] = {}
        self._is_slow = asyncio.Event()

    async def serve(self) -> None:
        """Read and write until one of them ends; then nothing of this socket is left."""
        await self._socket.accept()
        tasks = [asyncio.create_task(job) for job in (self._read(), self._write(), self._wait_until_slow())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self._is_slow.is_set():
                self._services.metrics.slow_connections.inc()
                await self._cut_off()
        finally:
            await _cancel(*tasks, *self._subscriptions.values())

    async def _read(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            received = message.get("text")
            await self._outbox.room()
            await self._answer(message["bytes"] if received is None else received)

    async def _answer(self, received: str | bytes) -> None:
        """Answer one frame with one frame, whatever it is."""
        try:
            command = await self._parse(received)
        except BadFrame as error:
            self._put(ErrorFrame(request_id=error.request_id, code=error.code, message=str(error)))
            return
        session_id = None if isinstance(command, Ping) else command.session_id
        try:
            answer = await self._carry_out(command)
        except Exception as error:
            answer = _error_frame(error, session_id, command.request_id)
        self._put(answer)

    async def _parse(self, received: str | bytes) -> ClientCommand:
        limit = self._services.limits.max_frame_bytes
        if len(received) > _PARSED_IN_THREAD_CHARS:
            return await asyncio.to_thread(parse_command, received, limit)
        return parse_command(received, limit)

    async def _carry_out(self, command: ClientCommand) -> Frame:
        match command:
            case Ping():
                return Pong(request_id=command.request_id)
            case Subscribe():
                await self._subscribe(command)
                return Ack(request_id=command.request_id)
            case Unsubscribe():
                await self._unsubscribe(command.session_id)
                return Ack(request_id=command.request_id)
            case _:
                return Ack(request_id=command.request_id, result=await carry_out(command, self._services.conversations))

    async def _subscribe(self, command: Subscribe) -> None:
        """Start to forward; the task begins after the `ack` is in the outbox."""
        session_id = command.session_id
        await self._services.sessions.get_session(session_id)
        await self._unsubscribe(session_id)
        limit = self._services.limits.max_subscriptions
        if len(self._subscriptions) >= limit:
            raise CommandRefused("too_many_subscriptions", f"A socket hears of at most {limit} sessions; unsubscribe from one first")
        task = asyncio.create_task(self._forward(session_id, command.after_revision))
        self._subscriptions[session_id] = task

    async def _unsubscribe(self, session_id: int) -> None:
        task = self._subscriptions.pop(session_id, None)
        if task is not None:
            await _cancel(task)

    async def _forward(self, session_id: int, after_revision: int | None) -> None:
        joiner = DeltaJoiner(self._put)
        events = self._services.conversations.subscribe(session_id, after_revision)
        try:
            await self._forward_events(events, joiner)
            joiner.flush()
        except SlowSubscriber:
            self._is_slow.set()
        except Exception as error:
            joiner.flush()
            self._put(_error_frame(error, session_id, None))
        finally:
            joiner.drop()
            if isinstance(events, AsyncGenerator):
                await events.aclose()

    async def _forward_events(self, events: AsyncIterator[SessionEvent], joiner: DeltaJoiner) -> None:
        async for event in events:
            await self._outbox.room()
            if isinstance(event, Delta):
                joiner.add(event)
            else:
                joiner.flush()
                self._put(event)

    def _put(self, frame: Frame) -> None:
        self._outbox.put(frame.model_dump_json(by_alias=True, exclude_none=True))

    async def _write(self) -> None:
        while True:
            frame = await self._outbox.take()
            try:
                async with asyncio.timeout(self._services.limits.send_timeout_seconds):
                    await self._socket.send_text(frame)
            except TimeoutError:
                self._is_slow.set()
                return
            except WebSocketDisconnect:
                return

    async def _wait_until_slow(self) -> None:
        await self._is_slow.wait()

    async def _cut_off(self) -> None:
        """Say why, if the browser still takes anything; the run goes on without it."""
        try:
            async with asyncio.timeout(_CLOSE_TIMEOUT_SECONDS):
                await self._socket.close(TOO_SLOW, "too slow; reconnect with your last revision")
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            return


def _error_frame(error: Exception, session_id: int | None, request_id: str | None) -> ErrorFrame:
    status, body = describe(error)
    if status == 500:
        _log.error("command failed", session_id=session_id, request_id=request_id, exc_info=error)
    return ErrorFrame(session_id=session_id, request_id=request_id, code=body.code, message=body.message)


async def _cancel(*tasks: asyncio.Task[Any]) -> None:
    """End tasks and wait for it. `gather` would swallow the reason of a cancellation from outside, `wait` hands it on."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a task of a socket failed", exc_info=error)
