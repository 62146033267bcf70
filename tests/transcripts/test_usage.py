"""Usage counts each token once, whoever reported it."""

from typing import Any

import pytest

from netaclaw.domain.messages import Usage
from netaclaw.transcripts.usage import parse_usage, usage_record


@pytest.mark.parametrize(
    ("raw", "usage"),
    [
        ({"input_tokens": 5, "output_tokens": 2}, Usage(5, 2)),
        ({"input_tokens": 5, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 5, "output_tokens": 2}, Usage(100, 2, 90, 5)),
        ({"input_tokens": 100, "input_tokens_details": {"cached_tokens": 90}, "output_tokens": 2}, Usage(100, 2, 90)),
        ({"prompt_tokens": 100, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 90}}, Usage(100, 2, 90)),
        ({"prompt_tokens": 100, "completion_tokens": 2, "cache_read_input_tokens": 90}, Usage(100, 2, 90)),
        ({"prompt_tokens": 100}, Usage(100, 0)),
        ({"input": 5, "output": 2, "cacheRead": 90, "cacheWrite": 5}, Usage(100, 2, 90, 5)),
        ({"input": 100, "output": 2, "cached": 90, "thoughts": 3, "tool": 0, "total": 105}, Usage(100, 5, 90)),
        ({"input_tokens": "5"}, None),
        ({"input_tokens": -1}, None),
        ({"input_tokens": True}, None),
        ({"input_tokens": 5, "output_tokens": "x"}, None),
        ({"total": 5}, None),
        (5, None),
        (None, None),
    ],
)
def test_six_shapes_of_usage_are_understood(raw: Any, usage: Usage | None) -> None:
    assert parse_usage(raw) == usage


@pytest.mark.parametrize("usage", [Usage(5, 2), Usage(100, 2, 90, 5), Usage(0, 0), Usage(10, 1, 10)])
def test_our_own_record_reads_back(usage: Usage) -> None:
    assert parse_usage(usage_record(usage)) == usage


def test_more_cached_than_given_tokens_never_make_a_negative_figure() -> None:
    assert usage_record(Usage(5, 2, 90))["input_tokens"] == 0
