"""Warnings of the reader are told, but not without end."""

import pytest

from netaclaw.terminal.source import display_name, read_previous_summary, say_warnings


def test_at_most_five_warnings_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    say_warnings([f"a.jsonl:{number}: odd" for number in range(1, 9)])
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "netaclaw: warning: a.jsonl:1: odd"
    assert lines[5:] == ["netaclaw: warning: 3 more; netaclaw inspect --json lists them all"]


def test_a_source_is_named_without_its_folders() -> None:
    assert (display_name("a/b/会话.jsonl"), display_name("-")) == ("会话.jsonl", "standard input")


def test_an_earlier_summary_is_read_without_mark_and_blanks(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("summary") / "summary.md"
    path.write_bytes(b"\xef\xbb\xbf\n## Goal\n\n")
    assert read_previous_summary(str(path)) == "## Goal"
