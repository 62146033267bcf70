"""Tokens by kind add up to what the counter says."""

from hypothesis import given
from hypothesis import strategies as st

from netaclaw.compaction import CompactionSettings, message_counter
from netaclaw.domain.messages import Image, Message, Opaque, Thinking
from netaclaw.terminal.kinds import KindTokens, count_by_kind
from tests import strategies
from tests.builders import assistant, system, tool_call, tool_result, user

CHARS4 = CompactionSettings(counter="chars4")
O200K = CompactionSettings(counter="o200k")


def test_each_kind_is_counted_by_both_counters() -> None:
    messages = [
        system("Be brief."),
        user("hello world"),
        assistant("", tool_call("c1", path="a.py"), thinking="I should read it", signature="sig"),
        tool_result("c1", "x" * 40),
        Message("user", (Image(data="aGk="), Image())),
    ]
    assert count_by_kind(messages, CHARS4).kinds == (
        KindTokens("system", 1, 3, 12),
        KindTokens("user", 2, 2, 22),
        KindTokens("assistant", 1, 0, 10),
        KindTokens("arguments", 1, 7, 4),
        KindTokens("toolResults", 1, 5, 20),
        KindTokens("thinking", 1, 4, 4),
        KindTokens("images", 1, 1_200, 1_200),
    )


def test_thinking_that_no_request_carries_costs_nothing() -> None:
    kinds = count_by_kind([Message("assistant", (Thinking("unsigned"),))], O200K).kinds
    assert [kind.o200k for kind in kinds if kind.kind == "thinking"] == [0]


@given(st.lists(strategies.messages, max_size=8))
def test_all_kinds_together_are_what_the_counter_says(messages: list[Message]) -> None:
    kinds = count_by_kind(messages, CHARS4).kinds
    assert sum(kind.chars4 for kind in kinds) == sum(map(message_counter(CHARS4), messages))
    assert sum(kind.o200k for kind in kinds) == sum(map(message_counter(O200K), messages))


def test_a_document_is_counted_with_the_images() -> None:
    document = Message("user", (Opaque("document", {"title": "hello world"}),))
    counted = count_by_kind([document], O200K)
    assert sum(kind.o200k for kind in counted.kinds) == message_counter(O200K)(document) == 2


@given(st.lists(strategies.messages, max_size=8))
def test_the_counted_messages_carry_the_size_that_the_counter_gives(messages: list[Message]) -> None:
    counted = count_by_kind(messages, O200K).messages
    assert [message.tokens for message in counted] == [message_counter(O200K)(message) for message in messages]


def test_a_size_that_was_known_stays() -> None:
    known = Message("user", user("hello").parts, tokens=77)
    assert count_by_kind([known], CHARS4).messages == (known,)
