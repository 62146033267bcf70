"""Fake OpenAI, DeepSeek and Anthropic servers on 127.0.0.1 that speak the real wire formats over real sockets.

    async with OpenAiServer() as server:
        server.script += [Reply("Hello", calls=(ToolCall("c1", "read_file", "{}"),)), Fault(429, headers={"retry-after": "7"})]
        ...                       # channel base URL: server.base_url
        assert server.requests[0].body["messages"][0]["role"] == "system"

A script entry may also be a function of the recorded request. An empty script answers "ok".
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeAlias

from netaclaw.domain.messages import ToolCall, Usage

Json: TypeAlias = dict[str, Any]
_PIECE_CHARS = 8


@dataclass(frozen=True)
class Reply:
    """One streamed answer."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    thinking: str = ""
    signature: str = "c2lnbmVk+/=="
    """Anthropic's signature of the thinking; OpenAI Responses' encrypted content."""
    redacted: str | None = None
    """Payload of a redacted thinking block of Anthropic."""
    usage: Usage = field(default_factory=lambda: Usage(100, 10))
    """As we count: `input_tokens` includes cached ones; the server takes it apart as its vendor does."""
    finish: str | None = None
    """The vendor's own word; None: what fits the content."""
    model: str = "fake-model"
    cut_after: int | None = None
    """Drop the connection after so many events."""
    ends_early: bool = False
    """End cleanly after `cut_after` events, as a proxy may, instead of dropping the connection."""
    gate: asyncio.Event | None = None
    """Wait for it after the event `gate_after`."""
    gate_after: int = 3
    """Number of an event; the default is the first that carries content."""
    error_event: Json | None = None
    """Sent in the stream after `cut_after` events."""


@dataclass(frozen=True)
class Fault:
    """An error answer."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0


@dataclass(frozen=True)
class Recorded:
    """One request as it came over the wire."""

    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Json


Step: TypeAlias = "Reply | Fault | Callable[[Recorded], Reply | Fault]"


class FakeServer:
    """What the three have in common: sockets, the script, the record."""

    path: ClassVar[str] = ""

    def __init__(self) -> None:
        self.script: list[Step] = []
        self.requests: list[Recorded] = []
        self.hung_up = asyncio.Event()
        """Set when a client closes its connection before its answer is complete."""
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def base_url(self) -> str:
        """The base URL for a channel."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}{self.path}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await self._server.wait_closed()

    def events(self, reply: Reply) -> Iterator[bytes]:
        """The answer as server-sent events."""
        raise NotImplementedError

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while (request := await _read_request(reader)) is not None:
                self.requests.append(request)
                step = self.script.pop(0) if self.script else Reply("ok")
                answer = step if isinstance(step, Reply | Fault) else step(request)
                if isinstance(answer, Fault):
                    await _write_fault(writer, answer)
                elif not await self._write_reply(reader, writer, answer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up.set()
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _write_reply(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, reply: Reply) -> bool:
        """Stream a reply; False when the connection is of no more use."""
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        closed = asyncio.create_task(reader.read(1))
        try:
            async for event in self._paced(reply, closed):
                writer.write(b"%x\r\n%s\r\n" % (len(event), event))
                await writer.drain()
            if closed.done():
                self.hung_up.set()
                return False
            if reply.cut_after is not None and not reply.ends_early and reply.error_event is None:
                writer.transport.abort()
                return False
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        finally:
            still_open = closed.cancel()
        return still_open and False  # one request a connection: the probe above may have taken a byte

    async def _paced(self, reply: Reply, closed: "asyncio.Task[bytes]") -> AsyncIterator[bytes]:
        for number, event in enumerate(self.events(reply)):
            if number == reply.cut_after:
                break
            yield event
            if reply.gate is not None and number == reply.gate_after:
                waiting = asyncio.create_task(reply.gate.wait())
                await asyncio.wait((waiting, closed), return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
            if closed.done():
                return
        if reply.error_event is not None:
            yield _sse(reply.error_event, "error")


class OpenAiServer(FakeServer):
    """Chat Completions."""

    path = "/v1"

    def events(self, reply: Reply) -> Iterator[bytes]:
        yield self._chunk(reply, {"role": "assistant", "content": ""})
        for piece in _pieces(reply.thinking):
            yield self._chunk(reply, {"reasoning_content": piece})
        for piece in _pieces(reply.text):
            yield self._chunk(reply, {"content": piece})
        for index, call in enumerate(reply.calls):
            start = {"index": index, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
            yield self._chunk(reply, {"tool_calls": [start]})
            for piece in _pieces(call.arguments):
                yield self._chunk(reply, {"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
        yield self._chunk(reply, {}, reply.finish or ("tool_calls" if reply.calls else "stop"))
        yield _sse({**_frame(reply), "choices": [], "usage": self.usage(reply.usage)})
        yield b"data: [DONE]\n\n"

    def usage(self, usage: Usage) -> Json:
        """Cached tokens are part of the prompt tokens."""
        return {
            "prompt_tokens": usage.input_tokens,
            "completion_tokens": usage.output_tokens,
            "total_tokens": usage.input_tokens + usage.output_tokens,
            "prompt_tokens_details": {"cached_tokens": usage.cache_read_tokens},
        }

    def _chunk(self, reply: Reply, delta: Json, finish: str | None = None) -> bytes:
        return _sse({**_frame(reply), "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


class DeepSeekServer(OpenAiServer):
    """DeepSeek: the same with `reasoning_content` and its own names for cached tokens."""

    path = ""

    def usage(self, usage: Usage) -> Json:
        return {
            "prompt_tokens": usage.input_tokens,
            "completion_tokens": usage.output_tokens,
            "total_tokens": usage.input_tokens + usage.output_tokens,
            "prompt_cache_hit_tokens": usage.cache_read_tokens,
            "prompt_cache_miss_tokens": usage.input_tokens - usage.cache_read_tokens,
        }


class AnthropicServer(FakeServer):
    """The Messages API."""

    def events(self, reply: Reply) -> Iterator[bytes]:
        start: Json = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": reply.model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": self.usage(reply.usage, 1),
        }
        yield _sse({"type": "message_start", "message": start}, "message_start")
        for index, (block, deltas) in enumerate(_blocks(reply)):
            yield _sse({"type": "content_block_start", "index": index, "content_block": block}, "content_block_start")
            for delta in deltas:
                yield _sse({"type": "content_block_delta", "index": index, "delta": delta}, "content_block_delta")
            yield _sse({"type": "content_block_stop", "index": index}, "content_block_stop")
        stop = reply.finish or ("tool_use" if reply.calls else "end_turn")
        delta = {"stop_reason": stop, "stop_sequence": None}
        yield _sse({"type": "message_delta", "delta": delta, "usage": self.usage(reply.usage, reply.usage.output_tokens)}, "message_delta")
        yield _sse({"type": "message_stop"}, "message_stop")

    def usage(self, usage: Usage, output_tokens: int) -> Json:
        """Cached tokens stand beside the input tokens."""
        return {
            "input_tokens": usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens,
            "cache_read_input_tokens": usage.cache_read_tokens,
            "cache_creation_input_tokens": usage.cache_write_tokens,
            "output_tokens": output_tokens,
        }


class ResponsesServer(FakeServer):
    """OpenAI's Responses API: one reasoning item, one message, calls."""

    path = "/v1"

    def events(self, reply: Reply) -> Iterator[bytes]:
        response: Json = {"id": "resp_1", "object": "response", "created_at": 1, "model": reply.model, "output": [], "tools": []}
        response |= {"parallel_tool_calls": True, "tool_choice": "auto", "status": "in_progress"}
        number = iter(range(1_000_000))

        def event(kind: str, **fields: Any) -> bytes:
            return _sse({"type": kind, "sequence_number": next(number), **fields}, kind)

        yield event("response.created", response=response)
        items = list(_response_items(reply))
        for index, item in enumerate(items):
            yield event("response.output_item.added", output_index=index, item={**item, "status": "in_progress"} | _emptied(item))
            yield from _item_deltas(event, index, item)
            yield event("response.output_item.done", output_index=index, item=item)
        usage = {
            "input_tokens": reply.usage.input_tokens,
            "input_tokens_details": {"cached_tokens": reply.usage.cache_read_tokens},
            "output_tokens": reply.usage.output_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": reply.usage.input_tokens + reply.usage.output_tokens,
        }
        done = response | {"status": "completed", "output": items, "usage": usage}
        if reply.finish is None:
            yield event("response.completed", response=done)
        else:
            yield event("response.incomplete", response=done | {"status": "incomplete", "incomplete_details": {"reason": reply.finish}})


def _response_items(reply: Reply) -> Iterator[Json]:
    if reply.thinking:
        summary = [{"type": "summary_text", "text": reply.thinking}]
        yield {"id": "rs_1", "type": "reasoning", "summary": summary, "encrypted_content": reply.signature}
    if reply.text:
        content = [{"type": "output_text", "text": reply.text, "annotations": []}]
        yield {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": content}
    for call in reply.calls:
        item: Json = {"id": f"fc_{call.id}", "type": "function_call", "status": "completed"}
        yield item | {"call_id": call.id, "name": call.name, "arguments": call.arguments}


def _emptied(item: Json) -> Json:
    empty: dict[str, Json] = {"reasoning": {"summary": []}, "message": {"content": []}, "function_call": {"arguments": ""}}
    return empty[item["type"]]


def _item_deltas(event: Callable[..., bytes], index: int, item: Json) -> Iterator[bytes]:
    place = {"output_index": index, "item_id": item["id"]}
    if item["type"] == "reasoning":
        part = {"type": "summary_text", "text": ""}
        yield event("response.reasoning_summary_part.added", **place, summary_index=0, part=part)
        for piece in _pieces(item["summary"][0]["text"]):
            yield event("response.reasoning_summary_text.delta", **place, summary_index=0, delta=piece)
    elif item["type"] == "message":
        text_part: Json = {"type": "output_text", "text": "", "annotations": []}
        yield event("response.content_part.added", **place, content_index=0, part=text_part)
        for piece in _pieces(item["content"][0]["text"]):
            yield event("response.output_text.delta", **place, content_index=0, delta=piece, logprobs=[])
    else:
        for piece in _pieces(item["arguments"]):
            yield event("response.function_call_arguments.delta", **place, delta=piece)
        yield event("response.function_call_arguments.done", **place, name=item["name"], arguments=item["arguments"])


def _blocks(reply: Reply) -> Iterator[tuple[Json, list[Json]]]:
    if reply.redacted is not None:
        yield {"type": "redacted_thinking", "data": reply.redacted}, []
    if reply.thinking:
        deltas: list[Json] = [{"type": "thinking_delta", "thinking": piece} for piece in _pieces(reply.thinking)]
        yield {"type": "thinking", "thinking": "", "signature": ""}, [*deltas, {"type": "signature_delta", "signature": reply.signature}]
    if reply.text:
        yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in _pieces(reply.text)]
    for call in reply.calls:
        pieces: list[Json] = [{"type": "input_json_delta", "partial_json": piece} for piece in _pieces(call.arguments)]
        block: Json = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
        yield block, pieces


def _pieces(text: str) -> list[str]:
    return [text[start : start + _PIECE_CHARS] for start in range(0, len(text), _PIECE_CHARS)]


def _frame(reply: Reply) -> Json:
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": reply.model}


def _sse(payload: Json, event: str | None = None) -> bytes:
    head = f"event: {event}\n" if event else ""
    return f"{head}data: {json.dumps(payload, ensure_ascii=False)}\n\n".encode()


async def _read_request(reader: asyncio.StreamReader) -> Recorded | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    return Recorded(method, path, headers, json.loads(raw) if raw else {})


async def _write_fault(writer: asyncio.StreamWriter, fault: Fault) -> None:
    await asyncio.sleep(fault.delay_seconds)
    is_text = isinstance(fault.body, str)
    raw = b"" if fault.body is None else (fault.body if is_text else json.dumps(fault.body)).encode()
    kind = "text/html" if is_text else "application/json"
    fields = {"content-type": kind, "content-length": str(len(raw)), **fault.headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    writer.write(f"HTTP/1.1 {fault.status} Fault\r\n{head}\r\n".encode() + raw)
    await writer.drain()
