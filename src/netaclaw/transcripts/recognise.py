"""Says what a file is that no reader of this version reads, so that a person knows whether it is the wrong file or the wrong form."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from netaclaw.transcripts.base import Document

_Test: TypeAlias = Callable[[Mapping[str, Any]], bool]

_SAMPLED = 50
_SSE = re.compile(r"(?:event|data|id): ?\S")
_YAML = re.compile(r"(?:---\s|[A-Za-z_][\w -]*:(?:\s|$))")
_MARKUP = re.compile(r"<[!?A-Za-z]")


def what_document_looks_like(document: Document) -> str | None:
    """Return the name of a known form that is not read, or None."""
    if document.form == "lines" and len(document.records) > 1 and all("messages" in record.value for record in document.sample):
        return "a data set, one conversation a line"
    sample = list(_sample(document))
    return next((name for name, test in _FORMS if any(test(value) for value in sample)), None)


def what_text_looks_like(text: str) -> str | None:
    """Return the name of a form of text that is not JSON, or None."""
    if _SSE.match(text):
        return "an event stream (SSE)"
    if _MARKUP.match(text):
        return "XML or HTML"
    if text.startswith("#"):
        return "Markdown"
    return "YAML" if _YAML.match(text) else None


def _sample(document: Document) -> Iterator[Mapping[str, Any]]:
    """Yield the first records, and the first objects in the lists that one whole object holds."""
    yield from (record.value for record in document.records[:_SAMPLED])
    nested = document.top.get("values")
    for holder in (document.top, nested if isinstance(nested, Mapping) else {}):
        for value in holder.values():
            if isinstance(value, list):
                yield from (element for element in value[:_SAMPLED] if isinstance(element, Mapping))


def _is_type(*names: str) -> _Test:
    return lambda value: value.get("type") in names


def _has(*keys: str) -> _Test:
    return lambda value: all(key in value for key in keys)


def _message_has(key: str, *, typed: bool) -> _Test:
    return lambda value: (
        isinstance(value.get("message"), Mapping) and key in value["message"] and ("type" in value) == typed and ("role" in value) != typed
    )


def _is_openhands_event(value: Mapping[str, Any]) -> bool:
    return "source" in value and ("action" in value or "observation" in value)


def _is_gemini(value: Mapping[str, Any]) -> bool:
    return value.get("type") == "gemini" or ("role" in value and "parts" in value) or "projectHash" in value


def _is_dotted_event(value: Mapping[str, Any]) -> bool:
    kind = value.get("type")
    return isinstance(kind, str) and "." in kind and "data" in value


_FORMS: tuple[tuple[str, _Test], ...] = (
    ("a Codex rollout", lambda value: _is_type("session_meta", "response_item", "event_msg", "turn_context")(value) and "payload" in value),
    ("a Codex rollout", _is_type("function_call", "function_result", "function_call_output")),
    ("a Qwen Code session", _message_has("parts", typed=True)),
    ("a Gemini CLI session", _is_gemini),
    ("a SWE-agent trajectory", lambda value: _has("trajectory")(value) or _has("role", "content", "agent")(value)),
    ("OpenHands events", _is_openhands_event),
    ("a LangChain thread", lambda value: _is_type("human", "ai")(value) or _has("lc", "kwargs")(value)),
    ("an Agent TARS event stream", _is_type("agent_run_start", "user_message", "assistant_message", "assistant_streaming_message")),
    ("a Copilot session", _is_dotted_event),
    ("a Kimi session", _is_type("context.append_message", "turn.prompt", "config.update")),
    ("a Cursor transcript", _message_has("content", typed=False)),
    ("a Droid session", lambda value: _is_type("session_start")(value) or _has("type", "toolCallId")(value) or "finalText" in value),
    ("an OpenCode record", lambda value: "sessionID" in value or "projectID" in value or _has("callID", "tool")(value)),
    ("an OpenCode record", lambda value: _has("id", "text", "time")(value) and _is_type("text")(value)),
    ("an Antigravity trajectory", _has("step_index", "source")),
    ("a Grok chat history", lambda value: _is_type("user", "assistant", "system")(value) and "content" in value),
    ("a pydantic-ai history", _has("kind", "parts")),
    ("a ShareGPT data set", lambda value: "conversations" in value or _has("from", "value")(value)),
    ("a ChatGPT export", _has("mapping", "title")),
    ("a Chat Completions response", _has("choices")),
    ("an OpenAI Responses request", lambda value: _has("input", "model")(value) or _has("output", "object")(value)),
)
