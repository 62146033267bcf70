"""A compaction's result for scripts (one object) and for people (two lines)."""

from typing import Any

from netaclaw.compaction import CompactionResult
from netaclaw.terminal.words import Words


def outcome_object(result: CompactionResult, duration_ms: int) -> dict[str, Any]:
    """Return the object of `compact --json`; its keys and their order are fixed (DESIGN section 10)."""
    audit = result.audit
    return {
        "status": result.status,
        "reason": result.reason,
        "messagesBefore": result.messages_before,
        "messagesAfter": result.messages_after,
        "removedCount": result.removed_count,
        "prunedCount": result.pruned_count,
        "tokensBefore": result.tokens_before,
        "tokensAfter": result.tokens_after,
        "thresholdTokens": result.threshold_tokens,
        "summary": result.summary,
        "audit": {
            "checked": audit.checked if audit else 0,
            "missing": audit.missing if audit else 0,
            "repaired": audit.repaired if audit else 0,
        },
        "durationMs": duration_ms,
    }


def outcome_lines(result: CompactionResult, words: Words) -> tuple[str, ...]:
    """Return what happened, in one line, what the summary covers and how the audit went, and what to do if it was in vain."""
    status = words.statuses[result.status]
    if result.reason is not None:
        status += f" ({words.reasons[result.reason]})"
    first = words.report.format(
        status=status,
        before=f"{result.tokens_before:,}",
        after=f"{result.tokens_after:,}",
        saved=saved_percent(result),
        messages_before=f"{result.messages_before:,}",
        messages_after=f"{result.messages_after:,}",
    )
    if result.status not in ("compacted", "pruned"):
        return (first,)
    details = [words.report_details.format(removed=f"{result.removed_count:,}", pruned=f"{result.pruned_count:,}")]
    if result.audit is not None:
        audit = result.audit
        details.append(words.audit.format(checked=audit.checked, missing=audit.missing, repaired=audit.repaired))
    lines = (first, words.joint.join(details))
    return (*lines, words.pruned_in_vain) if result.status == "pruned" and result.reason == "ineffective" else lines


def saved_percent(result: CompactionResult) -> int:
    """Return how much smaller the conversation got, in whole percent; never below 0."""
    if not result.tokens_before:
        return 0
    return max(0, round(100 * (1 - result.tokens_after / result.tokens_before)))
