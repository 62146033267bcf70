"""Tool output made fit to store and send: clean text, at most 50 kB, head and tail kept."""

from netaclaw.tools.base import OUTPUT_LIMIT_BYTES

_HEAD_SHARE = 0.8


def shortened(text: str, limit_bytes: int = OUTPUT_LIMIT_BYTES) -> str:
    """Return the text with its middle left out where it is larger than `limit_bytes` in UTF-8."""
    text = clean(text)
    if len(text) * 4 <= limit_bytes:
        return text
    raw = text.encode()
    if len(raw) <= limit_bytes:
        return text
    head_bytes = int(limit_bytes * _HEAD_SHARE)
    head = raw[:head_bytes].decode(errors="ignore")
    tail = raw[len(raw) - (limit_bytes - head_bytes) :].decode(errors="ignore")
    left_out = len(text) - len(head) - len(tail)
    return f"{head}\n[... {left_out:,} of {len(text):,} characters left out ...]\n{tail}"


def clean(text: str) -> str:
    """Replace what no database or provider takes: NUL characters and halves of surrogate pairs."""
    if text.isascii():
        return text.replace("\0", "\ufffd")
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def lines_of(text: str) -> int:
    """Count the lines of an output."""
    return text.count("\n") + 1 if text else 0
