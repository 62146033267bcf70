"""What a command reads: the transcript and, where an option names one, the text of an earlier summary."""

from collections.abc import Sequence
from pathlib import Path

from netaclaw.errors import SettingsError
from netaclaw.terminal.streams import one_line, say
from netaclaw.transcripts import Transcript, read_transcript

_MAX_WARNINGS = 5
_MAX_SUMMARY_BYTES = 10_000_000


def read_source(file: str, transcript_format: str) -> Transcript:
    """Return the transcript in `file`, or on standard input for `-`. Raises TranscriptError."""
    return read_transcript(file, format=transcript_format)


def display_name(file: str) -> str:
    """Return how a person names the source: the file's name without its folders."""
    return "standard input" if file == "-" else one_line(Path(file).name)


def read_previous_summary(path: str) -> str:
    """Return the text of an earlier summary. Raises SettingsError if there is none in the file."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise SettingsError(f"--previous-summary: {path} cannot be read ({error.strerror}); name a text file") from None
    if b"\0" in raw or len(raw) > _MAX_SUMMARY_BYTES:
        raise SettingsError(f"--previous-summary: {path} is not a summary; name a text file in UTF-8")
    try:
        text = raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise SettingsError(f"--previous-summary: {path} is not a text; save it in UTF-8") from None
    if not text:
        raise SettingsError(f"--previous-summary: {path} is empty; leave the option out for a first summary")
    return text


def say_warnings(warnings: Sequence[str]) -> None:
    """Write what the reader had to repair or skip to standard error, at most five lines of it."""
    for warning in warnings[:_MAX_WARNINGS]:
        say(f"netaclaw: warning: {warning}")
    if len(warnings) > _MAX_WARNINGS:
        say(f"netaclaw: warning: {len(warnings) - _MAX_WARNINGS:,} more; netaclaw inspect --json lists them all")
