"""The server's commands as typer reads them. What a command needs is imported when it runs, so `compact` stays quick."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Command: TypeAlias = Callable[[], int]
"""Runs a command; returns the exit code."""

SERVER_COMMANDS = ("serve", "import", "export", "migrate", "doctor")

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", metavar="DIR", show_default=False, help="Folder of database and keys; NETACLAW_DATA_DIR or ~/.netaclaw."),
]


Host = Annotated[
    str | None, typer.Option("--host", metavar="ADDRESS", show_default=False, help="NETACLAW_HOST or 127.0.0.1; loopback only.")
]
Port = Annotated[int | None, typer.Option("--port", metavar="N", show_default=False, help="NETACLAW_PORT or 8765; 0 takes a free one.")]


def add_server_commands(app: typer.Typer) -> None:
    """Add serve, import, export, migrate and doctor."""
    app.command("serve", short_help="Serve the page and its API.", epilog="Example: netaclaw serve --port 8765")(_serve)
    app.command("import", short_help="Make sessions of transcripts.", epilog="Example: netaclaw import session.jsonl")(_import)
    app.command("export", short_help="Write a session as a transcript.", epilog="Example: netaclaw export 7 --format openai")(_export)
    app.command("migrate", short_help="Bring the database to this version.")(_migrate)
    app.command("doctor", short_help="Check what the server needs.")(_doctor)


def _serve(
    host: Host = None,
    port: Port = None,
    data_dir: DataDir = None,
) -> Command:
    """Serve the page and its API until Ctrl-C or SIGTERM."""
    from netaclaw.settings import read_settings

    settings = read_settings(host=host, port=port, data_dir=data_dir)  # before the rest is loaded: a bad one is said at once
    from netaclaw.commands.serve import run_serve

    return partial(run_serve, settings)


def _import(
    files: Annotated[list[str], typer.Argument(metavar="FILE ...", show_default=False, help="Transcripts, also .gz; - is standard input.")],
    transcript_format: Annotated[
        str, typer.Option("--format", metavar="NAME", help="Format of the files; auto looks at their content.")
    ] = "auto",
    data_dir: DataDir = None,
) -> Command:
    """Make a session of each transcript; nothing is written if one of them cannot be read."""
    from netaclaw.commands.import_transcript import run_import
    from netaclaw.settings import read_settings

    return partial(run_import, read_settings(data_dir=data_dir), files, transcript_format)


def _export(
    session: Annotated[int, typer.Argument(metavar="SESSION", show_default=False, help="Number of the session.")],
    transcript_format: Annotated[str, typer.Option("--format", metavar="NAME", help="openai, anthropic or neutral.")] = "neutral",
    view: Annotated[str, typer.Option("--view", metavar="NAME", help="full (every message) or compacted (the next request).")] = "full",
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", show_default=False, help="Where it goes instead of standard output.")
    ] = None,
    data_dir: DataDir = None,
) -> Command:
    """Write the active path of a session as a transcript."""
    from netaclaw.commands.export_session import run_export
    from netaclaw.settings import read_settings

    return partial(run_export, read_settings(data_dir=data_dir), session, transcript_format, view, out)


def _migrate(data_dir: DataDir = None) -> Command:
    """Bring the database to the version of this NetaClaw, all or nothing."""
    from netaclaw.commands.migrate import run_migrate
    from netaclaw.settings import read_settings

    return partial(run_migrate, read_settings(data_dir=data_dir))


def _doctor(data_dir: DataDir = None) -> Command:
    """Check data folder, database, keys, channels, vocabulary and page; nothing is changed."""
    from netaclaw.commands.doctor import run_doctor
    from netaclaw.settings import read_settings

    return partial(run_doctor, read_settings(data_dir=data_dir))
