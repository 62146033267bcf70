"""Where the compacted transcript goes: a file that is replaced whole or not at all, or standard output."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from netaclaw.domain.messages import Message
from netaclaw.errors import SettingsError
from netaclaw.transcripts import write_transcript

STANDARD_OUTPUT = "-"


def need_writable(out: str, *, is_output_taken: bool) -> None:
    """Raise SettingsError if `out` cannot be written, before any work is done; `-` cannot where `--json` takes standard output."""
    if out == STANDARD_OUTPUT:
        if is_output_taken:
            raise SettingsError("--out - and --json both write to standard output; name a file for --out")
        return
    path = Path(out)
    try:
        if path.is_dir():
            raise SettingsError(f"--out: {out} is a directory; name a file in it")
        folder = path.resolve().parent
        if not folder.is_dir():
            raise SettingsError(f"--out: the folder {folder} does not exist; create it or choose another place")
        is_writable = os.access(path, os.W_OK) if path.exists() and not path.is_file() else os.access(folder, os.W_OK)
    except (OSError, ValueError) as error:
        raise SettingsError(f"--out: {out} cannot be written ({error}); choose another place") from None
    if not is_writable:
        raise SettingsError(f"--out: {out} cannot be written, {folder} is not writable; choose another place")


def write_output(messages: Sequence[Message], out: str | None) -> None:
    """Write the transcript in the neutral form to a file, or to standard output for None and `-`."""
    write_transcript(messages, sys.stdout if out in (None, STANDARD_OUTPUT) else Path(str(out)))
