"""Reading an error body, whatever its shape: text, JSON, a list of them, or JSON inside a string."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

Body: TypeAlias = "str | Mapping[str, object] | Sequence[object] | None"


def strings_in(body: Body) -> Iterator[str]:
    """Yield all texts of the body, depth first; JSON inside a string (a proxy's wrapping) is opened."""
    if isinstance(body, str):
        opened = _opened(body)
        if opened is None:
            yield _without_markup(body)
        else:
            yield from strings_in(opened)
    elif isinstance(body, Mapping):
        for value in body.values():
            yield from strings_in(value)  # type: ignore[arg-type]  # whatever it is, it is looked at
    elif isinstance(body, Sequence):
        for value in body:
            yield from strings_in(value)  # type: ignore[arg-type]


def _opened(text: str) -> Mapping[str, object] | list[object] | None:
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return None
    try:
        parsed = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict | list) else None


def _without_markup(text: str) -> str:
    return re.sub(r"<[a-zA-Z/!][^>]*>", " ", text) if "<" in text else text


def numbers_in(body: Body, least: int) -> Iterator[tuple[str, int]]:
    """Yield the whole numbers of the body that are at least `least`, each with its key."""
    if isinstance(body, str):
        body = _opened(body)
    if isinstance(body, Mapping):
        for key, value in body.items():
            if isinstance(value, int) and not isinstance(value, bool) and value >= least:
                yield str(key), value
            else:
                yield from numbers_in(value, least)  # type: ignore[arg-type]
    elif isinstance(body, Sequence) and not isinstance(body, str):
        for value in body:
            yield from numbers_in(value, least)  # type: ignore[arg-type]
