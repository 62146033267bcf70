"""The command `compact`: read, compact, write, report."""

import asyncio
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from netaclaw.compaction import CompactionResult, CompactionSettings, compact, message_counter, offline_summarizer
from netaclaw.compaction.plan import Progress
from netaclaw.domain.messages import Message
from netaclaw.terminal.outcome import outcome_lines, outcome_object
from netaclaw.terminal.output import need_writable, write_output
from netaclaw.terminal.progress import ProgressLine
from netaclaw.terminal.source import display_name, read_previous_summary, read_source, say_warnings
from netaclaw.terminal.streams import say
from netaclaw.terminal.wording import screen_language, words_of

_PROGRESS_STEP = 500


@dataclass(frozen=True, slots=True)
class CompactJob:
    """What the options of `compact` ask for; `previous_summary` and `out` are paths."""

    file: str
    transcript_format: str
    settings: CompactionSettings
    force: bool
    focus: str | None
    previous_summary: str | None
    out: str | None
    as_json: bool


def run_compact(job: CompactJob) -> int:
    """Compact a transcript, write it, report, and return the exit code: 0 done or not needed, 1 failed.

    Raises TranscriptError for input that cannot be read and SettingsError for a file named by an option that cannot be used.
    """
    if job.out is not None:
        need_writable(job.out, is_output_taken=job.as_json)
    previous_summary = None if job.previous_summary is None else read_previous_summary(job.previous_summary)
    with ProgressLine(sys.stderr, f"reading {display_name(job.file)}", time.monotonic()) as line:
        transcript = read_source(job.file, job.transcript_format)
        start = time.perf_counter()
        result = asyncio.run(_compact(transcript.messages, job, previous_summary, line.update))
        duration_ms = round((time.perf_counter() - start) * 1_000)
    say_warnings(transcript.warnings)
    _write(job, result, duration_ms)
    return _report(job, result)


async def _compact(messages: Sequence[Message], job: CompactJob, previous_summary: str | None, progress: Progress) -> CompactionResult:
    """Compact messages that carry their size, so that no text is counted twice; what is written does not say it."""
    is_sized = any(message.tokens is not None for message in messages)
    result = await compact(
        messages if is_sized else _with_sizes(messages, job.settings, progress),
        job.settings,
        offline_summarizer,
        previous_summary=previous_summary,
        focus=job.focus,
        force=job.force,
        progress=progress,
    )
    return result if is_sized else replace(result, messages=tuple(replace(message, tokens=None) for message in result.messages))


def _with_sizes(messages: Sequence[Message], settings: CompactionSettings, progress: Progress) -> list[Message]:
    count = message_counter(settings)
    sized: list[Message] = []
    for number, message in enumerate(messages):
        if number % _PROGRESS_STEP == 0:
            progress("count", number, len(messages))
        sized.append(replace(message, tokens=count(message)))
    return sized


def _write(job: CompactJob, result: CompactionResult, duration_ms: int) -> None:
    if result.status != "failed" and (job.out is not None or not job.as_json):
        write_output(result.messages, job.out)
    if job.as_json:
        print(json.dumps(outcome_object(result, duration_ms), ensure_ascii=False, indent=2))


def _report(job: CompactJob, result: CompactionResult) -> int:
    words = words_of(screen_language(os.environ))
    if result.status == "failed":
        say(f"netaclaw: compaction failed: {result.error or (words.reasons[result.reason] if result.reason else words.statuses['failed'])}")
        return 1
    if not job.as_json:
        for line in outcome_lines(result, words):
            say(line)
    return 0
