"""The made-up conversation is the same every time, valid, and large enough to be compacted."""

import pytest

from netaclaw.compaction import CompactionSettings, broken_rules, plan_compaction
from tests.papercrane import demo_transcript

SETTINGS = CompactionSettings(counter="o200k")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_it_is_valid_and_over_the_threshold(language: str) -> None:
    messages = demo_transcript(language)
    assert messages == demo_transcript(language)
    assert broken_rules(messages) == []
    plan = plan_compaction(messages, SETTINGS)
    assert SETTINGS.threshold_tokens <= plan.tokens_before <= SETTINGS.window_tokens
    assert plan.material.language == language
