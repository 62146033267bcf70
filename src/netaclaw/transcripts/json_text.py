"""JSON out and in where the values are foreign: never an exception for a NaN, a lone surrogate or a number of 5,000 digits."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")
_TOO_DEEP = '"[nested too deep]"'
_MAX_INT_BITS = 14_000
"""Python refuses to print integers of more than 4,300 digits."""


def json_text(value: Any) -> str:
    """Return `value` as JSON on one line, in UTF-8 characters; lone surrogates are escaped, NaN and infinity become null."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except RecursionError:
        return _TOO_DEEP
    except (ValueError, TypeError):
        try:
            text = json.dumps(_cleaned(value), ensure_ascii=False)
        except RecursionError:
            return _TOO_DEEP
    return text if _is_encodable(text) else _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def decode_json(text: str, start: int = 0) -> tuple[Any, int]:
    """Return the JSON value at `start` and where it ends. Raises JSONDecodeError or RecursionError."""
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return _BIG_NUMBER_DECODER.raw_decode(text, start)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _cleaned(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): _cleaned(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > _MAX_INT_BITS:
        return None
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _digits_or_int(digits: str) -> int | str:
    try:
        return int(digits)
    except ValueError:
        return digits


def _no_constant(_name: str) -> None:
    return None


_DECODER = json.JSONDecoder(strict=False, parse_constant=_no_constant)
_BIG_NUMBER_DECODER = json.JSONDecoder(strict=False, parse_constant=_no_constant, parse_int=_digits_or_int)
