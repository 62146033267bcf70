"""Every transcript of ../shared/data is read, or refused in one line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from netaclaw.errors import TranscriptError
from netaclaw.transcripts import Transcript, from_neutral, read_transcript, to_neutral, write_transcript
from netaclaw.transcripts.notes import Notes
from netaclaw.transcripts.source import load_text
from tests.shared_data import DATA, needs_data, neutral_files

pytestmark = needs_data

RAW = DATA / "raw-samples"
READ = {
    r"agent-sessions-fixtures/claude--.*\.jsonl": "claude-code",
    r"agent-sessions-fixtures/(pi|openclaw)--": "pi",
    r"agent-sessions-fixtures/hermes--": "openai",
    r"claude-code-entire/(17|37)-": "claude-code",
    r"claude-code-(samples|spotter)/[a-z].*\.json": "claude-code",
    r"openhands-llm-logs/": "openai",
    r"pi-mono/": "pi",
}
"""Which raw samples are of a form that is read; every other one is refused."""
SAME_SESSIONS = [
    ("claude-code-entire/17-55e38d324c-0.jsonl.gz", "neutral-broken/claude-code-entire/17-55e38d324c-0.jsonl"),
    ("claude-code-entire/37-995ebed6e4-2.jsonl.gz", "neutral-broken/claude-code-entire/37-995ebed6e4-2.jsonl"),
    *((f"claude-code-samples/{name}", f"neutral/claude-code-samples/{name}") for name in (
        "claude-code-log--todowrite_examples.jsonl",
        "claude-code-log--representative_messages.jsonl",
        "claude-code-log--session_b.jsonl",
        "simonw--sample_session.jsonl",
    )),
    (
        "openhands-llm-logs/llm-logs--litellm_proxy__anthropic__claude-sonnet-4-20250514-1757015046.707.json",
        "neutral/openhands-llm-logs/llm-logs--anthropic__claude-sonnet-4-20250514-1757015046.707.jsonl",
    ),
    ("pi-mono/large-session.jsonl.gz", "neutral-broken/pi-mono/large-session.jsonl.gz"),
]  # fmt: skip


def raw_files() -> list[Path]:
    return sorted(path for path in RAW.rglob("*") if path.is_file())


def neutral_records(path: Path) -> list[Any]:
    return [json.loads(line) for line in load_text(path, Notes(""), "").split("\n") if line.strip()]


def essence(transcript: Transcript) -> list[Any]:
    """Return what two readings of one session must have in common."""
    calls = [[(call.id, call.name, json.loads(call.arguments)) for call in message.tool_calls] for message in transcript]
    return [(m.role, m.text, m.tool_call_id, m.name, m.is_error, c) for m, c in zip(transcript, calls, strict=True)]


def test_every_neutral_file_comes_back_exactly() -> None:
    for path in neutral_files():
        records = neutral_records(path)
        written = to_neutral(from_neutral(records))
        assert written == records, path
        assert [list(record) for record in written] == [list(record) for record in records], path


def test_every_neutral_file_is_recognised_and_broken_ones_give_warnings() -> None:
    for path in neutral_files():
        transcript = read_transcript(path)
        assert transcript.format == "neutral", path
        assert len(transcript) == len(neutral_records(path)), path
        assert all(warning.startswith(str(path)[-80:]) or str(path)[-80:] in warning for warning in transcript.warnings)
        if "neutral-broken" in str(path) and "37-995ebed6e4-2" not in path.name:  # that one's corrupt line went in its conversion
            assert transcript.warnings, path


def test_every_raw_sample_is_read_or_refused_in_one_line() -> None:
    for path in raw_files():
        name = str(path.relative_to(RAW))
        expected = next((form for pattern, form in READ.items() if re.match(pattern, name) and not name.endswith(".meta.json")), None)
        if expected is not None:
            assert read_transcript(path).format == expected, name
            continue
        with pytest.raises(TranscriptError) as caught:
            read_transcript(path)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) - len(str(path)) < 200


@pytest.mark.parametrize(("raw", "neutral"), SAME_SESSIONS)
def test_a_raw_session_reads_as_its_neutral_conversion(raw: str, neutral: str) -> None:
    assert essence(read_transcript(RAW / raw)) == essence(read_transcript(DATA / neutral))


@pytest.mark.parametrize("format_name", ["neutral", "openai", "anthropic"])
def test_what_is_written_of_every_small_file_reads_back_without_a_warning(tmp_path: Path, format_name: str) -> None:
    for path in [*neutral_files(), *(RAW / raw for raw, _ in SAME_SESSIONS)]:
        if path.stat().st_size > 60_000:
            continue
        out = tmp_path / "out"
        write_transcript(read_transcript(path), out, format_name)
        transcript = read_transcript(out, format_name)
        assert transcript.warnings == (), path
