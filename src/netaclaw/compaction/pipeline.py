"""The order of a compaction: prune, cut, summarise, assemble. First a plan without a model, then the model, then one result."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil
from typing import TypeAlias

from netaclaw.compaction import outcome
from netaclaw.compaction.audit import audit_summary, collect_facts
from netaclaw.compaction.material import Material, named_result, prepare
from netaclaw.compaction.phase1_prune import PruneInput, prune, relieve
from netaclaw.compaction.phase2_cut import TAIL_TOLERANCE, Bounds, find_cut, find_head_end, spent_tokens
from netaclaw.compaction.phase3_summarize import ask, build_request, serialize, summary_budget_tokens
from netaclaw.compaction.phase4_assemble import Shown, apply_replacements, around_summary, assemble
from netaclaw.compaction.plan import CompactionPlan, CompactionResult, Progress, Summarize, SummaryReply, SummaryRequest
from netaclaw.compaction.prompts import wording
from netaclaw.compaction.redaction import redact_all, redact_messages
from netaclaw.compaction.settings import CompactionSettings
from netaclaw.compaction.size_estimate import estimated_tokens
from netaclaw.compaction.staged import ask_in_parts
from netaclaw.compaction.summary_message import SUMMARY_FRAME_TOKENS, plain_body, summary_message
from netaclaw.compaction.tokens import count_o200k, message_counter
from netaclaw.domain.messages import Message
from netaclaw.errors import SummarizerError

Clean: TypeAlias = Callable[[Sequence[str]], Sequence[str]]
"""Takes secrets out of texts."""


async def compact(  # noqa: PLR0913  (the names that DESIGN section 10 fixes)
    messages: Sequence[Message],
    settings: CompactionSettings,
    summarize: Summarize,
    previous_summary: str | None = None,
    focus: str | None = None,
    force: bool = False,
    audit: bool = True,
    redact: bool = True,
    progress: Progress | None = None,
) -> CompactionResult:
    """Compact the messages if they need it (with `force` always) and return the context of the next request.

    `messages` are not changed. A summariser that fails gives a result with status `failed`, its reason, and the messages
    as they were; only the cancellation of the task itself is raised. `previous_summary` is the body of an earlier summary that
    does not stand among the messages. DESIGN section 5.
    """
    report = progress or _silent
    plan = plan_compaction(messages, settings, force, progress=report)
    if plan.action == "none":
        return outcome.unchanged(plan, messages, settings)
    if plan.action == "prune":
        context = apply_replacements(plan.material.messages, plan.replacements, plan.material.language)
        return outcome.pruned(plan, messages, context, settings)

    clean = redact_all if redact else _as_they_are
    request = _request(plan, previous_summary, focus, clean, report)
    report("summarise", 0, len(plan.newly_covered))
    try:
        reply = await _summary(summarize, request, lambda body: _must_shrink(body, plan, settings))
    except SummarizerError as error:
        return outcome.failed(plan, messages, error)

    body, audit_report = reply.text, None
    if audit:
        report("audit", 0, len(request.facts))
        body, audit_report = audit_summary(body, request.facts, request.budget_tokens, _text_size(settings), request.language)
    body = clean([body])[0]
    plan, context = _assemble(plan, body, settings)
    return outcome.compacted(plan, messages, context, replace(reply, text=body), audit_report, settings)


def plan_compaction(
    messages: Sequence[Message], settings: CompactionSettings, force: bool = False, progress: Progress | None = None
) -> CompactionPlan:
    """Decide what a compaction would do: phases 1 and 2, the summary's budget. Pure, no model; indices count `plan.material.messages`."""
    count = message_counter(settings)
    material = prepare(messages, count, progress or _silent)
    used = material.context_tokens
    threshold = settings.threshold_tokens
    tail_budget = int(settings.tail_token_budget_ratio * (min(threshold, used) if force else threshold))
    head_end = find_head_end(material.messages, material.tokens, material.summaries, settings)
    plan = CompactionPlan("none", None, material, threshold, tail_budget, head=tuple(range(head_end)), tail_start=head_end)
    if not force and used < threshold:
        return plan
    if not force and material.system_prompt_tokens >= threshold:
        return replace(plan, reason="system_prompt_too_large")

    given = _prune_input(material, settings)
    plan = plan.with_replacements(prune(given, head_end, tail_budget), count)
    if not force and plan.tokens_after_prune < threshold and plan.freed_tokens >= settings.prune_gate_tokens:
        return replace(plan, action="prune", tail_start=head_end)

    bounds = Bounds(head_end, max([head_end, *(index + 1 for index in material.summaries)]), tail_budget)
    cut = find_cut(material.messages, material.tokens, settings, bounds)
    plan = replace(plan, middle=cut.middle, kept=cut.kept, tail_start=cut.tail_start)
    if not plan.has_news:
        return _without_summary(plan, given, settings, force)
    excess = spent_tokens(material.messages, plan.tokens, cut.tail_start) - int(tail_budget * TAIL_TOLERANCE)
    plan = plan.with_replacements(relieve(given, plan.replacements, cut.tail_start, excess), count)
    beside = around_summary(material.messages, Shown(plan.head, plan.kept, plan.tail_start), plan.replacements, material.language)
    room = threshold - sum(map(count, beside)) - SUMMARY_FRAME_TOKENS
    return replace(plan, action="summarize", summary_budget_tokens=summary_budget_tokens(settings, plan.middle_tokens, room))


def _prune_input(material: Material, settings: CompactionSettings) -> PruneInput:
    return PruneInput(
        messages=material.messages,
        tokens=material.tokens,
        pairing=material.pairing,
        words=wording(material.language),
        count=message_counter(settings),
        over_chars=settings.prune_over_chars,
    )


def _without_summary(plan: CompactionPlan, given: PruneInput, settings: CompactionSettings, force: bool) -> CompactionPlan:
    """Nothing can be summarised: prune under pressure if that pays, else say why nothing is done."""
    if force:
        return replace(plan, reason="nothing_to_compact", replacements={}, replaced_tokens={})
    excess = plan.tokens_after_prune - plan.threshold_tokens + 1
    pressed = plan.with_replacements(relieve(given, plan.replacements, len(plan.head), excess), given.count)
    is_under = pressed.tokens_after_prune < plan.threshold_tokens
    if pressed.freed_tokens >= settings.prune_gate_tokens or (is_under and pressed.replacements):
        return replace(pressed, action="prune", reason=None if is_under else "ineffective")
    is_one_message = not plan.material.summaries and plan.material.largest_text_tokens >= plan.threshold_tokens
    return replace(plan, reason="message_too_large" if is_one_message else "nothing_to_compact", replacements={}, replaced_tokens={})


def _request(plan: CompactionPlan, previous_summary: str | None, focus: str | None, clean: Clean, report: Progress) -> SummaryRequest:
    """Build the request from the turns without their secrets: what is hidden first can be found nowhere later."""
    material = plan.material
    report("read", 0, len(plan.newly_covered))
    turns = redact_messages([named_result(material, index) for index in plan.newly_covered], clean)
    earlier = "\n\n".join(plain_body(body) for body in (previous_summary, material.previous_summary) if body)
    earlier, wish = clean([earlier, focus or ""])
    return build_request(
        serialize(turns, material.language),
        collect_facts(turns, _as_they_are),
        previous_summary=earlier or None,
        budget_tokens=plan.summary_budget_tokens,
        language=material.language,
        focus=wish or None,
    )


async def _summary(summarize: Summarize, request: SummaryRequest, check: Callable[[str], None]) -> SummaryReply:
    """Ask once for all; in parts if the auxiliary model cannot read all at once."""
    try:
        return await ask(summarize, request, check)
    except SummarizerError as error:
        if error.reason != "auxiliary_overflow":
            raise
    return await ask_in_parts(summarize, request, check)


def _must_shrink(body: str, plan: CompactionPlan, settings: CompactionSettings) -> None:
    """Raise SummarizerError `inflated_summary` if a summary is not smaller than what it replaces, by the same counter."""
    size = message_counter(settings)(summary_message(body, plan.material.language))
    if size >= plan.middle_tokens:
        said = f"the summary has {size} tokens, what it replaces has {plan.middle_tokens}; nothing was changed"
        raise SummarizerError("inflated_summary", said)


def _assemble(plan: CompactionPlan, body: str, settings: CompactionSettings) -> tuple[CompactionPlan, tuple[Message, ...]]:
    """Assemble the context; if it is still over the threshold, once more after a pressure pass over the tail."""
    count = message_counter(settings)
    material = plan.material
    shown = Shown(plan.head, plan.kept, plan.tail_start)
    context = assemble(material.messages, shown, plan.replacements, body, material.language)
    excess = sum(map(count, context)) - plan.threshold_tokens + 1
    if excess <= 0:
        return plan, context
    given = _prune_input(material, settings)
    pressed = plan.with_replacements(relieve(given, plan.replacements, plan.tail_start, excess), count)
    return pressed, assemble(material.messages, shown, pressed.replacements, body, material.language)


def _text_size(settings: CompactionSettings) -> Callable[[str], int]:
    """The budget is one of real tokens, also where the session counts characters: these are far off for Chinese."""
    return count_o200k if settings.counter == "o200k" else lambda text: ceil(estimated_tokens(text))


def _as_they_are(texts: Sequence[str]) -> Sequence[str]:
    return texts


def _silent(stage: str, done: int, total: int) -> None:
    """Report progress to nobody."""
