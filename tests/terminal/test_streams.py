"""Lines that stay lines."""

import pytest

from netaclaw.terminal.streams import one_line, say


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain 文本", "plain 文本"),
        (" a\n  b\r\nc ", "a b c"),
        ("a\u2028b\x85c", "a b c"),
        ("tab\there", "tab here"),
        ("\x1b[31mred\x07", "\N{REPLACEMENT CHARACTER}[31mred\N{REPLACEMENT CHARACTER}"),
        ("a\u202eb", "a\N{REPLACEMENT CHARACTER}b"),
    ],
)
def test_a_text_becomes_one_harmless_line(text: str, line: str) -> None:
    assert one_line(text) == line


def test_what_is_said_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    say("two\nlines")
    assert capsys.readouterr() == ("", "two lines\n")
