"""JSON as it is stored: exact for whatever a model or a tool has written, lone surrogates and numbers of any size included."""

import json
import math
from collections.abc import Mapping
from typing import Any

import orjson

_BY_STANDARD_LIBRARY = " "
"""First character of a text that orjson cannot write, and must not read: it would turn long integers into floats."""


def to_text(value: Any) -> str:
    """Return `value` as JSON on one line. Raises ValueError for what JSON cannot hold."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        pass
    try:
        return _BY_STANDARD_LIBRARY + json.dumps(_plain(value), separators=(",", ":"))
    except (TypeError, RecursionError) as error:
        raise ValueError(f"a value cannot be stored as JSON: {error}") from error


def from_text(text: str) -> Any:
    """Return the value of a text that `to_text` wrote."""
    return json.loads(text) if text.startswith(_BY_STANDARD_LIBRARY) else orjson.loads(text)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
