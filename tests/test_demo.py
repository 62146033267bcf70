"""The demo: the same conversation every time, over the threshold, shown before and after in both languages."""

import re

import pytest
from rich.cells import cell_len

from netaclaw.cli import main
from netaclaw.compaction import CompactionSettings, broken_rules, plan_compaction
from netaclaw.demo import demo_transcript

SETTINGS = CompactionSettings(counter="o200k")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_conversation_is_the_same_on_every_call(language: str) -> None:
    assert demo_transcript(language) == demo_transcript(language)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_conversation_is_valid_and_over_the_threshold(language: str) -> None:
    messages = demo_transcript(language)
    assert broken_rules(messages) == []
    plan = plan_compaction(messages, SETTINGS)
    assert SETTINGS.threshold_tokens <= plan.tokens_before <= SETTINGS.window_tokens
    assert plan.material.language == language


@pytest.mark.parametrize("language", ["zh", "en"])
def test_both_languages_occur_in_both_conversations(language: str) -> None:
    texts = [message.text for message in demo_transcript(language) if message.role in ("user", "tool")]
    assert any(_CHINESE.search(text) for text in texts)
    assert any(not _CHINESE.search(text) for text in texts)


def test_commands_fail_and_then_pass() -> None:
    runs = [message for message in demo_transcript("en") if message.name == "run_command"]
    assert [message.is_error for message in runs].count(True) == 5
    assert not runs[-1].is_error


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_demo_shows_before_phases_summary_audit_and_after(
    columns: int, language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["demo", "--lang", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(cell_len(line) for line in lines) <= columns
    titles = {
        "zh": ["压缩前", "各阶段的作用", "摘要", "审核：摘要不能丢的内容", "压缩后"],
        "en": ["Before", "What each phase does", "The summary", "Audit: what the summary must not lose", "After"],
    }
    assert [line.partition(" ──")[0] for line in lines if line.endswith("──")] == titles[language]
    assert sum("PC-20260311-0457" in line for line in lines) >= 1


def test_the_demo_prints_the_same_every_time(capsys: pytest.CaptureFixture[str]) -> None:
    main(["demo", "--lang", "zh"])
    first = capsys.readouterr().out
    main(["demo", "--lang", "zh"])
    assert capsys.readouterr().out == first
