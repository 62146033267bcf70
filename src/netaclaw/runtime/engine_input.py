"""A session in the engine's terms: its context with counts, and the parameters of a compaction."""

from dataclasses import replace
from math import ceil

from netaclaw.compaction import CompactionSettings
from netaclaw.context.budget import calibrated, margin_of, reserve_of
from netaclaw.domain.messages import Message, text_message
from netaclaw.runtime.view import COUNT, DEFAULT_PROTECT_FIRST_N, SessionView, max_output_of


def engine_messages(view: SessionView) -> tuple[Message, ...]:
    """Return the context with the system prompt, counted so that its sum is the number that the trigger used."""
    fixed = text_message("system", "\n\n".join(view.sections), tokens=view.fixed_tokens)
    counted = sum(map(COUNT, view.context.carried))
    scale = (view.size.used_tokens - view.fixed_tokens) / counted if counted else view.factor
    return (fixed, *(replace(message, tokens=max(1, message.tokens or 0)) for message in calibrated(view.context.messages, scale, COUNT)))


def engine_settings(view: SessionView) -> CompactionSettings:
    """Return the session's parameters as the engine takes them."""
    window = view.threshold.window_tokens
    return CompactionSettings(
        window_tokens=window,
        threshold_percent=view.threshold_percent,
        protect_first_n=view.agent.compaction_protect_first_n or DEFAULT_PROTECT_FIRST_N,
        counter="o200k",
        reserve_tokens=reserve_of(window, max_output_of(view.channel)),
        margin_tokens=margin_of(window),
        max_threshold_tokens=max(1, ceil(view.threshold.tokens)),
    )


def settings_used(view: SessionView) -> dict[str, int | float]:
    """Return the parameters that the entry records."""
    return {
        "thresholdPercent": view.threshold_percent,
        "thresholdTokens": view.threshold.tokens,
        "protectFirstN": view.agent.compaction_protect_first_n or DEFAULT_PROTECT_FIRST_N,
        "windowTokens": view.threshold.window_tokens,
        "factor": view.factor,
    }
