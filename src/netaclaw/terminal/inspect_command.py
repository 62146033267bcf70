"""The command `inspect`: read, count, plan, print."""

import json
import os
import sys
import time
from dataclasses import dataclass

from netaclaw.compaction import CompactionSettings
from netaclaw.terminal.inspection import inspect_messages
from netaclaw.terminal.progress import ProgressLine
from netaclaw.terminal.source import display_name, read_source
from netaclaw.terminal.wording import screen_language, words_of


@dataclass(frozen=True, slots=True)
class InspectJob:
    """What the options of `inspect` ask for."""

    file: str
    transcript_format: str
    settings: CompactionSettings
    force: bool
    as_json: bool


def run_inspect(job: InspectJob) -> int:
    """Print the inspection of a transcript and return the exit code. Raises TranscriptError if it cannot be read."""
    name = display_name(job.file)
    with ProgressLine(sys.stderr, f"reading {name}", time.monotonic()) as line:
        transcript = read_source(job.file, job.transcript_format)
        inspection = inspect_messages(transcript.messages, job.settings, force=job.force, progress=line.update)
    if job.as_json:
        from netaclaw.terminal.inspection_json import inspection_object

        print(
            json.dumps(inspection_object(inspection, job.file, transcript.format, tuple(transcript.warnings)), ensure_ascii=False, indent=2)
        )
        return 0

    from netaclaw.terminal.inspection_screen import print_inspection
    from netaclaw.terminal.screen import open_screen

    screen = open_screen()
    screen.print(f"{name} · {transcript.format}", style="bold")
    print_inspection(screen, inspection, words_of(screen_language(os.environ)), transcript.warnings)
    return 0
