"""Both counters, against the spec's formula and against figures that another program made."""

import json

import pytest

from netaclaw.compaction import CompactionSettings, estimate_tokens, message_counter
from netaclaw.compaction.tokens import FILE_TOKENS, IMAGE_TOKENS, content_counter, count_o200k
from netaclaw.domain.messages import Image, Message, Opaque, Text
from netaclaw.transcripts import read_transcript
from tests.builders import assistant, tool_call, user
from tests.shared_data import DATA, needs_data

CHARS4 = message_counter(CompactionSettings(counter="chars4"))
O200K = message_counter(CompactionSettings(counter="o200k"))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("hello world", 2), ("tiktoken is great!", 6), ("上下文压缩", 4), ("\ud800 x", 2), ("a" * 100, 13)],
)
def test_o200k_counts_known_texts(text: str, tokens: int) -> None:
    assert count_o200k(text) == tokens


@pytest.mark.parametrize("blank", [" ", "\u3000", "\t"])
def test_a_million_blanks_are_counted_and_do_not_crash_the_tokenizer(blank: str) -> None:
    text = f"before{blank * 1_000_000}after"

    assert 2_000 < count_o200k(text) < 1_000_000


def test_every_spelling_of_a_picture_costs_the_same_flat_figure() -> None:
    by_data = Message("user", (Text("look"), Image(data="A" * 400_000)))
    by_url = Message("user", (Text("look"), Image(url="https://example.com/x.png")))
    left_out = Message("user", (Text("look"), Image()))

    assert CHARS4(by_data) == CHARS4(by_url) == estimate_tokens(by_data) + IMAGE_TOKENS
    assert O200K(left_out) == count_o200k("look")


def test_a_document_that_travels_along_is_counted() -> None:
    encoded = Message("user", (Text("read"), Opaque("document", {"source": {"type": "base64", "data": "QUJD" * 100_000}})))
    plain = Message("user", (Text("read"), Opaque("document", {"source": {"type": "text", "data": "some words " * 5_000}})))

    assert FILE_TOKENS <= O200K(encoded) <= FILE_TOKENS + 10
    assert O200K(plain) > 5_000


def test_thinking_counts_only_when_it_goes_back_to_its_provider() -> None:
    signed = assistant("done", thinking="because of the cache " * 50, signature="sig")
    unsigned = assistant("done", thinking="because of the cache " * 50)

    assert O200K(signed) == count_o200k("done") + count_o200k("because of the cache " * 50)
    assert O200K(unsigned) == count_o200k("done")


def test_a_known_count_is_used_instead_of_counting() -> None:
    assert O200K(user("some text", tokens=77)) == CHARS4(user("some text", tokens=77)) == 77


def test_arguments_are_counted_by_both() -> None:
    message = assistant("ok", tool_call("c", path="src/a.py"))
    arguments = message.tool_calls[0].arguments

    assert O200K(message) == count_o200k("ok") + count_o200k(arguments)
    assert CHARS4(message) == len("ok") // 4 + 10 + len(arguments) // 4


@needs_data
def test_both_counters_give_exactly_the_known_figures_of_every_transcript() -> None:
    known = json.loads((DATA / "token-counts.json").read_text("utf-8"))["files"]
    o200k, chars4 = content_counter("o200k"), content_counter("chars4")

    counted = {}
    for name in known:
        messages = read_transcript(DATA / name)
        counted[name] = {"messages": len(messages), "o200k": sum(map(o200k, messages)), "chars4": sum(map(chars4, messages))}

    assert counted == known
