"""The compaction engine: pure functions from a list of messages to a shorter, valid one."""

from netaclaw.compaction.audit import AuditReport, Fact
from netaclaw.compaction.grouping import pair_calls
from netaclaw.compaction.invariants import broken_rules
from netaclaw.compaction.material import detect_language
from netaclaw.compaction.offline import offline_summarizer
from netaclaw.compaction.pipeline import compact, plan_compaction
from netaclaw.compaction.plan import CompactionPlan, CompactionResult, SummaryReply, SummaryRequest
from netaclaw.compaction.projection import arguments_object, join_neighbours, project
from netaclaw.compaction.settings import CompactionSettings
from netaclaw.compaction.tokens import estimate_tokens, message_counter

__all__ = [
    "AuditReport",
    "CompactionPlan",
    "CompactionResult",
    "CompactionSettings",
    "Fact",
    "SummaryReply",
    "SummaryRequest",
    "arguments_object",
    "broken_rules",
    "compact",
    "detect_language",
    "estimate_tokens",
    "join_neighbours",
    "message_counter",
    "offline_summarizer",
    "pair_calls",
    "plan_compaction",
    "project",
]
