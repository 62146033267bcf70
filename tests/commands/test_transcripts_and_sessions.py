"""`import`, `export`, `migrate` and `doctor` over a fresh data folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from netaclaw.cli import main
from netaclaw.transcripts import read_transcript, write_transcript
from tests.builders import assistant, system, tool_call, tool_result, user

TALK = (
    system("Be brief"),
    user("Which port?"),
    assistant("I look", tool_call("t1", "search", q="port")),
    tool_result("t1", "8765"),
    assistant("It is 8765"),
    user("端口是多少"),
    assistant("8765"),
)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("NETACLAW_") or name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NETACLAW_DATA_DIR", str(tmp_path / "data"))
    write_transcript(TALK, tmp_path / "talk.jsonl")


def test_a_transcript_becomes_a_session_and_comes_out_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(tmp_path / "talk.jsonl")]) == 0
    assert capsys.readouterr().out == "session 1: 7 messages of talk.jsonl (neutral)\n"
    for name in ("neutral", "openai", "anthropic"):
        out = tmp_path / f"out-{name}.json"
        assert main(["export", "1", "--format", name, "--out", str(out)]) == 0
        exported = read_transcript(out)
        assert [(message.role, message.text) for message in exported] == [(message.role, message.text) for message in TALK[1:]]
        assert [call.arguments for message in exported for call in message.tool_calls] == ['{"q": "port"}']


def test_the_compacted_view_can_be_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["import", str(tmp_path / "talk.jsonl")])
    assert main(["export", "1", "--view", "compacted"]) == 0
    assert "Which port?" in capsys.readouterr().out


def test_nothing_is_imported_if_one_of_the_files_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(tmp_path / "talk.jsonl"), str(tmp_path / "none.jsonl")]) == 2
    assert "no such file" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "remedy"),
    [
        (["export", "99"], 1, "There is no session 99"),
        (["export", "1", "--format", "pi"], 2, "use one of openai, anthropic, neutral"),
        (["export", "1", "--view", "half"], 2, "use full or compacted"),
        (["export", "x"], 2, "see netaclaw export --help"),
        (["import"], 2, "see netaclaw import --help"),
    ],
)
def test_a_fault_is_one_line_with_the_remedy(arguments: list[str], code: int, remedy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == code
    err = capsys.readouterr().err
    assert (len(err.splitlines()), remedy in err) == (1, True), err


def test_doctor_says_one_line_a_check_and_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    assert not (tmp_path / "data").exists()
    main(["import", str(tmp_path / "talk.jsonl")])
    capsys.readouterr()
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    subjects = [line[6:22].strip() for line in lines]
    assert subjects == ["address", "data folder", "database", "master key", "channel 1", "auxiliary model", "vocabulary", "page"]
    assert {line[:4].strip() for line in lines} <= {"ok", "note"}


def test_doctor_finds_a_broken_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "netaclaw.db").write_text("this is no database, whatever it is called")
    assert main(["doctor"]) == 1
    assert "is no SQLite database" in capsys.readouterr().out


def test_compact_and_inspect_load_nothing_of_the_server(tmp_path: Path) -> None:
    script = (
        "import sys; from netaclaw.cli import main\n"
        f"main(['compact', {str(tmp_path / 'talk.jsonl')!r}, '--json']); main(['inspect', {str(tmp_path / 'talk.jsonl')!r}])\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "heavy = loaded & {'sqlalchemy', 'alembic', 'fastapi', 'uvicorn', 'pydantic_ai', 'openai', 'anthropic'}\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
