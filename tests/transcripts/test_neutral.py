"""The neutral form comes back exactly, and what is malformed is mended."""

from pathlib import Path
from typing import Any

import pytest

from netaclaw.domain.messages import Image, Message, Opaque, Text, Thinking, ToolCall
from netaclaw.transcripts import from_neutral, to_neutral
from tests.builders import assistant, system, tool_call, tool_result, user
from tests.transcripts.reading import chat, read_records, read_text, spoken, warned


def neutral(role: str, content: str = "", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "tool_calls": [], "tool_call_id": None, "name": None, "meta": {}, **more}


CALL = {"id": "c1", "name": "read_file", "arguments": '{"path": "a.py"}'}
CONVERSATION = [
    neutral("system", "Be brief."),
    neutral("user", "read"),
    neutral("assistant", "reading", tool_calls=[CALL]),
    neutral("tool", "text", tool_call_id="c1", name="read_file"),
]


def test_neutral_dictionaries_become_messages() -> None:
    assert from_neutral(CONVERSATION) == [
        system("Be brief."),
        user("read"),
        assistant("reading", tool_call("c1", path="a.py")),
        tool_result("c1", "text", "read_file"),
    ]


@pytest.mark.parametrize(
    "record",
    [
        *CONVERSATION,
        neutral("assistant"),
        neutral("tool", "x", tool_call_id=""),
        neutral("assistant", "", tool_calls=[{"id": "", "name": "", "arguments": ""}, {"id": "a", "name": "f", "arguments": '{"cut'}]),
        neutral("user", "x") | {"tokens": 17},
        neutral("user", "x") | {"tokens": 0},
        neutral("assistant", "x", tool_calls=[CALL | {"signature": "s"}]),
        neutral("user", "\ud800 \0 \u2028 压缩"),
    ],
)
def test_a_neutral_dictionary_comes_back_with_its_keys_in_order(record: dict[str, Any]) -> None:
    written = to_neutral(from_neutral([record]))
    assert written == [record]
    assert list(written[0]) == list(record)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        (["a", ["b"]], "ab"),
        (None, ""),
        (5, "5"),
        ({"text": "t"}, "t"),
        ({"odd": 1}, '{"odd": 1}'),
    ],
)
def test_content_of_another_shape_becomes_one_text(content: Any, text: str) -> None:
    assert [message.text for message in from_neutral([chat("user", content)])] == [text]


def test_pictures_in_a_content_list_are_kept() -> None:
    content = [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,QQ=="}}]
    assert from_neutral([chat("user", content)]) == [Message("user", (Text("see"), Image("image/png", "QQ==")))]


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        ({"id": 5, "name": "f", "arguments": {"a": "é"}}, ToolCall("5", "f", '{"a": "é"}')),
        ({"id": None, "name": None, "arguments": None}, ToolCall("", "", "{}")),
        ({}, ToolCall("", "", "{}")),
        ({"id": "a", "type": "function", "function": {"name": "g", "arguments": "[1"}}, ToolCall("a", "g", "[1")),
        ({"id": "a", "function": 5}, ToolCall("a", "", "{}")),
    ],
)
def test_a_malformed_call_is_mended(call: Any, meant: ToolCall) -> None:
    assert from_neutral([chat("assistant", "", tool_calls=[call])]) == [Message("assistant", (meant,))]


@pytest.mark.parametrize("tokens", [None, "5", -1, True, 1.5, []])
def test_tokens_that_are_no_count_are_forgotten(tokens: Any) -> None:
    assert from_neutral([chat("user", "a", tokens=tokens)]) == [user("a")]


def test_what_is_malformed_is_told(tmp_path: Path) -> None:
    transcript = read_records(
        tmp_path,
        chat("user", "a", meta=[]),
        chat("user", "b", tool_calls=[CALL]),
        chat("assistant", "c", tool_calls="x"),
        chat("assistant", "d", tool_calls=[1, CALL]),
        chat("tool", None, output="from output", tool_call_id="c1"),
    )
    assert spoken(transcript) == [("user", "a"), ("user", "b"), ("assistant", "c"), ("assistant", "d"), ("tool", "from output")]
    assert warned(transcript) == [
        "file:1: `meta` is no object; it was left out",
        "file:2: calls in a message of role user; they were left out",
        "file:3: `tool_calls` is no list; it was left out",
        "file:4: 1 calls are no objects; they were left out",
    ]


def test_a_list_of_anything_is_read_without_an_exception() -> None:
    odd: Any = ["x", 5, None, {"role": "odd"}, chat("user", "a")]
    assert from_neutral(odd) == [user("a")]


def test_several_texts_are_joined_by_a_line_break_and_blocks_travel_in_meta() -> None:
    message = Message("assistant", (Text("a"), Thinking("t", "sig"), Text("b"), Opaque("document", {"type": "document"})))
    assert to_neutral([message]) == [
        neutral(
            "assistant",
            "a\nb",
            meta={"thinking": [{"text": "t", "signature": "sig"}], "opaque": [{"kind": "document", "payload": {"type": "document"}}]},
        )
    ]


@pytest.mark.parametrize(
    ("text", "format_name"),
    [
        ('{"role": "user", "content": "a"}\n{"role": "assistant", "content": "b"}', "neutral"),
        ('{"role": "user", "content": "a"}', "neutral"),
        ('[{"role": "user", "content": "a", "meta": {}}]', "neutral"),
        ('{"messages": [{"role": "assistant", "content": "", "tool_calls": [{"id": "a", "name": "f", "arguments": "{}"}]}]}', "neutral"),
        ('[{"role": "user", "content": "a"}]', "openai"),
    ],
)
def test_bare_chat_messages_are_neutral_in_lines_and_openai_in_an_array(tmp_path: Path, text: str, format_name: str) -> None:
    assert read_text(tmp_path, text).format == format_name
