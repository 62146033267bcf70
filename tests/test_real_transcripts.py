"""Every real transcript through reading, compaction and writing, checked by a program that shares no code with ours."""

import asyncio
import gzip
import importlib.util
import io
import json
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from netaclaw.compaction import CompactionSettings, compact, offline_summarizer
from netaclaw.errors import TranscriptError
from netaclaw.transcripts import Transcript, read_transcript, to_neutral, write_transcript
from tests.shared_data import DATA, TOOLS, needs_data, neutral_files

WINDOWS = (8_000, 32_000, 200_000)
FOREIGN = ("openai", "anthropic", "pi", "claude-code")
REASONS = {None, "nothing_to_compact", "inflated_summary", "ineffective", "message_too_large", "system_prompt_too_large", "short_summary"}

pytestmark = needs_data


def raw_samples() -> list[Path]:
    folder = DATA / "raw-samples"
    return sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []


def relative(path: Path) -> str:
    return str(path.relative_to(DATA))


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    """The checker of the acceptance tools."""
    spec = importlib.util.spec_from_file_location("check_valid", TOOLS / "check_valid.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written(messages: Any) -> list[dict[str, Any]]:
    target = io.StringIO()
    write_transcript(messages, target)
    return [json.loads(line) for line in target.getvalue().splitlines()]


def check(transcript: Transcript, original: list[dict[str, Any]], checker: ModuleType) -> None:
    """Compact at every window, plain and forced, and check what is written."""
    for window in WINDOWS:
        for force in (False, True):
            settings = CompactionSettings(window_tokens=window, counter="o200k")
            result = asyncio.run(compact(transcript, settings, offline_summarizer, force=force))
            assert result.reason in REASONS, (window, force)
            if result.status == "failed":
                assert result.messages == tuple(transcript)
                continue
            output = written(result.messages)
            assert checker.broken_rules(output, original, result.status == "compacted") == [], (window, force, result.status)
            assert checker.broken_rules(output) == [], (window, force, result.status)


@pytest.mark.parametrize("path", neutral_files() if DATA.is_dir() else [], ids=relative)
def test_every_neutral_transcript_is_compacted_into_a_valid_one(path: Path, checker: ModuleType) -> None:
    check(read_transcript(path), checker.read(path), checker)


@pytest.mark.parametrize("path", raw_samples(), ids=relative)
def test_every_raw_sample_is_compacted_or_refused_in_one_line(path: Path, checker: ModuleType) -> None:
    transcript, refusal = read_or_refuse(path)
    if transcript is None:
        assert refusal.startswith(str(path))
        assert "\n" not in refusal
        return
    assert transcript.format in ("neutral", *FOREIGN)
    check(transcript, to_neutral(transcript), checker)


def read_or_refuse(path: Path) -> tuple[Transcript | None, str]:
    try:
        return read_transcript(path), ""
    except TranscriptError as error:
        return None, str(error)


SAMPLE = (
    "claude-code-entire/17-55e38d324c-0.jsonl",
    "crosswoz/desk-020.jsonl",
    "llama-factory/reason-tool-05.jsonl",
    "aider/session-0617.jsonl",
)


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("name", SAMPLE)
def test_the_command_writes_what_the_checker_accepts(name: str, force: bool, tmp_path: Path) -> None:
    source = next(path for path in neutral_files() if path.as_posix().endswith(name))
    for window in WINDOWS:
        target = tmp_path / f"{window}.jsonl"
        options = ["--window", str(window), "--out", str(target), "--json", *(["--force"] if force else [])]
        run = subprocess.run(
            [sys.executable, "-m", "netaclaw", "compact", str(source), *options], capture_output=True, text=True, check=False
        )
        report = json.loads(run.stdout)
        assert run.returncode == (1 if report["status"] == "failed" else 0)
        if report["status"] == "failed":
            assert not target.exists()
            continue
        flags = ["--compacted"] if report["status"] == "compacted" else []
        checked = subprocess.run(
            [sys.executable, str(TOOLS / "check_valid.py"), str(target), "--input", str(source), *flags],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (checked.returncode, checked.stdout) == (0, "valid\n")


def test_a_million_tokens_go_through_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = DATA / "neutral" / "aider" / "all-sessions.jsonl.gz"
    target = tmp_path / "out.jsonl"
    start = time.monotonic()

    run = subprocess.run(
        [sys.executable, "-m", "netaclaw", "compact", str(source), "--out", str(target), "--json"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )

    with capsys.disabled():
        print(f"\naider/all-sessions (1.09 million tokens) through the command: {time.monotonic() - start:.1f} s", flush=True)
    report = json.loads(run.stdout)
    assert report["status"] == "compacted"
    assert (
        report["tokensBefore"]
        == json.loads((DATA / "token-counts.json").read_text("utf-8"))["files"]["neutral/aider/all-sessions.jsonl.gz"]["o200k"]
    )
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        assert report["messagesBefore"] == sum(1 for line in lines if line.strip())
    assert report["messagesAfter"] == len(target.read_text("utf-8").splitlines())
