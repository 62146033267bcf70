"""A result as an object and as lines."""

from netaclaw.compaction import AuditReport, CompactionResult
from netaclaw.terminal.outcome import outcome_lines, outcome_object, saved_percent
from netaclaw.terminal.words_en import ENGLISH as EN
from netaclaw.terminal.words_zh import CHINESE as ZH
from tests.builders import user

COMPACTED = CompactionResult(
    status="compacted",
    reason=None,
    messages=(user("a"), user("b")),
    tokens_before=10_000,
    tokens_after=2_500,
    threshold_tokens=7_000,
    messages_before=40,
    summary="## Goal",
    removed_count=37,
    pruned_count=1,
    audit=AuditReport(checked=9, missing=2, repaired=2),
)
NOT_NEEDED = CompactionResult("not_needed", "nothing_to_compact", (user("a"),), 12, 12, 7_000, 1)


def test_the_object_has_fixed_keys_and_an_audit_even_where_none_was_made() -> None:
    assert outcome_object(COMPACTED, 31) == {
        "status": "compacted",
        "reason": None,
        "messagesBefore": 40,
        "messagesAfter": 2,
        "removedCount": 37,
        "prunedCount": 1,
        "tokensBefore": 10_000,
        "tokensAfter": 2_500,
        "thresholdTokens": 7_000,
        "summary": "## Goal",
        "audit": {"checked": 9, "missing": 2, "repaired": 2},
        "durationMs": 31,
    }
    assert outcome_object(NOT_NEEDED, 0)["audit"] == {"checked": 0, "missing": 0, "repaired": 0}


def test_a_compaction_is_told_in_two_lines() -> None:
    assert outcome_lines(COMPACTED, EN) == (
        "compacted: 10,000 -> 2,500 tokens (75 % saved), 40 -> 2 messages",
        "37 messages summarised, 1 pruned; audit: 9 facts checked, 2 missing in the summary, 2 added",
    )
    assert outcome_lines(COMPACTED, ZH)[0] == "已压缩：10,000 -> 2,500 tokens（节省 75%），40 -> 2 条消息"


def test_what_was_not_needed_is_told_in_one_line_with_its_reason() -> None:
    assert outcome_lines(NOT_NEEDED, EN) == (
        "not needed (there is nothing between head and tail to compact): 12 -> 12 tokens (0 % saved), 1 -> 1 messages",
    )


def test_a_transcript_that_grew_by_its_repair_saved_nothing() -> None:
    assert saved_percent(CompactionResult("not_needed", None, (), 0, 0, 7_000, 0)) == 0
    assert saved_percent(CompactionResult("not_needed", None, (), 10, 12, 7_000, 1)) == 0


def test_a_prune_that_is_not_enough_says_in_words_what_can_be_done() -> None:
    in_vain = CompactionResult("pruned", "ineffective", (user("a"),), 10_000, 8_000, 7_000, 4, pruned_count=2)
    first, *_, last = outcome_lines(in_vain, EN)
    assert first == "pruned (it is still over the threshold): 10,000 -> 8,000 tokens (20 % saved), 4 -> 1 messages"
    assert last.startswith("that was all: nothing between head and tail can be summarised; make the newest messages")
    assert outcome_lines(in_vain, ZH)[-1].startswith("已无其他可压缩的内容")
