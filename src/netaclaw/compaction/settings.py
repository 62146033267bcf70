"""The parameters of a compaction, with the defaults of the spec (section 3, key parameters)."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from netaclaw.errors import SettingsError

CounterName: TypeAlias = Literal["chars4", "o200k"]
Language: TypeAlias = Literal["zh", "en"]

_LARGEST_WINDOW = 10**12
_OPTIONAL = ("summary_tokens", "max_threshold_tokens")
_WHOLE_NUMBERS = (
    *("window_tokens", "protect_first_n", "summary_min_tokens", "summary_max_tokens", "chars_per_token", "min_tail_messages"),
    *("prune_over_chars", "reserve_tokens", "margin_tokens", *_OPTIONAL),
)


@dataclass(frozen=True, slots=True)
class CompactionSettings:
    """How and when a list of messages is compacted. Raises SettingsError for a value out of its range."""

    window_tokens: int = 128_000
    """The model's context window."""
    threshold_percent: float = 70
    """Share of the window, in percent, at which compaction starts."""
    protect_first_n: int = 3
    """Messages at the start that stay word for word, the system prompt included."""
    tail_token_budget_ratio: float = 0.20
    """Share of the threshold that the newest messages may fill word for word."""
    summary_min_tokens: int = 2_000
    summary_max_tokens: int = 12_000
    summary_ratio: float = 0.20
    """Share of what is summarised that its summary may fill."""
    counter: CounterName = "chars4"
    chars_per_token: int = 4
    """Characters for one token of the `chars4` counter."""
    min_tail_messages: int = 3
    prune_over_chars: int = 200
    """Tool results longer than this are pruned outside the tail."""
    summary_tokens: int | None = None
    """A fixed summary budget instead of the formula."""
    reserve_tokens: int = 0
    """Tokens of the window kept free for the reply."""
    margin_tokens: int = 0
    """Tokens of the window kept free against counting errors."""
    max_threshold_tokens: int | None = None
    """An absolute cap of the threshold."""

    def __post_init__(self) -> None:
        for name in _WHOLE_NUMBERS:
            value = getattr(self, name)
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            _require(is_whole or (value is None and name in _OPTIONAL), f"{name} is {str(value)[:20]!r}; it must be a whole number")
        for name in ("threshold_percent", "tail_token_budget_ratio", "summary_ratio"):
            _require(isinstance(getattr(self, name), int | float), f"{name} is {str(getattr(self, name))[:20]!r}; it must be a number")
        _require(
            0 < self.window_tokens <= _LARGEST_WINDOW,
            f"window_tokens is {str(self.window_tokens)[:20]}; it must be a number of tokens above 0 and up to {_LARGEST_WINDOW}",
        )
        _require(0 < self.threshold_percent <= 100, f"threshold_percent is {self.threshold_percent}; it must lie above 0 and up to 100")
        _require(self.protect_first_n >= 0, f"protect_first_n is {self.protect_first_n}; it must be 0 or more")
        _require(
            0 < self.tail_token_budget_ratio <= 1,
            f"tail_token_budget_ratio is {self.tail_token_budget_ratio}; it must lie above 0 and up to 1",
        )
        _require(0 < self.summary_ratio <= 1, f"summary_ratio is {self.summary_ratio}; it must lie above 0 and up to 1")
        _require(
            0 < self.summary_min_tokens <= self.summary_max_tokens,
            f"summary_min_tokens is {self.summary_min_tokens} and summary_max_tokens {self.summary_max_tokens}; "
            "the first must be above 0 and not above the second",
        )
        _require(
            self.counter in get_args(CounterName), f"counter is {self.counter!r}; it must be one of {', '.join(get_args(CounterName))}"
        )
        _require(self.chars_per_token > 0, f"chars_per_token is {self.chars_per_token}; it must be above 0")
        _require(self.min_tail_messages >= 1, f"min_tail_messages is {self.min_tail_messages}; it must be 1 or more")
        _require(self.prune_over_chars >= 0, f"prune_over_chars is {self.prune_over_chars}; it must be 0 or more")
        _require(self.summary_tokens is None or self.summary_tokens > 0, f"summary_tokens is {self.summary_tokens}; it must be above 0")
        _require(self.reserve_tokens >= 0 and self.margin_tokens >= 0, "reserve_tokens and margin_tokens must be 0 or more")
        _require(
            self.max_threshold_tokens is None or self.max_threshold_tokens > 0,
            f"max_threshold_tokens is {self.max_threshold_tokens}; it must be above 0",
        )
        _require(
            self.threshold_tokens > 0,
            f"the threshold is {self.threshold_tokens} tokens: window {self.window_tokens}, reserve {self.reserve_tokens}, "
            f"margin {self.margin_tokens}; choose a larger window or a smaller reserve",
        )

    @property
    def threshold_tokens(self) -> int:
        """Where compaction starts, in tokens (DESIGN section 5)."""
        by_percent = int(self.threshold_percent * self.window_tokens / 100)
        threshold = min(by_percent, self.window_tokens - self.reserve_tokens - self.margin_tokens)
        return threshold if self.max_threshold_tokens is None else min(threshold, self.max_threshold_tokens)

    @property
    def prune_gate_tokens(self) -> int:
        """The least that a prune on its own must free, because it breaks the provider's prompt cache."""
        return min(4_096, self.window_tokens // 20)


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise SettingsError(message)
