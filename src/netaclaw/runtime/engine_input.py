"""A session in the engine's terms: its context with counts, and the parameters of a compaction."""

from dataclasses import replace
from math import ceil

from netaclaw.compaction import CompactionSettings
from netaclaw.context.budget import calibrated, margin_of, reserve_of
from netaclaw.context.carried import without_attached
from netaclaw.domain.messages import Message, text_message
from netaclaw.runtime.view import COUNT, DEFAULT_PROTECT_FIRST_N, SessionView, max_output_of


def engine_messages(view: SessionView) -> tuple[Message, ...]:
    """Return the context with the system prompt, counted so that its sum is the number that the trigger used.

    What the runtime attached to the user's messages is counted and left out: a summary of it would be old at once.
    """
    fixed = text_message("system", "\n\n".join(view.sections), tokens=view.fixed_tokens)
    counted = sum(map(COUNT, view.context.carried))
    scale = (view.size.used_tokens - view.fixed_tokens) / counted if counted else view.factor
    messages = calibrated(view.context.messages, scale, COUNT)
    return (fixed, *(without_attached(replace(message, tokens=max(1, message.tokens or 0))) for message in messages))


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
