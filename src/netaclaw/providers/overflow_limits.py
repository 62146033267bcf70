"""The numbers in an overflow body: how much fits, and how much was asked for."""

import re
from collections.abc import Sequence

from netaclaw.providers.error_body import Body, numbers_in, strings_in

_SMALLEST_WINDOW = 128
_N = r"(\d[\d,_]{0,14}\d|\d)"
_NUMBER = re.compile(rf"(?<![\w.]){_N}(?![\w.]*\w)")
_LIMITS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:context|prompt|model|sequence|input)[ _]?(?:length|window|size|limit|len)?\s*(?:of|is|was|limit|:|=|only)*\s*"
        rf"(?:only |at most )?\(?{_N}",
        rf">\s*{_N}\s*(?:maximum|tokens|max)?",
        rf"(?:limit|maximum|max)\w*(?: number)?(?: of)?(?: input| context)?(?: tokens)?(?: allowed)?\s*(?:is|of|:|=|are|was|\()*\s*{_N}",
        rf"(?:supports?|up to|at most|less than|fewer than|cannot exceed|<=|no more than|only|length of|allowed \()\s*"
        rf"(?:only |up to )*{_N}",
        rf"\[\s*\d+\s*,\s*{_N}\s*\]",
        rf"{_N}[ -](?:token )?(?:maximum|limit|token window|token limit|context)",
    )
)
_REQUESTED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:you )?(?:requested|resulted in|contains?|given|received|got|request has|has|used|is|are|length|count)\s*"
        rf"(?:a total of|about|:|is|of|\()?\s*{_N}",
        rf"(?:prompt|input|request|messages)\W+\(?{_N}\s*(?:tokens)?",
        rf"{_N} (?:input )?tokens (?:>|exceed|were|are|in the)",
    )
)
_MINIMAX_CODE = re.compile(r"limit \(2013\)", re.IGNORECASE)
_SUM = re.compile(rf"{_N}\s*\+\s*{_N}\s*>\s*{_N}")
_LIMIT_KEYS = ("n_ctx", "max_context_length", "context_length", "context_window", "max_tokens", "limit", "max_length")
_REQUESTED_KEYS = ("n_prompt_tokens", "prompt_tokens", "input_tokens", "requested", "requested_tokens", "num_tokens")


def limits_named(body: Body) -> tuple[int | None, int | None]:
    """Return the limit and the requested size in tokens, as far as an overflow body names them."""
    text = _MINIMAX_CODE.sub("", "\n".join(strings_in(body)))
    added = _SUM.search(text)
    if added:
        return _whole(added.group(3)), _whole(added.group(1)) + _whole(added.group(2))
    limit, requested = _structured_limits(body)
    limit = limit or _first_number(_LIMITS, text)
    requested = requested or _first_number(_REQUESTED, text)
    return _ordered(limit, requested, [number for number in map(_whole, _NUMBER.findall(text)) if number >= _SMALLEST_WINDOW])


def _ordered(limit: int | None, requested: int | None, numbers: Sequence[int]) -> tuple[int | None, int | None]:
    """Make sense of what was found: what was asked for is always the larger one."""
    if limit is None and requested is None:
        two = sorted(set(numbers))[-2:]
        return (two[0], two[1]) if len(two) == 2 else (None, None)
    if limit == requested:
        requested = None
    if limit is None or (requested is not None and requested < limit):
        known = limit or requested or 0
        larger = max((number for number in numbers if number > known), default=None)
        smaller = max((number for number in numbers if number < known), default=None)
        return (known, larger) if larger else (smaller, known)
    if requested is not None:
        return limit, requested
    larger = max((number for number in numbers if number > limit), default=None)
    smaller = max((number for number in numbers if number < limit), default=None)
    return (smaller, limit) if larger is None and smaller is not None else (limit, larger)


def _structured_limits(body: Body) -> tuple[int | None, int | None]:
    numbers = dict(numbers_in(body, _SMALLEST_WINDOW))
    limit = next((numbers[key] for key in _LIMIT_KEYS if key in numbers), None)
    return limit, next((numbers[key] for key in _REQUESTED_KEYS if key in numbers), None)


def _first_number(patterns: Sequence[re.Pattern[str]], text: str) -> int | None:
    for pattern in patterns:
        for match in pattern.finditer(text):
            number = _whole(match.group(1))
            if number >= _SMALLEST_WINDOW:
                return number
    return None


def _whole(digits: str) -> int:
    return int(digits.replace(",", "").replace("_", ""))
