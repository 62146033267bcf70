"""What a person reads first: whether it would be compacted, and why not."""

import io

import pytest
from rich.console import Console

from netaclaw.compaction import CompactionSettings
from netaclaw.domain.messages import Message
from netaclaw.terminal.inspection import inspect_messages
from netaclaw.terminal.inspection_screen import print_inspection, print_warnings
from netaclaw.terminal.words_en import ENGLISH as EN
from netaclaw.terminal.words_zh import CHINESE as ZH
from tests.builders import assistant, system, tool_call, tool_result, user

SETTINGS = CompactionSettings(window_tokens=2_000, counter="chars4")
SMALL: list[Message] = [system("s"), user("one"), assistant("two"), user("three")]
OLD_OUTPUT = [system("s"), user("one"), assistant("", tool_call("c1")), tool_result("c1", "x" * 8_000), assistant("done"), user("three")]
PROSE = [system("s"), *(message for _ in range(9) for message in (user("word " * 100), assistant("answer " * 100))), user("last")]


@pytest.mark.parametrize(
    ("messages", "force", "verdict"),
    [
        (SMALL, False, "It would not be compacted."),
        (SMALL, True, "It would not be compacted: there is nothing between head and tail to compact."),
        (OLD_OUTPUT, False, "It would be pruned: cutting old tool output is enough, no summary is needed."),
        (PROSE, False, "It would be compacted."),
    ],
)
def test_the_verdict_stands_under_the_bar(messages: list[Message], force: bool, verdict: str) -> None:
    stream = io.StringIO()
    print_inspection(Console(file=stream, width=100), inspect_messages(messages, SETTINGS, force=force), EN)
    assert stream.getvalue().splitlines()[3] == verdict


def test_at_most_ten_warnings_are_printed() -> None:
    stream = io.StringIO()
    print_warnings(Console(file=stream, width=100), [f"line {number} is odd" for number in range(12)], ZH)
    lines = stream.getvalue().splitlines()
    assert (lines[1], lines[2], lines[-1], len(lines)) == ("读取时的警告", "- line 0 is odd", "- 另有 2 条", 13)
