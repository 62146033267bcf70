"""The commands of NetaClaw: their names, options and help, and how a run ends. The work is in `terminal`, `demo` and `commands`.

Options are read first, then the command runs, so that Ctrl-C, a closed pipe and every error end in one place. Whatever a
command needs is imported when it runs: `--help` stays quick.
"""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from types import FrameType
from typing import Annotated, TypeAlias

import typer

from netaclaw import __version__
from netaclaw.commands.options import SERVER_COMMANDS, DataDir, Host, Port, add_server_commands
from netaclaw.errors import NetaClawError, SettingsError, TranscriptError
from netaclaw.terminal.option_values import need_offline, number, settings_of, whole_number
from netaclaw.terminal.streams import leave_output_unwritten, say, use_utf8

Command: TypeAlias = Callable[[], int]
"""What a subcommand asks for; returns the exit code."""

FAILED, BAD_USAGE, INTERRUPTED = 1, 2, 130

_COMMANDS = ("compact", "inspect", "demo", *SERVER_COMMANDS)

app = typer.Typer(
    help="Compact the conversations of LLM agents so that they never end at the context window.",
    epilog="Example: netaclaw compact session.jsonl --out short.jsonl",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done or not needed, 1 failed, 2 bad usage or input, 130 interrupted."""
    use_utf8()
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        command = _read_command(given)
        code = _interruptible(command) if callable(command) else command
        sys.stdout.flush()
    except KeyboardInterrupt:
        say("netaclaw: interrupted; no file was changed")
        return INTERRUPTED
    except BrokenPipeError:  # the reader, such as `head`, has all it wanted
        leave_output_unwritten()
        return 0
    except Exception as error:
        return _explain(error, given)
    return code


def _explain(error: Exception, arguments: Sequence[str]) -> int:
    """Say in one line what went wrong and what to do, and return the exit code."""
    code = FAILED
    match error:
        case typer.TyperException():
            code, line = BAD_USAGE, _usage_line(error, arguments)
        case SettingsError() | TranscriptError():
            code, line = BAD_USAGE, str(error)
        case NetaClawError():
            line = str(error)
        case OSError():  # readers and writers name their own files; what is left is standard output
            leave_output_unwritten()
            line = f"{error.filename or 'standard output'}: {error.strerror or error}; check the disk and the permissions"
        case _:
            line = f"unexpected {type(error).__name__}: {error}; please report it, NETACLAW_DEBUG=1 shows where it comes from"
            if os.environ.get("NETACLAW_DEBUG"):
                traceback.print_exception(error)
    say(f"netaclaw: {line}")
    return code


def _read_command(arguments: list[str]) -> Command | int:
    """Return what the arguments ask for, or an exit code where typer has answered already (`--help`, `--version`)."""
    asked: Command | int | None = app(args=arguments, prog_name="netaclaw", standalone_mode=False)
    return 0 if asked is None else asked


def _interruptible(command: Command) -> int:
    """Run a command so that Ctrl-C stops it at once; asyncio alone would wait for the next pause of a busy coroutine."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return command()
    signal.signal(signal.SIGINT, _interrupt)
    try:
        return command()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _usage_line(error: typer.TyperException, arguments: Sequence[str]) -> str:
    message = error.format_message().strip().rstrip(".")
    if ";" in message:
        return message
    command = next((name for name in arguments[:1] if name in _COMMANDS), "")
    return f"{message}; see {f'netaclaw {command}'.strip()} --help"


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        print(f"netaclaw {__version__}")
        raise typer.Exit


File = Annotated[str, typer.Argument(metavar="FILE", show_default=False, help="Transcript to read, also .gz; - is standard input.")]
Format = Annotated[
    str,
    typer.Option(
        "--format", metavar="NAME", help="Format of FILE: auto looks at its content; or neutral, openai, anthropic, pi, claude-code."
    ),
]
Window = Annotated[int, typer.Option("--window", metavar="TOKENS", parser=whole_number, help="Context window of the model.")]
Threshold = Annotated[
    float, typer.Option("--threshold", metavar="PERCENT", parser=number, help="Share of the window at which compaction starts.")
]
ProtectFirst = Annotated[
    int, typer.Option("--protect-first", metavar="N", parser=whole_number, help="Messages at the start that stay word for word.")
]
TailRatio = Annotated[
    float, typer.Option("--tail-ratio", metavar="RATIO", parser=number, help="Share of the threshold that the newest messages keep.")
]
Counter = Annotated[
    str, typer.Option("--counter", metavar="NAME", help="How tokens are counted: o200k (exact) or chars4 (characters / 4).")
]
SummaryTokens = Annotated[
    int | None,
    typer.Option("--summary-tokens", metavar="N", parser=whole_number, help="Size of the summary, instead of a fifth of what it covers."),
]
Force = Annotated[bool, typer.Option("--force", help="Whatever the size, and never stop after phase 1.")]
PreviousSummary = Annotated[
    str | None, typer.Option("--previous-summary", metavar="FILE", help="Text of an earlier summary that is carried on.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version.")] = False,
) -> None:
    pass


@app.command(
    "compact",
    short_help="Make a long transcript shorter.",
    epilog="Example: netaclaw compact session.jsonl --window 32000 --out short.jsonl",
)
def _compact(  # noqa: PLR0913 - one argument an option is how typer reads them
    file: File,
    transcript_format: Format = "auto",
    window: Window = 128_000,
    threshold: Threshold = 70,
    protect_first: ProtectFirst = 3,
    tail_ratio: TailRatio = 0.2,
    force: Force = False,
    counter: Counter = "o200k",
    summary_tokens: SummaryTokens = None,
    summarizer: Annotated[str, typer.Option("--summarizer", metavar="NAME", help="Who writes the summary: offline.")] = "offline",
    focus: Annotated[str | None, typer.Option("--focus", metavar="TEXT", help="What the summary must keep above all.")] = None,
    previous_summary: PreviousSummary = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="Where the transcript goes instead of standard output; written whole or not at all."),
    ] = None,
    as_json: AsJson = False,
) -> Command:
    """Make a long transcript shorter: old tool output is cut, the middle is summarised, start and end stay word for word.

    The result goes to standard output in the neutral form (JSONL), a report to standard error. With --json the object is
    printed instead, and the transcript goes to --out only. FILE itself may be --out.
    """
    from netaclaw.terminal.compact_command import CompactJob, run_compact

    need_offline(summarizer)
    settings = settings_of(window, threshold, protect_first, tail_ratio, counter, summary_tokens)
    return partial(run_compact, CompactJob(file, transcript_format, settings, force, focus, previous_summary, out, as_json))


@app.command("inspect", short_help="Show what a transcript is made of.", epilog="Example: netaclaw inspect session.jsonl --window 200000")
def _inspect(  # noqa: PLR0913 - one argument an option is how typer reads them
    file: File,
    transcript_format: Format = "auto",
    window: Window = 128_000,
    threshold: Threshold = 70,
    protect_first: ProtectFirst = 3,
    tail_ratio: TailRatio = 0.2,
    force: Force = False,
    counter: Counter = "o200k",
    summary_tokens: SummaryTokens = None,
    as_json: AsJson = False,
) -> Command:
    """Show what a transcript is made of, and what each phase of a compaction would do, without changing anything."""
    from netaclaw.terminal.inspect_command import InspectJob, run_inspect

    settings = settings_of(window, threshold, protect_first, tail_ratio, counter, summary_tokens)
    return partial(run_inspect, InspectJob(file, transcript_format, settings, force, as_json))


@app.command("demo", short_help="Serve two conversations that are about to be compacted.", epilog="Example: netaclaw demo --port 8765")
def _demo(
    host: Host = None,
    port: Port = None,
    data_dir: DataDir = None,
    lang: Annotated[
        str | None, typer.Option("--lang", metavar="zh|en", show_default=False, help="Language of these lines; the locale's if not given.")
    ] = None,
) -> Command:
    """Serve the page with two conversations in it, one Chinese and one English, that stand just under the threshold.

    The offline agent makes them at the first start by working with its tools on NetaClaw's own source. They lie in the folder
    `demo` of the data folder; real conversations are not touched.
    """
    if lang not in (None, "zh", "en"):
        raise typer.BadParameter(f"{lang!r} is not a language of the demo; choose zh or en", param_hint="--lang")
    from netaclaw.settings import read_settings

    settings = read_settings(host=host, port=port, data_dir=data_dir)
    from netaclaw.demo import run_demo
    from netaclaw.terminal.wording import screen_language

    return partial(run_demo, settings, screen_language(os.environ, lang))


add_server_commands(app)
