"""What `compact` writes says nothing of the sizes that it counted with."""

import json
from pathlib import Path

import pytest

from netaclaw.cli import main
from netaclaw.transcripts import write_transcript
from tests.builders import assistant, user


@pytest.mark.parametrize("options", [(), ("--window", "900"), ("--window", "900", "--counter", "chars4")])
def test_no_token_counts_are_written(options: tuple[str, ...], tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    write_transcript([message for number in range(30) for message in (user(f"{number} " * 30), assistant("fine " * 20))], source)
    assert main(["compact", str(source), *options, "--out", str(target)]) == 0
    assert [line for line in target.read_text("utf-8").splitlines() if "tokens" in json.loads(line)] == []


def test_token_counts_of_the_input_are_used_and_written(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"role": "user", "content": "hello", "tokens": 7}\n')
    assert main(["compact", str(source), "--out", str(target)]) == 0
    assert [json.loads(line)["tokens"] for line in target.read_text("utf-8").splitlines()] == [7]
