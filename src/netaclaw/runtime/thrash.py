"""When automatic compaction must rest (DESIGN section 5): a failed one cools down, two useless ones block it. Pure."""

from dataclasses import replace
from datetime import datetime, timedelta

from netaclaw.sessions import CompactionState

COOLDOWN_SECONDS = (30, 60, 300, 900)
MAX_STRIKES = 2


def may_start(state: CompactionState, now: datetime) -> bool:
    """Whether an automatic compaction may start."""
    is_cooling = state.cooldown_until is not None and now < state.cooldown_until
    return state.blocked_reason is None and not is_cooling


def after_failure(state: CompactionState, now: datetime) -> CompactionState:
    """An automatic compaction failed: the next one waits 30, 60, 300, then 900 seconds."""
    seconds = COOLDOWN_SECONDS[min(state.failures, len(COOLDOWN_SECONDS) - 1)]
    return replace(state, failures=state.failures + 1, cooldown_until=now + timedelta(seconds=seconds))


def after_success(state: CompactionState, *, is_manual: bool) -> CompactionState:
    """A compaction was committed; whether it helped is told by the next usage. A manual one lifts the block."""
    calm = replace(state, failures=0, cooldown_until=None, is_awaiting_usage=True)
    return replace(calm, strikes=0, blocked_reason=None) if is_manual else calm


def after_usage(state: CompactionState, *, is_over: bool) -> CompactionState:
    """A provider reported usage: judge the compaction before it. A fitting figure lifts strikes and block."""
    if not is_over:
        return replace(state, strikes=0, blocked_reason=None, is_awaiting_usage=False)
    if not state.is_awaiting_usage:
        return state
    strikes = state.strikes + 1
    return replace(state, strikes=strikes, is_awaiting_usage=False, blocked_reason="ineffective" if strikes >= MAX_STRIKES else None)
