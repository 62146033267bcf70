"""The size of a context, its source, and where compaction starts."""

from dataclasses import replace

import pytest

from netaclaw.compaction import CompactionSettings, message_counter
from netaclaw.context.budget import (
    ContextSize,
    Threshold,
    calibrated,
    estimated_tokens,
    learned_factor,
    margin_of,
    reserve_of,
    size_of,
    starting_factor,
    threshold_of,
)
from netaclaw.context.builder import build_context
from netaclaw.domain.entries import CompactionPayload
from netaclaw.domain.messages import Thinking, Usage
from tests.builders import assistant, tool_call, tool_result, user
from tests.context.paths import read_of

count = message_counter(CompactionSettings(counter="chars4"))


def test_without_a_report_everything_is_estimated_system_and_tools_included_times_the_factor() -> None:
    context = build_context(read_of(user("one"), assistant("two"), tokens=100), language="en")
    size = size_of(context, 50, 1_000, 1.5, count)
    shares = {"system": 75, "tools": 1_500, "summary": 0, "user": 150, "assistant": 150, "results": 0}
    assert size == ContextSize(1_875, "estimate", shares)
    assert estimated_tokens(context, 50, 1_000, count) == 1_250


def test_a_report_counts_its_input_once_its_output_and_an_estimate_of_what_came_after() -> None:
    said = replace(assistant("", tool_call("c1")), usage=Usage(9_000, 40, cache_read_tokens=8_000))
    context = build_context(read_of(user("one"), said, tool_result("c1", "x"), tokens=100), language="en")
    size = size_of(context, 50, 1_000, 2.0, count)
    assert (size.used_tokens, size.source, sum(size.breakdown.values())) == (9_240, "provider", 9_240)


def test_reasoning_that_is_not_sent_back_does_not_count() -> None:
    said = replace(assistant("short"), usage=Usage(1_000, 5_000))
    thought = replace(said, parts=(Thinking("long"), *said.parts))
    sizes = [
        size_of(build_context(read_of(user("q"), reply, tokens=10), language="en"), 0, 0, 1.0, count).used_tokens
        for reply in (said, thought)
    ]
    assert sizes == [6_000, 1_010]


def test_the_output_of_a_reply_that_no_request_carries_does_not_count() -> None:
    empty = replace(assistant(""), usage=Usage(1_000, 500))
    assert size_of(build_context(read_of(user("q"), empty, user("again"), tokens=10), language="en"), 0, 0, 1.0, count).used_tokens == 1_010


def test_after_a_compaction_the_size_is_an_estimate_until_the_next_report() -> None:
    said = replace(assistant("two"), usage=Usage(100_000, 5))
    compaction = CompactionPayload("summary", "body", 3, 1, 1, "auto")
    context = build_context(read_of(user("one"), said, user("three"), compaction, tokens=10), language="en")
    size = size_of(context, 0, 0, 1.0, count)
    assert (size.source, size.used_tokens < 1_000, size.breakdown["summary"] > 0) == ("estimate", True, True)


def test_a_compaction_plans_with_the_number_of_the_trigger() -> None:
    context = build_context(read_of(user("one"), assistant("two"), tokens=100), language="en")
    assert [message.tokens for message in calibrated(context.messages, 1.5, count)] == [150, 150]


def test_the_threshold_is_that_of_the_engine() -> None:
    for window, percent, output, cap in ((128_000, 70, 16_000, None), (8_000, 95, 8_000, None), (200_000, 70, None, 50_000)):
        reserve, margin = reserve_of(window, output), margin_of(window)
        settings = CompactionSettings(window, percent, reserve_tokens=reserve, margin_tokens=margin, max_threshold_tokens=cap)
        assert threshold_of(window, percent, reserve, margin, cap) == Threshold(settings.threshold_tokens, window, False)


def test_the_reserve_is_the_longest_reply_but_at_most_a_quarter_of_the_window() -> None:
    assert [reserve_of(100_000, 4_000), reserve_of(100_000, 64_000), reserve_of(8_000, None), margin_of(100_000)] == [
        4_000,
        25_000,
        2_000,
        2_000,
    ]


def test_an_unknown_window_is_assumed_and_said_to_be() -> None:
    assert threshold_of(None, 70) == Threshold(89_600, 128_000, True)


@pytest.mark.parametrize(
    ("vendor", "model", "factor"),
    [
        ("openai", "gpt-5", 1.0),
        ("deepseek", "x", 1.1),
        ("anthropic", "x", 1.3),
        ("openai_compatible", "Qwen3-32B", 1.1),
        ("openai_compatible", "claude-x", 1.3),
    ],
)
def test_each_vendor_starts_with_a_known_factor(vendor: str, model: str, factor: float) -> None:
    assert starting_factor(vendor, model) == factor  # type: ignore[arg-type]


def test_a_factor_moves_towards_what_is_reported_and_stays_in_its_bounds() -> None:
    factor = 1.0
    for _ in range(40):
        factor = learned_factor(factor, 10_000, 14_000)
    assert factor == pytest.approx(1.4, abs=0.01)
    assert learned_factor(1.0, 10_000, 900_000) == 2.5
    assert learned_factor(0.5, 10_000, 1) == 0.5
    assert learned_factor(1.2, 20, 90) == 1.2
