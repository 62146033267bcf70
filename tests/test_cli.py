"""The commands as people and scripts meet them: exit codes, what stands on which stream, one line for every fault."""

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest

from netaclaw import __version__
from netaclaw.cli import main
from netaclaw.compaction import broken_rules
from netaclaw.domain.messages import Message
from netaclaw.transcripts import FORMATS, read_transcript, write_transcript
from tests.builders import assistant, system, tool_call, tool_result, user
from tests.shared_data import DATA, needs_data

KEYS = [
    "status",
    "reason",
    "messagesBefore",
    "messagesAfter",
    "removedCount",
    "prunedCount",
    "tokensBefore",
    "tokensAfter",
    "thresholdTokens",
    "summary",
    "audit",
    "durationMs",
]
SMALL_WINDOW = ("--window", "4000")


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    """A conversation of about 9,000 tokens, half of them prose, so that pruning alone does not suffice."""
    path = tmp_path / "long.jsonl"
    write_transcript(_long_conversation(), path)
    return path


def test_the_compacted_transcript_goes_to_standard_output_and_the_report_to_standard_error(
    long_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compact", str(long_file), *SMALL_WINDOW]) == 0
    out, err = capsys.readouterr()
    (tmp_path / "out.jsonl").write_text(out)
    written = read_transcript(tmp_path / "out.jsonl")
    assert broken_rules(written.messages) == []
    assert len(written) < len(_long_conversation())
    assert written[-1].text.endswith("request 40")
    assert err.startswith("compacted: ")
    assert len(err.splitlines()) == 2


def test_json_without_out_prints_only_the_object(long_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compact", str(long_file), *SMALL_WINDOW, "--json"]) == 0
    out, err = capsys.readouterr()
    answer = json.loads(out)
    assert list(answer) == KEYS
    assert list(answer["audit"]) == ["checked", "missing", "repaired"]
    assert (answer["status"], answer["reason"], answer["messagesBefore"], answer["thresholdTokens"]) == ("compacted", None, 162, 2_800)
    assert answer["tokensAfter"] < answer["tokensBefore"]
    assert err == ""


def test_json_with_out_writes_the_transcript_and_prints_the_object(
    long_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "short.jsonl"
    assert main(["compact", str(long_file), *SMALL_WINDOW, "--out", str(target), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(read_transcript(target)) == answer["messagesAfter"]


def test_what_needs_nothing_is_written_repaired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "broken.jsonl", tmp_path / "mended.jsonl"
    source.write_text('{"role": "user", "content": "hello"}\n{"role": "tool", "content": "orphan", "tool_call_id": "c1"}\n')
    assert main(["compact", str(source), "--out", str(target)]) == 0
    assert [(message.role, message.text) for message in read_transcript(target)] == [("user", "hello")]
    err = capsys.readouterr().err
    assert "netaclaw: warning: " in err
    assert "not needed" in err


def test_out_may_be_the_input_itself(long_file: Path) -> None:
    assert main(["compact", str(long_file), *SMALL_WINDOW, "--out", str(long_file)]) == 0
    assert len(read_transcript(long_file)) < len(_long_conversation())


def test_out_may_be_packed(long_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "short.jsonl.gz"
    assert main(["compact", str(long_file), *SMALL_WINDOW, "--out", str(target)]) == 0
    assert gzip.decompress(target.read_bytes()).startswith(b'{"role": "system"')


def test_a_failed_run_writes_nothing_and_says_why_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    write_transcript([system("rule " * 4_000), user("hello"), assistant("hi"), user("go on")], source)
    assert main(["compact", str(source), *SMALL_WINDOW, "--out", str(target), "--json"]) == 1
    out, err = capsys.readouterr()
    assert (json.loads(out)["status"], json.loads(out)["reason"]) == ("failed", "system_prompt_too_large")
    assert err.count("\n") == 1
    assert "system prompt" in err
    assert not target.exists()


def test_the_report_speaks_the_language_of_the_locale(
    long_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert main(["compact", str(long_file), *SMALL_WINDOW, "--out", os.devnull]) == 0
    assert capsys.readouterr().err.startswith("已压缩：")


def test_an_earlier_summary_and_a_focus_are_taken_along(long_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    earlier = tmp_path / "summary.txt"
    earlier.write_text("## Goal\nShip release 9.9.7 of the heron.\n", encoding="utf-8")
    options = ["--previous-summary", str(earlier), "--focus", "the heron", "--summary-tokens", "900", "--force", "--json"]
    assert main(["compact", str(long_file), *SMALL_WINDOW, *options]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "compacted"


USAGE_FAULTS = [
    ([], "Missing command; see netaclaw --help"),
    (["tidy"], "No such command 'tidy'; see netaclaw --help"),
    (["compact"], "Missing argument 'FILE'; see netaclaw compact --help"),
    (["inspect"], "Missing argument 'FILE'; see netaclaw inspect --help"),
    (["compact", "FILE", "extra"], "extra argument"),
    (["compact", "FILE", "--windw", "3"], "--windw"),
    (["compact", "FILE", "--out"], "Option '--out' requires an argument; see netaclaw compact --help"),
    (["compact", "FILE", "--window", "0"], "--window is 0; it must be a number of tokens above 0"),
    (["compact", "FILE", "--window", "abc"], "'--window': 'abc' is not a whole number; give digits only"),
    (["inspect", "FILE", "--window", "-4"], "--window is -4; it must be a number of tokens above 0"),
    (["compact", "FILE", "--threshold", "-1"], "--threshold is -1.0; it must lie above 0 and up to 100"),
    (["compact", "FILE", "--threshold", "101"], "--threshold is 101.0; it must lie above 0 and up to 100"),
    (["compact", "FILE", "--threshold", "nan"], "--threshold is nan; it must lie above 0 and up to 100"),
    (["compact", "FILE", "--threshold", "high"], "'--threshold': 'high' is not a number; give one such as 70"),
    (["compact", "FILE", "--tail-ratio", "1.5"], "--tail-ratio is 1.5; it must lie above 0 and up to 1"),
    (["compact", "FILE", "--protect-first", "-1"], "--protect-first is -1; it must be 0 or more"),
    (["compact", "FILE", "--summary-tokens", "0"], "--summary-tokens is 0; it must be above 0"),
    (["compact", "FILE", "--counter", "words"], "--counter is 'words'; it must be one of chars4, o200k"),
    (["compact", "FILE", "--summarizer", "foo"], "--summarizer is 'foo'; a model channel needs the NetaClaw server"),
    (["compact", "FILE", "--format", "word"], "'word' is no known format; use auto or one of neutral"),
    (["compact", "FOLDER"], "is a directory; give a transcript file in it"),
    (["compact", "ABSENT"], "no such file; check the path"),
    (["compact", "EMPTY"], "is empty; give a transcript with messages"),
    (["compact", "BINARY"], "is binary, not text; give"),
    (["inspect", "BINARY", "--json"], "is binary, not text; give"),
    (["compact", "FILE", "--previous-summary", "ABSENT"], "cannot be read (No such file or directory); name a text file"),
    (["compact", "FILE", "--previous-summary", "FOLDER"], "cannot be read (Is a directory); name a text file"),
    (["compact", "FILE", "--previous-summary", "EMPTY"], "is empty; leave the option out"),
    (["compact", "FILE", "--previous-summary", "BINARY"], "is not a summary; name a text file in UTF-8"),
    (["compact", "FILE", "--out", "FOLDER"], "is a directory; name a file in it"),
    (["compact", "FILE", "--out", "ABSENT/short.jsonl"], "does not exist; create it or choose another place"),
    (["compact", "FILE", "--out", "-", "--json"], "--out - and --json both write to standard output; name a file"),
    (["demo", "--lang", "fr"], "'fr' is not a language of the demo; choose zh or en"),
]


@pytest.mark.parametrize(("arguments", "expected"), USAGE_FAULTS, ids=[" ".join(arguments) or "nothing" for arguments, _ in USAGE_FAULTS])
def test_bad_usage_and_bad_input_are_one_line_with_a_remedy_and_exit_2(
    arguments: Sequence[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "FILE").write_text('{"role": "user", "content": "hello"}\n')
    (tmp_path / "FOLDER").mkdir()
    (tmp_path / "EMPTY").touch()
    (tmp_path / "BINARY").write_bytes(b"\x07\x01" + bytes(range(256)))
    placed = [str(tmp_path / argument) if argument.split("/")[0].isupper() else argument for argument in arguments]
    assert main(placed) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("netaclaw: ")
    assert err.count("\n") == 1
    assert ";" in err
    assert expected in err


def test_a_file_name_with_line_breaks_cannot_break_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compact", "no\nsuch\x1b[31mfile"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "\x1b" not in err


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr() == (f"netaclaw {__version__}\n", "")


@pytest.mark.parametrize("command", ["compact", "inspect", "demo"])
def test_help_is_short_and_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"Example: netaclaw {command} " in out
    assert len(out.splitlines()) < 50
    assert max(len(line) for line in out.splitlines()) <= 80


def test_help_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    main(["compact", "--help"])
    out = capsys.readouterr().out
    assert [name for name in FORMATS if name not in out] == []


def test_inspect_shows_kinds_phases_and_the_biggest_messages(long_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(long_file), *SMALL_WINDOW]) == 0
    out, err = capsys.readouterr()
    told = ("long.jsonl · neutral", "messages: 162 (1 system", "It would be compacted.", "tool results", "1 prune", "4 assemble", "Biggest")
    assert [text for text in told if text not in out] == []
    assert err == ""


@pytest.mark.parametrize("columns", [20, 80, 120])
def test_no_line_of_inspect_is_wider_than_the_terminal(
    columns: int, long_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["inspect", str(long_file), "--force"]) == 0
    assert max(len(line) for line in capsys.readouterr().out.splitlines()) <= columns


def test_inspect_json_says_what_a_small_transcript_is_and_would_become(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "small.jsonl"
    source.write_text('{"role": "user", "content": "hello"}\n{"role": "assistant", "content": "good morning"}\n')
    assert main(["inspect", str(source), "--window", "1000", "--counter", "chars4", "--json"]) == 0
    nothing = {"messages": 0, "o200k": 0, "chars4": 0}
    assert json.loads(capsys.readouterr().out) == {
        "file": str(source),
        "format": "neutral",
        "counter": "chars4",
        "windowTokens": 1_000,
        "thresholdTokens": 700,
        "thresholdPercent": 70,
        "usedTokens": 24,
        "usedPercent": 2.4,
        "messages": {"total": 2, "system": 0, "user": 1, "assistant": 1, "tool": 0},
        "kinds": {
            "system": nothing,
            "user": {"messages": 1, "o200k": 1, "chars4": 11},
            "assistant": {"messages": 1, "o200k": 2, "chars4": 13},
            "arguments": nothing,
            "toolResults": nothing,
            "thinking": nothing,
            "images": nothing,
        },
        "textTokens": {"o200k": 3, "chars4": 24},
        "allTokens": {"o200k": 3, "chars4": 24},
        "wouldCompact": False,
        "action": "none",
        "reason": None,
        "isHypothetical": True,
        "phases": {
            "prune": {
                "results": 0,
                "duplicates": 0,
                "arguments": 0,
                "relieved": 0,
                "freedTokens": 0,
                "tokensAfter": 24,
                "suffices": False,
            },
            "cut": None,
            "summarize": None,
            "assemble": None,
        },
        "biggest": [
            {"index": 1, "tokens": 13, "role": "assistant", "name": None, "firstWords": "good morning"},
            {"index": 0, "tokens": 11, "role": "user", "name": None, "firstWords": "hello"},
        ],
        "warnings": [],
    }


@needs_data
@pytest.mark.parametrize("name", ["swe-agent/ctf--crypto--BabyEncryption.jsonl", "pi-mono/large-session.repaired.jsonl"])
def test_inspect_counts_what_the_reference_counts(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    expected = json.loads((DATA / "token-counts.json").read_text("utf-8"))["files"][f"neutral/{name}"]
    assert main(["inspect", str(DATA / "neutral" / name), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    kinds = [answer["kinds"][kind] for kind in ("system", "user", "assistant", "arguments", "toolResults")]
    for counter in ("o200k", "chars4"):
        assert sum(kind[counter] for kind in kinds) == answer["textTokens"][counter] == expected[counter]


def test_a_process_reads_standard_input_and_writes_utf8_whatever_the_locale(long_file: Path) -> None:
    run = _netaclaw("compact", "-", *SMALL_WINDOW, given=long_file.read_bytes(), environment={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert run.returncode == 0
    assert "请求" in run.stdout.decode("utf-8")
    assert run.stderr.startswith(b"compacted: ")


def test_a_reader_that_goes_away_is_no_fault(long_file: Path) -> None:
    for arguments in (("compact", str(long_file), "--window", "90000"), ("inspect", str(long_file), "--json")):
        with _started(*arguments) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            said = process.stderr.read()
            assert (process.wait(), b"Traceback" in said, b"rror" in said) == (0, False, False)


def test_ctrl_c_is_one_line_and_130() -> None:
    with _started("compact", "-", "--json", stdin=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stderr.read(8) == b"netaclaw"  # the progress line: it waits for standard input
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait() == 130
        assert said.splitlines()[1:] == [b"netaclaw: interrupted; no file was changed"]


def test_a_full_disk_is_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "wb") as full:
        run = _netaclaw("--help", stdout=full)
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1] == b"netaclaw: standard output: No space left on device; check the disk and the permissions"
    assert b"Traceback" not in run.stderr


def test_starting_loads_neither_engine_nor_screen_nor_vocabulary() -> None:
    heavy = ["netaclaw.compaction", "netaclaw.transcripts", "netaclaw.demo", "rich", "tiktoken", "pydantic", "asyncio"]
    code = f"import sys, netaclaw.cli; print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def _long_conversation() -> list[Message]:
    messages = [system("You help with the heron project.")]
    for number in range(40):
        messages.append(_request(number))
        messages.append(assistant(f"I read part {number}. " * 4, tool_call(f"c{number}", path=f"src/part_{number}.py")))
        messages.append(tool_result(f"c{number}", f"line of part {number}\n" * 30, name="read_file"))
        messages.append(assistant(f"Part {number} keeps the rules."))
    return [*messages, _request(40)]


def _request(number: int) -> Message:
    return user(f"{'Please look at the next file and keep the rules that we agreed on. ' * 3}请求 request {number}")


def _environment(more: dict[str, str] | None = None) -> dict[str, str]:
    return {**os.environ, "LANG": "en_US.UTF-8", **(more or {})}


def _netaclaw(
    *arguments: str, given: bytes = b"", environment: dict[str, str] | None = None, stdout: IO[bytes] | int = subprocess.PIPE
) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "netaclaw", *arguments]
    return subprocess.run(command, input=given, stdout=stdout, stderr=subprocess.PIPE, env=_environment(environment), check=False)


def _started(*arguments: str, stdin: int | None = None) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "netaclaw", *arguments]
    return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment())
