"""Requests of the Anthropic Messages API come back as they were, and messages of another form become valid ones."""

from typing import Any

import pytest

from netaclaw.domain.messages import Image, Message, Opaque, Text, Thinking, ToolCall
from netaclaw.transcripts import from_anthropic, from_openai, to_anthropic
from tests.builders import assistant, system, tool_call, tool_result, user
from tests.transcripts.reading import chat


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def use(call_id: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "f", "input": arguments}


def result(call_id: str, content: Any = "r", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


CACHED = {"cache_control": {"type": "ephemeral"}}
PNG_URL = "data:image/png;base64,QQ=="
PNG = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QQ=="}}


@pytest.mark.parametrize(
    "document",
    [
        {"messages": [chat("user", "a")]},
        {"system": "s", "messages": [chat("user", "a"), chat("assistant", "b")]},
        {"system": [text("s", **CACHED), text("t")], "messages": [chat("user", [text("a")])]},
        {"messages": [chat("user", [text("a", **CACHED), PNG | CACHED, text("b")])]},
        {"messages": [chat("user", [PNG]), chat("assistant", [text("a", citations=[{"type": "char_location"}])])]},
        {"messages": [chat("user", [{"type": "image", "source": {"type": "url", "url": "https://e.org/a.svg"}}])]},
        {"messages": [chat("user", [{"type": "image", "source": {"type": "file", "file_id": "f"}}])]},
        {"messages": [chat("user", [{"type": "document", "source": {"type": "text", "data": "d"}, "title": "t", **CACHED}])]},
        {
            "messages": [
                chat("assistant", [{"type": "thinking", "thinking": "t\n", "signature": "EqsV+/=="}, text("a"), use("c", a=[1.0, None])])
            ]
        },
        {"messages": [chat("assistant", [{"type": "redacted_thinking", "data": "d=="}, use("c") | CACHED, text("after")])]},
        {
            "messages": [
                chat("assistant", [{"type": "server_tool_use", "id": "x", "input": {}}, {"type": "web_search_tool_result", "content": []}])
            ]
        },
        {"messages": [chat("assistant", [use("a"), use("b")]), chat("user", [result("a"), result("b", **CACHED)])]},
        {"messages": [chat("user", [result("a", [text("r", **CACHED), PNG], is_error=True), text("and")])]},
        {"messages": [chat("user", [result("a", is_error=False), result("b", []), result("c", ""), result("d", None)])]},
        {"messages": [chat("user", [{"type": "tool_result", "tool_use_id": "a"}, text("x")])]},
        {
            "messages": [
                chat("user", [result("a")]) | {"id": "m"},
                chat("assistant", "b", model="x", usage={"input_tokens": 1, "output_tokens": 1}),
            ]
        },
        {"messages": [chat("user", "\ud800 压缩")]},
    ],
)
def test_a_request_comes_back_as_it_was(document: dict[str, Any]) -> None:
    assert to_anthropic(from_anthropic(document)) == document


def test_ids_are_unique_in_the_whole_request_and_made_of_allowed_characters() -> None:
    messages = [
        assistant("", tool_call("c|1", "f")),
        tool_result("c|1", "r"),
        assistant("", tool_call("c|1", "f")),
        tool_result("c|1", "r"),
    ]
    assert to_anthropic(messages)["messages"] == [
        chat("assistant", [use("c_1")]),
        chat("user", [result("c_1")]),
        chat("assistant", [use("c_1_2")]),
        chat("user", [result("c_1_2")]),
    ]


@pytest.mark.parametrize(
    ("messages", "written"),
    [
        ([user("a"), user("b")], [chat("user", [text("a"), text("b")])]),
        ([user("a"), system("s"), assistant("b")], [chat("user", [text("a"), text("[SYSTEM] s")]), chat("assistant", "b")]),
        ([user("a"), system(" "), assistant("b")], [chat("user", "a"), chat("assistant", "b")]),
        ([user("a"), tool_result("c", "r")], [chat("user", [result("c"), text("a")])]),
        ([user("a"), assistant(""), user("b")], [chat("user", [text("a"), text("b")])]),
        ([Message("user", (Text(""), Text(" \n"), Text("a")))], [chat("user", [text("a")])]),
        ([assistant("a", thinking="unsigned")], [chat("assistant", [text("a")])]),
        (
            [assistant("a", thinking="t", signature="s")],
            [chat("assistant", [{"type": "thinking", "thinking": "t", "signature": "s"}, text("a")])],
        ),
        ([tool_result("c", "", is_error=True)], [chat("user", [result("c", "", is_error=True)])]),
        ([Message("tool", (Text("r"), Image("image/png", "QQ==")), tool_call_id="c")], [chat("user", [result("c", [text("r"), PNG])])]),
        ([Message("tool", (Image("image/png"),), tool_call_id="c")], [chat("user", [result("c", "[image image/png]")])]),
        ([Message("user", (Image("image/png", width=1, height=2),))], [chat("user", [text("[image image/png 1x2]")])]),
        ([Message("user", (Image("image/svg+xml", "QQ=="),))], [chat("user", [text("[image image/svg+xml]")])]),
        ([Message("user", (Image(url="file:///a"),))], [chat("user", [text("[image image/png]")])]),
        ([Message("assistant", (Text("a"), Image("image/png", "QQ==")))], [chat("assistant", [text("a"), text("[image image/png]")])]),
        ([Message("user", (Opaque("openai.file", {"type": "file"}),))], [chat("user", [text("[file]")])]),
        (
            [Message("assistant", (Text("a"), Thinking("x", extra={"openai": {"key": "reasoning_content"}})))],
            [chat("assistant", [text("a")])],
        ),
    ],
)
def test_messages_of_another_form_become_valid_ones(messages: list[Message], written: list[Any]) -> None:
    assert to_anthropic(messages) == {"messages": written}


@pytest.mark.parametrize(
    ("arguments", "given"),
    [('{"a": 1}', {"a": 1}), ("", {}), ('{"cut', {"unreadable_arguments": '{"cut'}), ("[1]", {"unreadable_arguments": "[1]"})],
)
def test_arguments_are_an_object(arguments: str, given: Any) -> None:
    written = to_anthropic([Message("assistant", (ToolCall("c", "mcp.tool", arguments),))])
    assert written["messages"][0]["content"] == [{"type": "tool_use", "id": "c", "name": "mcp_tool", "input": given}]


def test_leading_system_messages_are_the_system_prompt() -> None:
    assert to_anthropic([system("a"), system("b"), user("c")]) == {"system": "a\n\nb", "messages": [chat("user", "c")]}
    assert to_anthropic([]) == {"messages": []}


def test_messages_of_openai_lose_what_only_openai_knows() -> None:
    messages = from_openai([
        chat("developer", [text("s", **CACHED)]),
        chat("user", [text("a", **CACHED), {"type": "image_url", "image_url": {"url": PNG_URL, "detail": "low"}}], name="ann"),
        chat("assistant", None, reasoning_content="why", refusal="no", audio={"id": "x"}),
    ])  # fmt: skip
    assert to_anthropic(messages) == {"system": "s", "messages": [chat("user", [text("a"), PNG]), chat("assistant", [text("no")])]}
