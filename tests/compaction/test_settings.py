"""Settings that make no sense are refused in one line."""

from typing import Any

import pytest

from netaclaw.compaction import CompactionSettings
from netaclaw.errors import SettingsError


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"window_tokens": 0}, "window_tokens is 0"),
        ({"window_tokens": "8"}, "window_tokens is '8'; it must be a whole number"),
        ({"window_tokens": 8_000.5}, "it must be a whole number"),
        ({"window_tokens": 10**400}, "up to 1000000000000"),
        ({"threshold_percent": 0}, "threshold_percent is 0"),
        ({"threshold_percent": 101}, "threshold_percent is 101"),
        ({"threshold_percent": "many"}, "it must be a number"),
        ({"protect_first_n": -1}, "protect_first_n is -1"),
        ({"tail_token_budget_ratio": 0}, "tail_token_budget_ratio is 0"),
        ({"summary_ratio": 1.1}, "summary_ratio is 1.1"),
        ({"summary_min_tokens": 9, "summary_max_tokens": 8}, "not above the second"),
        ({"summary_tokens": 0}, "summary_tokens is 0"),
        ({"counter": "words"}, "counter is 'words'"),
        ({"min_tail_messages": 0}, "min_tail_messages is 0"),
        ({"window_tokens": 1_000, "reserve_tokens": 1_000}, "choose a larger window or a smaller reserve"),
    ],
)
def test_a_setting_out_of_its_range_is_named(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        CompactionSettings(**changes)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("window", [8_000, 32_000, 64_000, 128_000, 200_000, 1_000_000])
def test_the_threshold_lies_below_the_window_less_the_reserve(window: int) -> None:
    settings = CompactionSettings(window_tokens=window, threshold_percent=95, reserve_tokens=window // 4, margin_tokens=window // 50)

    assert 0 < settings.threshold_tokens <= window - window // 4 - window // 50


def test_an_absolute_cap_wins_over_the_share() -> None:
    assert CompactionSettings(window_tokens=1_000_000, threshold_percent=80, max_threshold_tokens=200_000).threshold_tokens == 200_000
