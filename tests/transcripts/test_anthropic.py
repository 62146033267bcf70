"""Requests of the Anthropic Messages API are read block by block."""

import json
from pathlib import Path
from typing import Any

import pytest

from netaclaw.domain.messages import Image, Message, Opaque, Text, Thinking, ToolCall, Usage
from netaclaw.transcripts import from_anthropic
from tests.builders import tool_result, user
from tests.transcripts.reading import chat, read_text, spoken, warned

USE = {"type": "tool_use", "id": "c", "name": "f", "input": {"a": "é"}}
RESULT = {"type": "tool_result", "tool_use_id": "c", "content": "r"}


@pytest.mark.parametrize(
    ("block", "part"),
    [
        ({"type": "text", "text": "a", "cache_control": {}}, Text("a", {"anthropic": {"cache_control": {}}})),
        ({"text": "a"}, Text("a", {"anthropic": {}})),
        ({"type": "thinking", "thinking": "t", "signature": "s=="}, Thinking("t", "s==")),
        ({"type": "thinking", "thinking": "t", "signature": ""}, Thinking("t")),
        ({"type": "redacted_thinking", "data": "d=="}, Thinking("", encrypted="d==")),
        (USE, ToolCall("c", "f", '{"a": "é"}')),
        ({"type": "tool_use", "name": "f", "input": None, "caller": 1}, ToolCall("", "f", "{}", {"anthropic": {"caller": 1}})),
        ({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QQ=="}},
         Image("image/png", "QQ==", extra={"anthropic": {}})),
        ({"type": "image", "source": {"type": "url", "url": "https://e.org/a", "x": 1}},
         Image(url="https://e.org/a", extra={"anthropic": {"source": {"x": 1}}})),
        ({"type": "image", "source": {"type": "file", "file_id": "f"}},
         Opaque("image", {"type": "image", "source": {"type": "file", "file_id": "f"}})),
        ({"type": "document", "source": {}}, Opaque("document", {"type": "document", "source": {}})),
        ({"type": "server_tool_use", "id": "x"}, Opaque("server_tool_use", {"type": "server_tool_use", "id": "x"})),
        ({"type": 5, "a": 1}, Text('{"type": 5, "a": 1}', {"anthropic": {}})),
        ({"type": "text", "text": 5}, Text("5", {"anthropic": {}})),
    ],
)  # fmt: skip
def test_a_block_becomes_a_part(block: dict[str, Any], part: Any) -> None:
    assert from_anthropic([chat("assistant", [block])]) == [Message("assistant", (part,))]


def test_results_become_messages_of_their_own_before_the_text() -> None:
    blocks = [RESULT, RESULT | {"tool_use_id": "d", "is_error": True, "content": []}, {"type": "text", "text": "and"}]
    assert from_anthropic([chat("user", blocks)]) == [
        tool_result("c", "r"),
        Message("tool", tool_call_id="d", is_error=True, meta={"anthropic": {"empty": []}}),
        Message("user", (Text("and", {"anthropic": {}}),)),
    ]


def test_a_result_may_hold_pictures_and_its_own_keys() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QQ=="}}
    result = RESULT | {"content": [{"type": "text", "text": "r"}, image], "is_error": False, "cache_control": {}}
    assert from_anthropic([chat("user", [result])]) == [
        Message(
            "tool",
            (Text("r", {"anthropic": {}}), Image("image/png", "QQ==", extra={"anthropic": {}})),
            tool_call_id="c",
            meta={"anthropic": {"block": {"is_error": False, "cache_control": {}}}},
        )
    ]


@pytest.mark.parametrize(
    ("prompt", "parts"),
    [
        ("s", (Text("s"),)),
        ([{"type": "text", "text": "s", "cache_control": {}}], (Text("s", {"anthropic": {"cache_control": {}}}),)),
    ],
)
def test_the_system_prompt_is_the_first_message(tmp_path: Path, prompt: Any, parts: tuple[Any, ...]) -> None:
    request = {"system": prompt, "messages": [chat("user", "a")], "max_tokens": 5}
    assert from_anthropic(request) == [Message("system", parts), user("a")]
    transcript = read_text(tmp_path, json.dumps(request))
    assert (list(transcript), transcript.format) == (from_anthropic(request), "anthropic")


@pytest.mark.parametrize(
    ("text", "format_name"),
    [
        (json.dumps([chat("assistant", [USE]), chat("user", [RESULT])]), "anthropic"),
        ("\n".join(json.dumps(message) for message in [chat("assistant", [USE]), chat("user", [RESULT])]), "anthropic"),
        (json.dumps({"messages": [chat("assistant", [{"type": "thinking", "thinking": "t", "signature": "s"}])]}), "anthropic"),
        (json.dumps({"messages": [chat("user", [{"type": "text", "text": "a"}])]}), "openai"),
        (json.dumps([chat("assistant", [{"type": "thinking", "thinking": "t"}]), chat("tool", "r", tool_call_id="c")]), "openai"),
    ],
)
def test_the_form_is_told_by_its_blocks(tmp_path: Path, text: str, format_name: str) -> None:
    assert read_text(tmp_path, text).format == format_name


def test_a_recorded_response_keeps_model_usage_and_stop_reason() -> None:
    response = chat("assistant", [], id="m", model="x", stop_reason="end_turn", usage={"input_tokens": 5, "output_tokens": 2})
    keys = {key: value for key, value in response.items() if key not in ("role", "content")}
    assert from_anthropic(response) == [
        Message("assistant", usage=Usage(5, 2), model="x", stop_reason="end_turn", meta={"anthropic": {"keys": keys}})
    ]


def test_what_is_mended_is_told(tmp_path: Path) -> None:
    messages = [
        chat("assistant", [USE]),
        chat("user", [{"type": "text", "text": "a"}, RESULT, "bare"]),
        chat("odd", "o"),
        chat("user", 5),
    ]
    transcript = read_text(tmp_path, json.dumps({"system": "s", "messages": messages}))
    assert spoken(transcript) == [("system", "s"), ("assistant", ""), ("tool", "r"), ("user", "a\nbare"), ("user", "o"), ("user", "5")]
    assert warned(transcript) == [
        "file: message 2: the tool results were put before the other content",
        "file: message 3: the unknown role 'odd'; its text was kept as a notice",
    ]


def test_a_document_without_messages_gives_none() -> None:
    assert from_anthropic({}) == []
    assert from_anthropic({"messages": 5, "system": None}) == []
