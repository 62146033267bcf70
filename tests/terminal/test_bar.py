"""The context bar."""

import pytest

from netaclaw.compaction import CompactionSettings
from netaclaw.terminal.bar import bar_style, context_bar

SETTINGS = CompactionSettings(window_tokens=1_000, threshold_percent=70)


@pytest.mark.parametrize(
    ("used", "bar", "style"),
    [
        (0, "░░░░░░░┃░░", "green"),
        (300, "███░░░░┃░░", "green"),
        (700, "███████┃░░", "yellow"),
        (900, "███████┃█░", "red"),
        (5_000, "███████┃██", "red"),
    ],
)
def test_the_bar_fills_with_the_window_and_marks_the_threshold(used: int, bar: str, style: str) -> None:
    assert (context_bar(used, SETTINGS, 10), bar_style(used, SETTINGS)) == (bar, style)


def test_a_threshold_of_the_whole_window_is_marked_at_the_end() -> None:
    assert context_bar(0, CompactionSettings(window_tokens=10, threshold_percent=100), 4) == "░░░┃"
