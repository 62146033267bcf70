"""How large a context is, where that figure comes from, and where compaction starts (DESIGN sections 4 and 5)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from types import MappingProxyType
from typing import Literal, TypeAlias

from netaclaw.context.builder import Context, Reported
from netaclaw.domain.agents import Vendor
from netaclaw.domain.messages import Message

Count: TypeAlias = Callable[[Message], int]

ASSUMED_WINDOW_TOKENS = 128_000
"""What the trigger assumes where the channel does not say its window."""
ASSUMED_OUTPUT_TOKENS = 8_192
"""What is kept free for the reply where the channel does not say how long one may be."""

_RESERVE_SHARE = 0.25
_MARGIN_SHARE = 0.02
_LEARNING_RATE = 0.2
_LEARN_FROM_TOKENS = 1_000
"""In smaller requests the provider's own frame around each message outweighs the text."""
_LOWEST_FACTOR = 0.5
_HIGHEST_FACTOR = 2.5

_STARTING_FACTORS: Mapping[Vendor, float] = MappingProxyType(
    {
        "openai": 1.0,
        "openai_responses": 1.0,
        "anthropic": 1.3,
        "deepseek": 1.1,
        "openai_compatible": 1.1,
        "offline": 1.0,
        "scripted": 1.0,
    }
)
_MODEL_FACTORS = (("claude", 1.3), ("deepseek", 1.1), ("qwen", 1.1), ("gpt-", 1.0))
"""By a part of the model's name, for models behind a compatible endpoint."""


@dataclass(frozen=True, slots=True)
class ContextSize:
    """The one number that trigger, cut, bar and tick use."""

    used_tokens: int
    source: Literal["provider", "estimate"]
    breakdown: Mapping[str, int]
    """Tokens of `system`, `tools`, `summary`, `user`, `assistant` and `results`; their sum is `used_tokens`."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where automatic compaction starts."""

    tokens: int
    window_tokens: int
    is_window_assumed: bool
    """Whether the window is unknown and 128,000 was taken."""


def size_of(context: Context, system_tokens: int, tool_tokens: int, factor: float, count: Count) -> ContextSize:
    """Return the size of the next request.

    `system_tokens` and `tool_tokens` are counted like the messages, without the channel's `factor`.
    """
    kinds = _by_kind(context.carried, system_tokens, tool_tokens, count)
    if context.reported is None:
        used = ceil(sum(kinds.values()) * factor)
        return ContextSize(used, "estimate", _shares(kinds, used))
    used = _reported_tokens(context.reported, factor, count)
    return ContextSize(used, "provider", _shares(kinds, used))


def estimated_tokens(context: Context, system_tokens: int, tool_tokens: int, count: Count) -> int:
    """Return the estimate of the next request without any factor: what `learned_factor` compares with the reported input."""
    return sum(_by_kind(context.carried, system_tokens, tool_tokens, count).values())


def calibrated(messages: Sequence[Message], factor: float, count: Count) -> tuple[Message, ...]:
    """Return the messages with known counts in the channel's own tokens, so that a compaction plans with the number of the trigger."""
    return tuple(replace(message, tokens=ceil(count(message) * factor)) for message in messages)


def threshold_of(
    window_tokens: int | None,
    percent: float,
    reserve_tokens: int | None = None,
    margin_tokens: int | None = None,
    cap_tokens: int | None = None,
) -> Threshold:
    """Return where compaction starts; reserve and margin are those of an unknown output limit where they are not given."""
    window = window_tokens or ASSUMED_WINDOW_TOKENS
    reserve = reserve_of(window, None) if reserve_tokens is None else reserve_tokens
    margin = margin_of(window) if margin_tokens is None else margin_tokens
    tokens = min(int(percent * window / 100), window - reserve - margin)
    return Threshold(tokens if cap_tokens is None else min(tokens, cap_tokens), window, not window_tokens)


def reserve_of(window_tokens: int, max_output_tokens: int | None) -> int:
    """Return the tokens kept free for the reply: the longest one, but at most a quarter of the window."""
    return min(max_output_tokens or ASSUMED_OUTPUT_TOKENS, int(window_tokens * _RESERVE_SHARE))


def margin_of(window_tokens: int) -> int:
    """Return the tokens kept free against counting errors: 2 % of the window."""
    return int(window_tokens * _MARGIN_SHARE)


def starting_factor(vendor: Vendor, model: str = "") -> float:
    """Return how many tokens a vendor bills for one o200k token, before anything was learned; a known model name decides."""
    if vendor in ("openai_compatible", "openai", "openai_responses"):
        for part, factor in _MODEL_FACTORS:
            if part in model.lower():
                return factor
    return _STARTING_FACTORS[vendor]


def learned_factor(old: float, estimated_tokens: int, reported_tokens: int) -> float:
    """Return the factor after one more report: a moving average, bounded 0.5 to 2.5; small requests teach nothing."""
    if estimated_tokens < _LEARN_FROM_TOKENS or reported_tokens <= 0:
        return old
    learned = old + _LEARNING_RATE * (reported_tokens / estimated_tokens - old)
    return min(_HIGHEST_FACTOR, max(_LOWEST_FACTOR, learned))


def _reported_tokens(reported: Reported, factor: float, count: Count) -> int:
    """Input with the cached part counted once, the output if it goes back, an estimate of the rest."""
    later = ceil(sum(map(count, reported.later)) * factor)
    return reported.usage.input_tokens + _output_tokens(reported, factor, count) + later


def _output_tokens(reported: Reported, factor: float, count: Count) -> int:
    """Reasoning that is not sent back was billed as output, but is no part of the next request."""
    if reported.reply is None:
        return 0
    if any(not block.is_sent for block in reported.reply.thinking):
        return min(reported.usage.output_tokens, ceil(count(reported.reply) * factor))
    return reported.usage.output_tokens


def _by_kind(carried: Sequence[Message], system_tokens: int, tool_tokens: int, count: Count) -> dict[str, int]:
    kinds = {"system": system_tokens, "tools": tool_tokens, "summary": 0, "user": 0, "assistant": 0, "results": 0}
    for message in carried:
        kind = "summary" if message.origin == "summary" else "results" if message.role == "tool" else message.role
        kinds[kind] += count(message)
    return kinds


def _shares(kinds: Mapping[str, int], used_tokens: int) -> dict[str, int]:
    """Scale the estimated parts so that their sum is the one number; the largest part takes the rounding."""
    total = sum(kinds.values())
    if total <= 0:
        return {**kinds, "user": used_tokens}
    shares = {kind: tokens * used_tokens // total for kind, tokens in kinds.items()}
    largest = max(kinds, key=lambda kind: kinds[kind])
    shares[largest] += used_tokens - sum(shares.values())
    return shares
