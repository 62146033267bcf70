"""Each rule finds what breaks it."""

import pytest

from netaclaw.compaction import broken_rules
from netaclaw.compaction.invariants import newest_request_is_present, signed_thinking_is_untouched
from netaclaw.domain.messages import Message, ToolCall
from tests.builders import assistant, system, tool_call, tool_result, user


@pytest.mark.parametrize(
    ("context", "fault"),
    [
        ([user("u"), tool_result("c", "x")], "message 1: result 'c' answers no open call before it"),
        (
            [user("u"), assistant("", tool_call("c")), tool_result("c", "1"), tool_result("c", "2")],
            "message 3: result 'c' answers no open call before it",
        ),
        ([user("u"), assistant("", tool_call("c"))], "message 1: call 'c' has no result"),
        ([user("u"), assistant("", tool_call("c")), user("v"), tool_result("c", "1")], "message 1: call 'c' has no result"),
        ([assistant("a"), user("u")], "the first message has role assistant"),
        ([user(""), assistant("a")], "no user message has text"),
        ([user("u"), system("s"), user("v")], "two user messages in a row: 'v'"),
        ([user("u"), assistant("a"), assistant("b")], "two assistant messages in a row: 'b'"),
        ([user("u"), assistant("", ToolCall("c", "run", "[1]")), tool_result("c", "")], "message 1: arguments of 'c' are no JSON object"),
    ],
)
def test_a_broken_rule_is_named(context: list[Message], fault: str) -> None:
    assert fault in broken_rules(context)


def test_a_valid_context_breaks_none() -> None:
    assert broken_rules([system("s"), user("u"), assistant("a", tool_call("c")), tool_result("c", ""), assistant("b")]) == []
    assert broken_rules([]) == []


def test_altered_signed_thinking_is_found() -> None:
    stored = [assistant("a", thinking="because", signature="s")]

    assert signed_thinking_is_untouched(stored, stored) == []
    assert signed_thinking_is_untouched([assistant("a", thinking="becaus", signature="s")], stored) == [
        "message 0: a signed thinking block was altered"
    ]


def test_a_lost_request_is_found() -> None:
    stored = [user("first"), assistant("a"), user("second")]

    assert newest_request_is_present([user("summary\n\nsecond")], stored) == []
    assert newest_request_is_present([user("first")], stored) == ["the newest user message is lost"]
