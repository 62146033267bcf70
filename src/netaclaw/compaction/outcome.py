"""From a plan that was carried out, or not, to the result that the caller sees."""

from collections.abc import Sequence
from dataclasses import replace

from netaclaw.compaction.audit import AuditReport
from netaclaw.compaction.phase4_assemble import apply_replacements
from netaclaw.compaction.plan import CompactionPlan, CompactionResult, SummaryReply
from netaclaw.compaction.settings import CompactionSettings
from netaclaw.compaction.tokens import message_counter
from netaclaw.domain.messages import Message
from netaclaw.errors import SummarizerError


def unchanged(plan: CompactionPlan, messages: Sequence[Message], settings: CompactionSettings) -> CompactionResult:
    """Nothing was done: not needed (then the context is the repaired list), or `failed` where something must be done by a person."""
    if plan.reason in ("message_too_large", "system_prompt_too_large"):
        return replace(_result(plan, messages, tuple(messages), plan.tokens_before), status="failed", error=_advice(plan))
    context = apply_replacements(plan.material.messages, {}, plan.material.language)
    return _result(plan, messages, context, sum(map(message_counter(settings), context)))


def pruned(
    plan: CompactionPlan, messages: Sequence[Message], context: tuple[Message, ...], settings: CompactionSettings
) -> CompactionResult:
    """Old tool output was cleared and that was enough, or all that could be done."""
    result = _result(plan, messages, context, sum(map(message_counter(settings), context)))
    return replace(result, status="pruned", pruned_count=len(plan.replacements))


def failed(plan: CompactionPlan, messages: Sequence[Message], error: SummarizerError) -> CompactionResult:
    """The summary could not be had; the messages are as they were."""
    result = _result(plan, messages, tuple(messages), plan.tokens_before)
    return replace(result, status="failed", reason=error.reason, error=str(error))


def compacted(
    plan: CompactionPlan,
    messages: Sequence[Message],
    context: tuple[Message, ...],
    reply: SummaryReply,
    audit: AuditReport | None,
    settings: CompactionSettings,
) -> CompactionResult:
    """A summary stands for the middle; `ineffective` where the context is still over the threshold, failed where it grew."""
    tokens_after = sum(map(message_counter(settings), context))
    if tokens_after >= plan.material.context_tokens:
        said = f"the compacted context would have {tokens_after} tokens, it had {plan.material.context_tokens}; nothing was changed"
        return failed(plan, messages, SummarizerError("inflated_summary", said))
    result = _result(plan, messages, context, tokens_after)
    return replace(
        result,
        status="compacted",
        reason=None if tokens_after < plan.threshold_tokens else "ineffective",
        summary=reply.text,
        removed_count=len(plan.newly_covered),
        pruned_count=sum(index >= plan.tail_start for index in plan.replacements),
        audit=audit,
        summary_input_tokens=reply.input_tokens,
        summary_output_tokens=reply.output_tokens,
    )


def _result(plan: CompactionPlan, messages: Sequence[Message], context: tuple[Message, ...], tokens_after: int) -> CompactionResult:
    return CompactionResult(
        status="not_needed",
        reason=plan.reason,
        messages=context,
        tokens_before=plan.tokens_before,
        tokens_after=tokens_after,
        threshold_tokens=plan.threshold_tokens,
        messages_before=len(messages),
        plan=plan,
    )


def _advice(plan: CompactionPlan) -> str:
    limit = plan.threshold_tokens
    if plan.reason == "system_prompt_too_large":
        size = plan.material.system_prompt_tokens
        return f"the system prompt has {size} tokens, {size - limit + 1} too many for the threshold of {limit}; shorten it"
    size = plan.material.largest_text_tokens
    return f"one message has {size} tokens, the threshold is {limit}; split the message, or use a model with a larger window"
