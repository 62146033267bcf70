"""How much less an old thing matters than a new one."""

from math import exp2

_HALF_LIFE_MESSAGES = 120


def freshness(index: int, newest: int, floor: float) -> float:
    """Return 1 for the newest message, falling towards `floor` by half every 120 messages."""
    halvings = max(0, newest - index) / _HALF_LIFE_MESSAGES
    return floor + (1 - floor) * exp2(-halvings)
