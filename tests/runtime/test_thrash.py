"""When automatic compaction rests: cooldown, strikes, block."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from netaclaw.runtime.thrash import after_failure, after_success, after_usage, may_start
from netaclaw.sessions import CompactionState

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
FRESH = CompactionState(1)


def test_failures_cool_down_30_60_300_900_900_seconds() -> None:
    state, waits = FRESH, []
    for _ in range(5):
        state = after_failure(state, NOW)
        assert state.cooldown_until is not None
        waits.append((state.cooldown_until - NOW).total_seconds())

    assert waits == [30, 60, 300, 900, 900]
    assert not may_start(state, NOW + timedelta(seconds=899))
    assert may_start(state, NOW + timedelta(seconds=900))
    assert after_success(state, is_manual=False) == replace(FRESH, is_awaiting_usage=True)


def test_two_useless_compactions_in_a_row_block() -> None:
    once = after_usage(after_success(FRESH, is_manual=False), is_over=True)
    twice = after_usage(after_success(once, is_manual=False), is_over=True)

    assert (once.strikes, once.blocked_reason) == (1, None)
    assert (twice.strikes, twice.blocked_reason) == (2, "ineffective")
    assert not may_start(twice, NOW)
    assert after_success(twice, is_manual=True).blocked_reason is None
    assert after_usage(twice, is_over=False) == FRESH


def test_only_the_first_usage_after_a_compaction_judges_it() -> None:
    judged = after_usage(after_success(FRESH, is_manual=False), is_over=True)

    assert after_usage(judged, is_over=True) == judged
