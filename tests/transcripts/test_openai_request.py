"""Chat messages of the OpenAI API come back as they were, and those of another form become valid ones."""

from typing import Any

import pytest

from netaclaw.domain.messages import Image, Message, Opaque, Text, Thinking, ToolCall
from netaclaw.transcripts import from_anthropic, from_openai, to_openai
from tests.builders import assistant, tool_call, tool_result, user
from tests.transcripts.reading import chat

PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QQ=="}}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}


@pytest.mark.parametrize(
    "message",
    [
        chat("system", "s"),
        chat("developer", "d"),
        chat("user", ""),
        chat("user", [], name="ann"),
        chat("user", [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]),
        chat("user", [{"type": "text", "text": "a"}, {"type": "text", "text": ""}]),
        chat("user", [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "https://e.org/a", "detail": "low"}}]),
        chat("user", [PICTURE | {"cache_control": {}}]),
        chat("user", [{"type": "image_url", "image_url": "https://e.org/a"}]),
        chat("user", [{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "https://e.org/a", "detail": "auto"}]),
        chat("user", [{"type": "input_audio", "input_audio": {"data": "QQ==", "format": "wav"}}, {"type": "new_block", "x": [1]}]),
        chat("assistant", "a", audio={"id": "x"}, annotations=[]),
        chat("assistant", None),
        chat("assistant", "", tool_calls=[CALL]),
        chat("assistant", None, tool_calls=[CALL, CALL | {"index": 1}]),
        {"role": "assistant", "tool_calls": [CALL]},
        chat("assistant", [], tool_calls=[CALL]),
        chat("assistant", None, tool_calls=[{"id": "c", "type": "function", "function": {"name": "f", "arguments": "", "strict": True}}]),
        chat("assistant", None, tool_calls=[{"id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls"}}]),
        chat("assistant", "a", tool_calls=[], tool_call_id=None, name=None, refusal=None, function_call=None),
        chat("assistant", None, refusal="I will not"),
        chat("assistant", "partly", refusal="but not this"),
        chat("assistant", [{"type": "text", "text": "a"}, {"type": "refusal", "refusal": "no"}]),
        chat("assistant", "a", reasoning_content="why", reasoning="why", reasoning_details=[{"type": "x"}]),
        chat("assistant", None, tool_calls=[CALL], reasoning_content="why"),
        chat("tool", "r", tool_call_id="c1"),
        chat("tool", "r", tool_call_id="c1", name="f", extra_key={"a": None}),
        chat("tool", [{"type": "text", "text": "r"}, PICTURE], tool_call_id="c1"),
        chat("tool", "", tool_call_id=""),
        chat("user", "\ud800 压缩 \0"),
    ],
)
def test_a_message_comes_back_as_it_was(message: dict[str, Any]) -> None:
    assert to_openai(from_openai([message])) == [message]


def test_a_text_that_was_changed_is_written_as_plain_text() -> None:
    read = from_openai([chat("user", [{"type": "text", "text": "a", "cache_control": {}}])])
    assert to_openai([read[0].with_text("b")]) == [chat("user", "b")]


def test_pictures_of_results_travel_in_a_user_message_behind_the_block() -> None:
    picture = Image("image/png", "QQ==")
    messages = [
        assistant("", tool_call("a"), tool_call("b")),
        Message("tool", (Text("one"), picture), tool_call_id="a"),
        Message("tool", (picture,), tool_call_id="b"),
        user("go on"),
    ]
    assert to_openai(messages)[1:] == [
        chat("tool", "one", tool_call_id="a"),
        chat("tool", "[see the pictures in the next message]", tool_call_id="b"),
        chat("user", [{"type": "text", "text": "[Pictures of the tool results above]"}, PICTURE, PICTURE]),
        chat("user", "go on"),
    ]


def test_messages_of_anthropic_become_valid_ones() -> None:
    messages = from_anthropic(
        {
            "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}],
            "messages": [
                chat("user", [{"type": "document", "source": {}}, {"type": "text", "text": "a", "citations": []}]),
                chat(
                    "assistant",
                    [{"type": "thinking", "thinking": "t", "signature": "s"}, {"type": "tool_use", "id": "c", "name": "f", "input": {}}],
                ),
                chat("user", [{"type": "tool_result", "tool_use_id": "c", "content": "r", "is_error": True, "cache_control": {}}]),
            ],
        }
    )
    assert to_openai(messages) == [
        chat("system", "s"),
        chat("user", "[document]\na"),
        chat("assistant", None, tool_calls=[{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]),
        chat("tool", "r", tool_call_id="c"),
    ]


@pytest.mark.parametrize(
    ("message", "content"),
    [
        (Message("user", (Text("a"), Image())), "a"),
        (Message("user", (Image("image/png", width=1, height=2),)), "[image image/png 1x2]"),
        (
            Message("user", (Text("a"), Image(url="https://e.org/a"))),
            [{"type": "text", "text": "a"}, PICTURE | {"image_url": {"url": "https://e.org/a"}}],
        ),
        (Message("assistant", (Text("a"), Image("image/png", "QQ=="))), "a\n[image image/png]"),
        (Message("assistant", (Thinking("t", "sig"), Text("a"), Text("b"))), "a\nb"),
        (Message("user", (Opaque("document", {"type": "document"}),)), "[document]"),
    ],
)
def test_parts_that_cannot_be_sent_are_named(message: Message, content: Any) -> None:
    assert to_openai([message]) == [chat(message.role, content)]


@pytest.mark.parametrize("arguments", ['{"input": "ls"}', "[cut", "[1]"])
def test_the_input_of_a_custom_tool_survives_other_arguments(arguments: str) -> None:
    call = ToolCall("c", "sh", arguments, {"openai": {"type": "custom"}})
    custom = to_openai([Message("assistant", (call,))])[0]["tool_calls"][0]["custom"]
    assert custom == {"name": "sh", "input": "ls" if "input" in arguments else arguments}


def test_a_result_without_an_id_gets_an_empty_one() -> None:
    assert to_openai([Message("tool", (Text("r"),))]) == [chat("tool", "r", tool_call_id="")]
    assert to_openai([tool_result("c", "")]) == [chat("tool", "", tool_call_id="c")]
