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
from netaclaw.compaction import CompactionResult, CompactionSettings, compact, message_counter, offline_summarizer
from netaclaw.demo.message_list import ListedMessage, print_messages
from netaclaw.demo.transcript import demo_transcript
from netaclaw.demo.wording import DemoWords, demo_words
from netaclaw.domain.messages import Message
from netaclaw.terminal.inspection import Inspection, inspect_messages
from netaclaw.terminal.inspection_screen import print_bar, print_kinds, print_phases
from netaclaw.terminal.kinds import count_kinds
from netaclaw.terminal.outcome import outcome_lines
from netaclaw.terminal.progress import ProgressLine
from netaclaw.terminal.screen import open_screen
from netaclaw.terminal.wording import Words, screen_language, words_of

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
        result = asyncio.run(compact(messages, _SETTINGS, offline_summarizer, force=True, progress=line.update))
    _show_before(screen, inspection)
    screen.section(screen.words.phases)
    print_phases(screen.console, inspection, screen.words)
    _show_summary(screen, result)
    _show_after(screen, result, summary_at=len(inspection.plan.head))
    return 0 if result.status == "compacted" else 1


def _show_before(screen: _Screen, inspection: Inspection) -> None:
    screen.console.print(Text(screen.demo.title.format(version=__version__), style="bold"))
    screen.console.print(Text(screen.demo.introduction))
    screen.section(screen.demo.before)
    print_bar(screen.console, inspection.plan.tokens_before, _SETTINGS, screen.words)
    screen.console.print()
    print_kinds(screen.console, inspection.kinds, screen.words)
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


def _show_after(screen: _Screen, result: CompactionResult, summary_at: int) -> None:
    screen.section(screen.demo.after)
    for line in outcome_lines(result, screen.words):
        screen.console.print(Text(line))
    print_bar(screen.console, result.tokens_after, _SETTINGS, screen.words)
    screen.console.print()
    print_kinds(screen.console, count_kinds(result.messages, _SETTINGS), screen.words)
    screen.console.print(Text(f"\n{screen.demo.conversation}", style="bold"))
    print_messages(screen.console, _listed_after(result.messages, summary_at, screen), screen.words, screen.demo)
    screen.console.print(Text(f"\n{screen.demo.try_it}"))
    screen.console.print(Text("  netaclaw inspect FILE\n  netaclaw compact FILE --out SHORT.jsonl", style="cyan"))


def _listed_after(messages: tuple[Message, ...], summary_at: int, screen: _Screen) -> list[ListedMessage]:
    count = message_counter(_SETTINGS)
    fates = (screen.words.head, screen.demo.the_summary, screen.words.tail)
    return [
        ListedMessage(index + 1, message, count(message), fates[(index >= summary_at) + (index > summary_at)])
        for index, message in enumerate(messages)
    ]
