"""Reported token usage: six shapes of it in, one out."""

from collections.abc import Mapping
from typing import Any

from netaclaw.domain.messages import Usage

_CACHE_READ = ("cache_read_input_tokens", "cacheRead", "cached")
_CACHE_WRITE = ("cache_creation_input_tokens", "cacheWrite")
_DETAILS = ("prompt_tokens_details", "input_tokens_details")


def parse_usage(raw: object) -> Usage | None:
    """Return what a provider reported, or None where `raw` holds no input and output figures.

    Anthropic and pi report cached tokens beside the input, OpenAI, Gemini and LiteLLM inside of it.
    """
    if not isinstance(raw, Mapping):
        return None
    read, written = _first(raw, _CACHE_READ), _first(raw, _CACHE_WRITE)
    if "prompt_tokens" in raw:
        return _usage(raw["prompt_tokens"], raw.get("completion_tokens"), read or _cached_detail(raw), written)
    if "input_tokens" in raw:
        inside = _cached_detail(raw)
        beside = 0 if inside else read + written
        return _usage(raw["input_tokens"], raw.get("output_tokens"), inside or read, written, beside)
    if "input" in raw:
        beside = read + written if "cached" not in raw else 0
        return _usage(raw["input"], raw.get("output"), read, written, beside, _count(raw.get("thoughts")))
    return None


def usage_record(usage: Usage) -> dict[str, int]:
    """Return usage under Anthropic's names, with the cached tokens beside the input."""
    record = {"input_tokens": max(0, usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens)}
    if usage.cache_read_tokens or usage.cache_write_tokens:
        record["cache_read_input_tokens"] = usage.cache_read_tokens
        record["cache_creation_input_tokens"] = usage.cache_write_tokens
    return {**record, "output_tokens": usage.output_tokens}


def _usage(given: object, output: object, read: int, written: int, beside: int = 0, thoughts: int = 0) -> Usage | None:
    if not _is_count(given) or not (output is None or _is_count(output)):
        return None
    return Usage(_count(given) + beside, _count(output) + thoughts, read, written)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _count(value: object) -> int:
    return value if isinstance(value, int) and _is_count(value) else 0


def _first(raw: Mapping[str, Any], keys: tuple[str, ...]) -> int:
    return next((_count(raw[key]) for key in keys if key in raw), 0)


def _cached_detail(raw: Mapping[str, Any]) -> int:
    details = next((raw[key] for key in _DETAILS if isinstance(raw.get(key), Mapping)), None)
    return _count(details.get("cached_tokens")) if details is not None else 0
