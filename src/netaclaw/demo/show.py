"""`netaclaw demo`: the conversation before, what each phase did, the summary, the audit, the conversation after."""

import asyncio
import os
import sys
import time
from dataclasses import dataclass

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from netaclaw import __version__
from netaclaw.compaction import CompactionResult, CompactionSettings, compact, offline_summarizer
from netaclaw.demo.fates import fates_after
from netaclaw.demo.message_list import ListedMessage, print_messages
from netaclaw.demo.transcript import demo_transcript
from netaclaw.demo.wording import DemoWords, demo_words
from netaclaw.terminal.inspection import Inspection, inspect_messages
from netaclaw.terminal.inspection_screen import print_bar, print_kinds, print_phases
from netaclaw.terminal.kinds import count_by_kind
from netaclaw.terminal.outcome import outcome_lines
from netaclaw.terminal.progress import ProgressLine
from netaclaw.terminal.screen import open_screen
from netaclaw.terminal.wording import screen_language, words_of
from netaclaw.terminal.words import Words

_SETTINGS = CompactionSettings(window_tokens=128_000, counter="o200k", summary_max_tokens=2_500)
"""The defaults, with a summary short enough to be read on a screen."""


@dataclass(frozen=True, slots=True)
class _Screen:
    console: Console
    words: Words
    demo: DemoWords

    def section(self, title: str) -> None:
        self.console.print()
        self.console.rule(Text(title, style="bold"), align="left", characters="─")


def run_demo(lang: str | None) -> int:
    """Compact the demo's conversation and print it before and after; `lang` is `zh`, `en` or None for the locale's."""
    language = screen_language(os.environ, lang)
    screen = _Screen(open_screen(), words_of(language), demo_words(language))
    messages = demo_transcript(language)
    with ProgressLine(sys.stderr, "counting messages", time.monotonic()) as line:
        inspection = inspect_messages(messages, _SETTINGS, force=True, progress=line.update)
        result = asyncio.run(compact(inspection.counted.messages, _SETTINGS, offline_summarizer, force=True, progress=line.update))
    _show_before(screen, inspection)
    screen.section(screen.words.phases)
    print_phases(screen.console, inspection, screen.words)
    _show_summary(screen, result)
    _show_after(screen, result)
    return 0 if result.status == "compacted" else 1


def _show_before(screen: _Screen, inspection: Inspection) -> None:
    screen.console.print(Text(screen.demo.title.format(version=__version__), style="bold"))
    screen.console.print(Text(screen.demo.introduction))
    screen.section(screen.demo.before)
    print_bar(screen.console, inspection.plan.tokens_before, _SETTINGS, screen.words)
    screen.console.print()
    print_kinds(screen.console, inspection.counted.kinds, screen.words)
    screen.console.print(Text(f"\n{screen.demo.conversation}", style="bold"))
    listed = [
        ListedMessage(index + 1, message, inspection.tokens[index], _fate(inspection, index, screen))
        for index, message in enumerate(inspection.messages)
    ]
    print_messages(screen.console, listed, screen.words, screen.demo)


def _fate(inspection: Inspection, index: int, screen: _Screen) -> str:
    if index < len(inspection.plan.head):
        return screen.words.head
    if index >= inspection.plan.tail_start:
        return screen.words.tail
    return screen.words.middle if index in inspection.plan.middle else screen.words.kept


def _show_summary(screen: _Screen, result: CompactionResult) -> None:
    screen.section(screen.demo.summary)
    screen.console.print(Padding(Text(result.summary or ""), (0, 0, 0, 2)))
    screen.section(screen.demo.audit)
    if result.audit is not None:
        audit = result.audit
        screen.console.print(Text(screen.words.audit.format(checked=audit.checked, missing=audit.missing, repaired=audit.repaired)))
    screen.console.print(Text(screen.demo.audit_details, style="dim"))


def _show_after(screen: _Screen, result: CompactionResult) -> None:
    counted = count_by_kind(result.messages, _SETTINGS)
    screen.section(screen.demo.after)
    for line in outcome_lines(result, screen.words):
        screen.console.print(Text(line))
    print_bar(screen.console, result.tokens_after, _SETTINGS, screen.words)
    screen.console.print()
    print_kinds(screen.console, counted.kinds, screen.words)
    screen.console.print(Text(f"\n{screen.demo.conversation}", style="bold"))
    word_of = {"head": screen.words.head, "summary": screen.demo.the_summary, "kept": screen.words.kept, "tail": screen.words.tail}
    listed = [
        ListedMessage(number, message, message.tokens or 0, word_of[fate])
        for number, (message, fate) in enumerate(zip(counted.messages, fates_after(result), strict=True), start=1)
    ]
    print_messages(screen.console, listed, screen.words, screen.demo)
    screen.console.print(Text(f"\n{screen.demo.try_it}"))
    screen.console.print(Text("  netaclaw inspect FILE\n  netaclaw compact FILE --out SHORT.jsonl", style="cyan"))
