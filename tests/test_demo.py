"""The demo: the same conversation every time, over the threshold, shown before and after in both languages."""

import asyncio
import re

import pytest
from rich.cells import cell_len

from netaclaw.cli import main
from netaclaw.compaction import CompactionSettings, broken_rules, compact, offline_summarizer, plan_compaction
from netaclaw.demo import demo_transcript
from netaclaw.demo.fates import fates_after
from tests.builders import assistant, system, tool_call, tool_result, user

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


def test_a_message_that_is_kept_on_its_own_is_not_called_tail() -> None:
    conversation = [
        system("rules"),
        user("first"),
        assistant("hello"),
        *(message for number in range(12) for message in (user(f"{number} " + "word " * 60), assistant("fine " * 60))),
        user("go on with the long job"),
        *(
            message
            for number in range(12)
            for message in (assistant("", tool_call(f"c{number}")), tool_result(f"c{number}", f"{number} " * 100))
        ),
    ]
    settings = CompactionSettings(window_tokens=4_000)
    result = asyncio.run(compact(conversation, settings, offline_summarizer, force=True))
    assert result.plan is not None
    assert result.plan.kept
    by_fate = {
        fate: [message.text[:23] for message, found in zip(result.messages, fates_after(result), strict=True) if found == fate]
        for fate in ("head", "summary", "kept")
    }
    assert by_fate == {
        "head": ["rules", "first", "hello"],
        "summary": ["[CONTEXT COMPACTION] Ea"],
        "kept": ["fine fine fine fine fin", "go on with the long job"],
    }
