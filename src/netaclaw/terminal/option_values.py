"""What the values of options may be; a value that cannot be used is named with its option and the remedy."""

import re
from typing import TYPE_CHECKING, cast

import typer

from netaclaw.errors import SettingsError

if TYPE_CHECKING:
    from netaclaw.compaction import CompactionSettings

_OPTION_OF_SETTING = {
    "window_tokens": "--window",
    "threshold_percent": "--threshold",
    "protect_first_n": "--protect-first",
    "tail_token_budget_ratio": "--tail-ratio",
    "summary_tokens": "--summary-tokens",
    "counter": "--counter",
}
_SETTING = re.compile(rf"\b(?:{'|'.join(_OPTION_OF_SETTING)})\b(?= is )")


def whole_number(text: str) -> int:
    """Return a whole number. Raises typer.BadParameter."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a whole number; give digits only, such as 32000") from None


def number(text: str) -> float:
    """Return a number. Raises typer.BadParameter."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number; give one such as 70 or 0.2") from None


def settings_of(
    window: int, threshold: float, protect_first: int, tail_ratio: float, counter: str, summary_tokens: int | None
) -> "CompactionSettings":
    """Return the engine's settings. Raises SettingsError that names the option whose value is out of its range."""
    from netaclaw.compaction import CompactionSettings
    from netaclaw.compaction.settings import CounterName

    try:
        return CompactionSettings(
            window_tokens=window,
            threshold_percent=threshold,
            protect_first_n=protect_first,
            tail_token_budget_ratio=tail_ratio,
            counter=cast(CounterName, counter),  # an unknown name is refused there
            summary_tokens=summary_tokens,
        )
    except SettingsError as error:
        raise SettingsError(_SETTING.sub(lambda found: _OPTION_OF_SETTING[found[0]], str(error))) from None


def need_offline(summarizer: str) -> None:
    """Raise SettingsError for any summariser but the built-in one."""
    if summarizer != "offline":
        raise SettingsError(f"--summarizer is {summarizer!r}; a model channel needs the NetaClaw server (netaclaw serve); use offline here")
