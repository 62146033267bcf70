"""Chat messages of the OpenAI API are read with all that real files put into them."""

import json
from pathlib import Path
from typing import Any

import pytest

from netaclaw.domain.messages import Image, Message, Opaque, Text, Thinking, ToolCall
from netaclaw.transcripts import from_openai
from tests.builders import assistant, system, tool_call, tool_result, user
from tests.transcripts.reading import chat, read_records, read_text, spoken, warned

CALL = {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "a.py"}'}}
CONVERSATION = [
    chat("system", "Be brief."),
    chat("user", "read"),
    chat("assistant", None, tool_calls=[CALL]),
    chat("tool", "text", tool_call_id="c1"),
]
MESSAGES = [system("Be brief."), user("read"), assistant("", tool_call("c1", path="a.py")), tool_result("c1", "text")]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(CONVERSATION),
        json.dumps(CONVERSATION, indent=1),
        json.dumps({"model": "m", "tools": [], "messages": CONVERSATION}),
        "\n".join(json.dumps(message) for message in CONVERSATION),
    ],
)
def test_an_array_a_request_and_lines_are_read_alike(tmp_path: Path, text: str) -> None:
    transcript = read_text(tmp_path, text)
    assert (list(transcript), transcript.format, transcript.warnings) == (MESSAGES, "openai", ())


def test_the_logged_reply_of_a_request_is_its_last_message(tmp_path: Path) -> None:
    log = {"messages": CONVERSATION, "response": {"choices": [{"message": chat("assistant", "done")}]}}
    assert spoken(read_text(tmp_path, json.dumps(log)))[-1] == ("assistant", "done")


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        (chat("developer", "d"), Message("system", (Text("d"),), meta={"openai": {"role": "developer"}})),
        (chat("user", [{"type": "text", "text": "a", "cache_control": {}}]),
         Message("user", (Text("a", {"openai": {"cache_control": {}}}),))),
        (chat("user", [{"type": "image_url", "image_url": {"url": "https://e.org/a", "detail": "low"}}]),
         Message("user", (Image(url="https://e.org/a", extra={"openai": {"image_url": {"detail": "low"}}}),))),
        (chat("user", [{"type": "input_image", "image_url": "data:image/png;base64,QQ=="}]),
         Message("user", (Image("image/png", "QQ==", extra={"openai": {"type": "input_image"}}),))),
        (chat("user", [{"type": "file", "file": {"file_id": "f"}}]),
         Message("user", (Opaque("openai.file", {"type": "file", "file": {"file_id": "f"}}),))),
        (chat("assistant", "a", reasoning_content="why"),
         Message("assistant", (Thinking("why", extra={"openai": {"key": "reasoning_content"}}), Text("a")))),
        (chat("assistant", None, refusal="no"),
         Message("assistant", (Text("no", {"openai": {"key": "refusal"}}),), meta={"openai": {"empty": None}})),
        (chat("assistant", "a", tool_calls=None), Message("assistant", (Text("a"),), meta={"openai": {"keys": {"tool_calls": None}}})),
        (chat("assistant", None, tool_calls=[{"id": 5, "function": {"name": "f", "arguments": {"a": 1}}}]),
         Message("assistant", (ToolCall("5", "f", '{"a": 1}'),))),
        (chat("assistant", None, tool_calls=[{"id": "x", "type": "custom", "custom": {"name": "sh", "input": "ls"}}]),
         Message("assistant", (ToolCall("x", "sh", '{"input": "ls"}', {"openai": {"type": "custom"}}),))),
        (chat("tool", 5, tool_call_id=None, name="f"), Message("tool", (Text("5"),), tool_call_id="", name="f")),
    ],
)  # fmt: skip
def test_a_message_becomes_ours(message: dict[str, Any], meant: Message) -> None:
    assert from_openai([message]) == [meant]


def test_the_legacy_function_form_becomes_the_tool_form() -> None:
    call = {"name": "f", "arguments": "{}"}
    messages = from_openai([
        chat("assistant", None, function_call=call),
        chat("function", "one", name="f"),
        chat("assistant", None, function_call=call),
        chat("function", "two", name="f"),
        chat("function", "three", name="f"),
    ])  # fmt: skip
    assert messages == [
        assistant("", ToolCall("call_function_1", "f", "{}")),
        tool_result("call_function_1", "one", "f"),
        assistant("", ToolCall("call_function_2", "f", "{}")),
        tool_result("call_function_2", "two", "f"),
        tool_result("", "three", "f"),
    ]


def test_messages_of_unknown_roles_are_told(tmp_path: Path) -> None:
    transcript = read_records(tmp_path, chat("developer", "d"), chat("odd", "o"), {"role": "session_meta", "content": None})
    assert spoken(transcript) == [("system", "d"), ("user", "o")]
    assert warned(transcript) == [
        "file:2: the unknown role 'odd'; its text was kept as a notice",
        "file:3: the unknown role 'session_meta' and no text; it was left out",
    ]


def test_a_document_without_messages_gives_none() -> None:
    assert from_openai({}) == []
    assert from_openai({"messages": None}) == []
    assert from_openai({"messages": [5, "x"]}) == []
    assert from_openai(chat("user", "one message")) == [user("one message")]
