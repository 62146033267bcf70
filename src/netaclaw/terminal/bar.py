"""The context bar: how full the window is, with a mark where compaction starts."""

from netaclaw.compaction import CompactionSettings

_FULL, _EMPTY, _MARK = "█", "░", "┃"


def context_bar(used_tokens: int, settings: CompactionSettings, columns: int) -> str:
    """Return a bar of `columns` characters for the whole window; what does not fit the window fills it."""
    filled = min(columns, round(columns * used_tokens / settings.window_tokens))
    mark = min(columns - 1, int(columns * settings.threshold_tokens / settings.window_tokens))
    cells = [_FULL] * filled + [_EMPTY] * (columns - filled)
    cells[mark] = _MARK
    return "".join(cells)


def bar_style(used_tokens: int, settings: CompactionSettings) -> str:
    """Return the colour of the bar, as on the page: green, orange from the threshold on, red from 90 % of the window on."""
    if used_tokens >= 0.9 * settings.window_tokens:
        return "red"
    return "yellow" if used_tokens >= settings.threshold_tokens else "green"
