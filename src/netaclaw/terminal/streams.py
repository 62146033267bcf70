"""Standard streams that never break a run: UTF-8 whatever the locale says, and a reader that has gone away is no error."""

import os
import re
import sys
from contextlib import suppress
from io import TextIOWrapper

_BREAKS = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def use_utf8() -> None:
    """Let standard output and standard error write any text; a lone surrogate is written as its JSON escape."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # started with the stream closed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(text: str) -> None:
    """Write one line to standard error, whatever line breaks and control characters `text` holds."""
    with suppress(OSError, ValueError):  # nobody reads it any more; the exit code still tells
        print(one_line(text), file=sys.stderr, flush=True)


def one_line(text: str) -> str:
    """Return `text` without line breaks and control characters, so that it cannot break out of its line or steer the terminal."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", _BREAKS.sub(" ", text.strip()).replace("\t", " "))


def leave_output_unwritten() -> None:
    """Forget what standard output still holds, after its reader has gone, so that the interpreter's last flush is quiet."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # standard output is no file, as in a test
        return
