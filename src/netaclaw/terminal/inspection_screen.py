"""How `inspect` looks in a terminal of 80 columns and more."""

from collections.abc import Sequence
from typing import assert_never

from rich.console import Console
from rich.table import Table
from rich.text import Text

from netaclaw.compaction import CompactionPlan, CompactionSettings
from netaclaw.terminal.bar import bar_style, context_bar
from netaclaw.terminal.inspection import Inspection, Interval
from netaclaw.terminal.kinds import KindTokens
from netaclaw.terminal.preview import cut_to_columns, preview
from netaclaw.terminal.streams import one_line
from netaclaw.terminal.words import Words

_MAX_WARNINGS = 10
_PERCENT = 100


def print_inspection(console: Console, inspection: Inspection, words: Words, warnings: Sequence[str] = ()) -> None:
    """Print the whole inspection."""
    roles = ", ".join(f"{count:,} {words.roles[role]}" for role, count in inspection.roles.items() if count)
    console.print(Text(words.messages.format(count=f"{sum(inspection.roles.values()):,}", roles=roles)))
    print_bar(console, inspection.plan.tokens_before, inspection.settings, words)
    console.print(Text(_verdict(inspection.plan, words), style="bold"))
    console.print()
    print_kinds(console, inspection.counted.kinds, words)
    console.print(Text(f"\n{words.phases}", style="bold"))
    if inspection.is_hypothetical:
        console.print(Text(words.if_forced))
    print_phases(console, inspection, words)
    print_biggest(console, inspection, words)
    print_warnings(console, warnings, words)


def print_bar(console: Console, used_tokens: int, settings: CompactionSettings, words: Words) -> None:
    """Print the context bar with its figures."""
    percent = f"{_PERCENT * used_tokens / settings.window_tokens:.0f}"
    figures = words.bar.format(used=f"{used_tokens:,}", window=f"{settings.window_tokens:,}", percent=percent, counter=settings.counter)
    threshold = words.threshold.format(threshold=f"{settings.threshold_tokens:,}", percent=f"{settings.threshold_percent:g}")
    console.print(Text(context_bar(used_tokens, settings, min(console.width, 100)), style=bar_style(used_tokens, settings)))
    console.print(Text(f"{figures} · {threshold}"))


def print_kinds(console: Console, kinds: Sequence[KindTokens], words: Words) -> None:
    """Print the table of tokens by kind, with both counters and the share by o200k."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(Text(words.tokens_by_kind, style="bold"))
    for title in (words.number_of_messages, "o200k", words.share, "chars4"):
        table.add_column(title, justify="right")
    everything = sum(kind.o200k for kind in kinds)
    for kind in kinds:
        if kind.messages:
            share = f"{_PERCENT * kind.o200k / max(everything, 1):.1f} %"
            table.add_row(words.kinds[kind.kind], f"{kind.messages:,}", f"{kind.o200k:,}", share, f"{kind.chars4:,}")
    texts = [kind for kind in kinds if kind.is_text]
    table.add_section()
    table.add_row(words.all_text, "", f"{sum(kind.o200k for kind in texts):,}", "", f"{sum(kind.chars4 for kind in texts):,}")
    if any(kind.messages for kind in kinds if not kind.is_text):
        table.add_row(words.all_tokens, "", f"{everything:,}", "", f"{sum(kind.chars4 for kind in kinds):,}")
    console.print(table)


def print_phases(console: Console, inspection: Inspection, words: Words) -> None:
    """Print what each phase does, with the messages at the borders of the cut."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(words.prune, Text(_prune_text(inspection, words)))
    if inspection.cut is None:
        for title in (words.cut, words.summarize, words.assemble):
            table.add_row(title, Text(words.not_run, style="dim"))
    else:
        table.add_row(words.cut, _cut_table(console.width - 14, inspection, words))
        table.add_row(words.summarize, Text(_summary_text(inspection, words)))
        table.add_row(words.assemble, Text(_result_text(inspection, words)))
    console.print(table)


def print_biggest(console: Console, inspection: Inspection, words: Words) -> None:
    """Print the largest messages."""
    console.print()
    console.print(Text(words.biggest, style="bold"))
    for index in inspection.biggest:
        message = inspection.messages[index]
        start = f"#{index + 1:<5} {inspection.tokens[index]:>9,}  {words.roles[message.role]}  "
        console.print(Text(cut_to_columns(start + preview(message, console.width), console.width)), no_wrap=True)


def print_warnings(console: Console, warnings: Sequence[str], words: Words) -> None:
    """Print what the reader had to say, at most ten lines of it."""
    if not warnings:
        return
    console.print()
    console.print(Text(words.warnings, style="bold yellow"))
    for warning in warnings[:_MAX_WARNINGS]:
        console.print(Text(f"- {one_line(warning)}"))
    if len(warnings) > _MAX_WARNINGS:
        console.print(Text("- " + words.more.format(count=f"{len(warnings) - _MAX_WARNINGS:,}")))


def _verdict(plan: CompactionPlan, words: Words) -> str:
    reason = words.reasons[plan.reason] if plan.reason else ""
    match plan.action:
        case "summarize":
            return words.would_compact
        case "prune":
            return words.would_prune_in_vain.format(reason=reason) if reason else words.would_prune
        case "none":
            return words.would_not_because.format(reason=reason) if reason else words.would_not_compact
        case _:
            assert_never(plan.action)


def _prune_text(inspection: Inspection, words: Words) -> str:
    prune = inspection.prune
    counted = (
        (words.cleared_results, prune.results),
        (words.cleared_duplicates, prune.duplicates),
        (words.shortened_arguments, prune.arguments),
        (words.relieved_results, prune.relieved),
    )
    lines = [text.format(count=f"{count:,}") for text, count in counted if count]
    if not lines:
        return words.nothing_to_prune
    verdict = words.suffices if prune.suffices else words.does_not_suffice
    if inspection.is_forced or inspection.is_hypothetical:
        verdict = words.goes_on
    freed = words.freed.format(freed=f"{prune.freed_tokens:,}", after=f"{prune.tokens_after:,}")
    return "\n".join([*lines, f"{freed}{words.joint}{verdict}"])


def _cut_table(columns: int, inspection: Inspection, words: Words) -> Table:
    assert inspection.cut is not None
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    cut = inspection.cut
    for name, interval in ((words.head, cut.head), (words.middle, cut.middle), (words.kept, cut.kept), (words.tail, cut.tail)):
        table.add_row(name, _interval_text(columns - 8, inspection, interval, words))
    return table


def _interval_text(columns: int, inspection: Inspection, interval: Interval, words: Words) -> Text:
    if not interval.indices:
        return Text(words.none)
    count = len(interval.indices)
    template = words.interval_of_one if count == 1 else words.interval
    lines = [template.format(count=f"{count:,}", tokens=f"{interval.tokens:,}")]
    for index in dict.fromkeys((interval.indices[0], interval.indices[-1])):
        message = inspection.messages[index]
        lines.append(cut_to_columns(f"#{index + 1} {words.roles[message.role]}: {preview(message, columns)}", columns))
    return Text("\n".join(lines))


def _summary_text(inspection: Inspection, words: Words) -> str:
    summary = inspection.summary
    assert summary is not None
    text = words.summary_input.format(
        count=f"{summary.messages:,}",
        tokens=f"{summary.input_tokens:,}",
        budget=f"{summary.budget_tokens:,}",
        language=words.languages[summary.language],
    )
    return text + (words.with_previous_summary if summary.has_previous_summary else "")


def _result_text(inspection: Inspection, words: Words) -> str:
    result = inspection.result
    assert result is not None
    percent = f"{_PERCENT * result.tokens / max(inspection.plan.tokens_before, 1):.0f}"
    return words.expected.format(tokens=f"{result.tokens:,}", messages=f"{result.messages:,}", percent=percent)
