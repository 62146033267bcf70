"""The first words of a message."""

import pytest

from netaclaw.domain.messages import Image, Message, Thinking
from netaclaw.terminal.preview import preview
from tests.builders import assistant, tool_call, tool_result, user


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (user("Please\n\nfix it"), "Please fix it"),
        (assistant("I look.", tool_call("c1", "run", command="ls")), 'I look. run({"command": "ls"})'),
        (assistant("", tool_call("c1", "run", command="ls")), 'run({"command": "ls"})'),
        (tool_result("c1", "\x1b[32mok\x1b[0m"), "\N{REPLACEMENT CHARACTER}[32mok\N{REPLACEMENT CHARACTER}[0m"),
        (Message("user", (Image(data="aGk="),)), "[1 images]"),
        (Message("assistant", (Thinking("I wonder"),)), "(I wonder)"),
        (user(""), "-"),
    ],
)
def test_a_message_is_named_by_what_it_says_or_calls(message: Message, words: str) -> None:
    assert preview(message, 80) == words


def test_wide_characters_take_two_columns() -> None:
    assert preview(user("订单被收了两次运费"), 10) == "订单被收…"
    assert preview(user("订单被收了"), 10) == "订单被收了"
