"""The chat model that needs no key and no network. It is no language model and says so: it searches its context, takes down what is
decided, and calls the tools that the user names."""

import asyncio
import json
from collections.abc import AsyncIterator

from netaclaw.compaction import CompactionSettings, message_counter
from netaclaw.compaction.material import detect_language
from netaclaw.domain.messages import Message, Part, Text, ToolCall, Usage, text_message
from netaclaw.providers.base import Finished, ModelRequest, StreamEvent, TextDelta, ToolCallDelta
from netaclaw.providers.offline_answer import answer_from_context
from netaclaw.providers.offline_calls import asked_call
from netaclaw.providers.offline_notes import note_of
from netaclaw.providers.offline_report import report_of_results
from netaclaw.providers.offline_words import own_words

MODEL_NAME = "offline"
_PIECE_CHARS = 24


class OfflineChat:
    """Answers at once; the pause between two pieces only lets the screen breathe."""

    def __init__(self, pause_seconds: float = 0.0) -> None:
        self._pause_seconds = pause_seconds

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        """Yield the answer in pieces, then `Finished`; usage is counted with o200k."""
        parts = await asyncio.to_thread(_reply, request)
        for part in parts:
            if isinstance(part, Text):
                for start in range(0, len(part.text), _PIECE_CHARS):
                    yield TextDelta(part.text[start : start + _PIECE_CHARS])
                    await asyncio.sleep(self._pause_seconds)
            elif isinstance(part, ToolCall):
                yield ToolCallDelta(0, part.name, "")
                yield ToolCallDelta(0, None, part.arguments)
        usage = await asyncio.to_thread(_usage, request, parts)
        has_call = any(isinstance(part, ToolCall) for part in parts)
        yield Finished(Message("assistant", parts, usage=usage, model=MODEL_NAME, stop_reason="tool_calls" if has_call else "stop"))


def _reply(request: ModelRequest) -> tuple[Part, ...]:
    messages = request.messages
    language = detect_language(messages)
    call = asked_call(messages, request.tools)
    if call is not None:
        return call
    asked = next((own_words(message) for message in reversed(messages) if message.role == "user"), "")
    note = note_of(asked, language)
    if messages and messages[-1].role == "tool":
        return (Text("\n\n".join(filter(None, (note, report_of_results(messages, language))))),)
    return (Text(note or answer_from_context(messages, language, [tool.name for tool in request.tools])),)


def _usage(request: ModelRequest, parts: tuple[Part, ...]) -> Usage:
    count = message_counter(CompactionSettings(counter="o200k"))
    tools = (f"{tool.name} {tool.description} {json.dumps(dict(tool.parameters))}" for tool in request.tools)
    prompt = [text_message("system", text) for text in (*request.system_prompt, *tools)]
    return Usage(sum(count(message) for message in (*prompt, *request.messages)), max(1, count(Message("assistant", parts))))
