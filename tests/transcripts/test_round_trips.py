"""Properties over generated messages and documents: nothing is lost within a form, and every form is valid whatever it was made of."""

import io
import json
import re
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from netaclaw.compaction.projection import project
from netaclaw.domain.messages import Message
from netaclaw.transcripts import from_anthropic, from_neutral, from_openai, to_anthropic, to_neutral, to_openai, write_transcript
from tests.strategies import conversations

texts = st.text(max_size=12)
said = st.text(min_size=1, max_size=12).filter(str.strip)
names = st.from_regex(r"[a-zA-Z0-9_-]{1,8}", fullmatch=True)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
objects = st.dictionaries(texts, values, max_size=3)
unknown = st.dictionaries(st.sampled_from(["cache_control", "x_extra", "citations"]), values, max_size=2)


def block(
    kind: str, extra: st.SearchStrategy[dict[str, Any]] = unknown, **fields: st.SearchStrategy[Any]
) -> st.SearchStrategy[dict[str, Any]]:
    """Return blocks of one type with some unknown keys."""
    return st.builds(lambda known, more: {"type": kind, **known, **more}, st.fixed_dictionaries(fields), extra)


# OpenAI chat messages
pictures = st.builds(lambda data: {"url": data}, st.sampled_from(["https://e.org/a.png", "data:image/png;base64,QQ=="]))
openai_blocks = st.lists(
    block("text", text=texts)
    | block("image_url", image_url=st.builds(lambda url, more: url | more, pictures, st.sampled_from([{}, {"detail": "low"}])))
    | block("input_audio", input_audio=objects),
    max_size=3,
)
openai_calls = st.lists(
    st.builds(
        lambda call_id, function, more: {"id": call_id, "type": "function", "function": function, **more},
        texts,
        st.fixed_dictionaries({"name": texts, "arguments": texts | objects.map(json.dumps)}),
        unknown,
    ),
    min_size=1,
    max_size=3,
)


def openai_message(role: str, content: st.SearchStrategy[Any], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    optional = {"name": said, "x_extra": values}
    return st.fixed_dictionaries({"role": st.just(role), "content": content, **fields}, optional=optional)


openai_documents = st.lists(
    openai_message("system", texts | openai_blocks)
    | openai_message("developer", texts)
    | openai_message("user", texts | openai_blocks)
    | openai_message("assistant", st.none() | texts)
    | openai_message("assistant", st.none() | texts, tool_calls=openai_calls, reasoning_content=said)
    | openai_message("assistant", st.none(), refusal=said)
    | openai_message("tool", texts | openai_blocks, tool_call_id=texts),
    max_size=6,
)

# Anthropic requests
sources = st.sampled_from([
    {"type": "base64", "media_type": "image/png", "data": "QQ=="},
    {"type": "url", "url": "https://e.org/a"},
    {"type": "file", "file_id": "f"},
])  # fmt: skip
anthropic_content = st.lists(
    block("text", text=said) | block("image", source=sources) | block("document", source=objects), min_size=1, max_size=3
)
replies = st.lists(
    block("text", text=said)
    | block("thinking", thinking=texts, signature=said)
    | block("redacted_thinking", data=said)
    | block("server_tool_use", input=objects),
    min_size=1, max_size=3,
)  # fmt: skip


@st.composite
def anthropic_documents(draw: st.DrawFn) -> dict[str, Any]:
    """A canonical request: roles alternate, every call is answered in the next message, ids are unique."""
    messages: list[dict[str, Any]] = []
    count = 0
    for _ in range(draw(st.integers(1, 3))):
        results: list[dict[str, Any]] = []
        if messages:
            calls = [
                {"type": "tool_use", "id": f"c{count + n}", "name": draw(names), "input": draw(objects)}
                for n in range(draw(st.integers(0, 2)))
            ]
            count += len(calls)
            messages.append({"role": "assistant", "content": draw(said) if not calls and draw(st.booleans()) else [*draw(replies), *calls]})
            results = [
                {"type": "tool_result", "tool_use_id": call["id"], "content": draw(texts | anthropic_content), **draw(unknown)}
                | draw(st.sampled_from([{}, {"is_error": True}, {"is_error": False}]))
                for call in calls
            ]
        plain = not results and draw(st.booleans())
        messages.append({"role": "user", "content": draw(said) if plain else [*results, *draw(anthropic_content)]})
    system = draw(st.none() | said | st.lists(block("text", text=said), min_size=1, max_size=2))
    return {"messages": messages} if system is None else {"system": system, "messages": messages}


# neutral records
neutral_records = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["system", "user", "assistant", "tool"]),
        "content": texts,
        "tool_calls": st.just([]),
        "tool_call_id": st.none() | texts,
        "name": st.none() | said,
        "meta": st.fixed_dictionaries(
            {},
            optional={
                "usage": values | st.fixed_dictionaries({"input_tokens": st.integers(0, 9), "output_tokens": st.integers(0, 9)}),
                "model": values,
                "stop_reason": values,
                "is_error": values,
                "thinking": values | st.lists(st.fixed_dictionaries({"text": texts, "signature": texts}, optional={"x": values})),
                "images": values
                | st.lists(st.fixed_dictionaries({"mime": texts}, optional={"data": texts, "width": st.integers(), "x": values})),
                "compact_summary": values,
                "is_meta": values,
                "origin": values | st.sampled_from(["summary", "notice", "conversation"]),
                "ts": values,
            },
        ),
    }
)


@given(st.lists(neutral_records, max_size=4))
def test_neutral_records_come_back_whatever_their_meta_holds(records: list[Any]) -> None:
    assert to_neutral(from_neutral(records)) == records


@given(openai_documents)
def test_openai_messages_come_back_as_they_were(document: list[Any]) -> None:
    assert to_openai(from_openai(document)) == document


@given(anthropic_documents())
def test_anthropic_requests_come_back_as_they_were(document: dict[str, Any]) -> None:
    assert to_anthropic(from_anthropic(document)) == document


@given(conversations)
def test_messages_survive_the_neutral_form_but_for_the_borders_of_texts(messages: list[Message]) -> None:
    once = from_neutral(to_neutral(messages))
    assert [(m.role, m.text, m.tool_calls, m.tool_call_id, m.thinking, m.images, m.origin) for m in once] == [
        (m.role, m.text, m.tool_calls, m.tool_call_id, m.thinking, m.images, m.origin) for m in messages
    ]
    assert from_neutral(to_neutral(once)) == once


@given(conversations)
def test_every_conversation_gives_a_valid_anthropic_request(messages: list[Message]) -> None:
    request = to_anthropic(project(messages))
    roles = [message["role"] for message in request["messages"]]
    assert all(first != second for first, second in pairwise(roles))
    assert roles[:1] in ([], ["user"])
    waiting: list[str] = []
    seen: set[str] = set()
    for message in request["messages"]:
        blocks = message["content"] if isinstance(message["content"], list) else [{"type": "text", "text": message["content"]}]
        assert blocks
        assert all(piece["text"].strip() for piece in blocks if piece["type"] == "text")
        answered = [piece["tool_use_id"] for piece in blocks if piece["type"] == "tool_result"]
        assert sorted(answered) == sorted(waiting)
        assert all(piece["type"] == "tool_result" for piece in blocks[: len(answered)])
        waiting = [piece["id"] for piece in blocks if piece["type"] == "tool_use"]
        assert all(re.fullmatch(r"[a-zA-Z0-9_-]+", call_id) for call_id in waiting)
        assert not seen.intersection(waiting)
        assert len(set(waiting)) == len(waiting)
        assert all(isinstance(piece["input"], dict) for piece in blocks if piece["type"] == "tool_use")
        seen.update(waiting)
    assert waiting == []


@given(conversations)
def test_every_conversation_gives_valid_openai_messages(messages: list[Message]) -> None:
    open_calls: list[str] = []
    for message in to_openai(project(messages)):
        if message["role"] == "tool":
            open_calls.remove(message["tool_call_id"])
            assert isinstance(message["content"], str)
            continue
        assert open_calls == []
        open_calls = [call["id"] for call in message.get("tool_calls", [])]
        assert message["content"] or open_calls or message["role"] != "user"
    assert open_calls == []


@given(conversations, st.sampled_from(["neutral", "openai", "anthropic"]))
def test_writing_is_deterministic_and_never_changes_its_input(messages: list[Message], format_name: str) -> None:
    before = list(messages)
    written = [io.StringIO(), io.StringIO()]
    for stream in written:
        write_transcript(messages, stream, format_name)
    assert written[0].getvalue() == written[1].getvalue()
    assert messages == before
