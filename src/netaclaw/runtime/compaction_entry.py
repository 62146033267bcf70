"""From what the engine decided to the entry that records it: indices of a list become ids of entries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from netaclaw.compaction import CompactionPlan, CompactionResult
from netaclaw.domain.entries import CompactionPayload, Entry, Trigger
from netaclaw.domain.messages import Message


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known of a compaction beside its result."""

    trigger: Trigger
    governing: Entry | None
    """The compaction that governed when it began."""
    texts_in_force: Mapping[int, str]
    """{entry id: replacement text} before it."""
    arguments_in_force: Mapping[int, Mapping[int, str]]
    focus: str | None = None
    channel: str | None = None
    model: str | None = None
    duration_ms: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    state: Mapping[str, Any] = field(default_factory=dict)


def payload_of(result: CompactionResult, known: Circumstances) -> CompactionPayload:
    """Return the payload of a `compacted` or `pruned` result. Every replacement still in force goes along, so that nothing
    before the context's start is needed to build it again."""
    plan = result.plan
    assert plan is not None, "`compact` always gives its plan along"
    is_summary = result.status == "compacted"
    shown = _shown(plan) if is_summary else set(range(len(plan.material.messages)))
    texts, arguments = _replacements(plan, shown, known)
    return CompactionPayload(
        mode="summary" if is_summary else "prune",
        summary=result.summary if is_summary else None,
        first_kept_entry_id=_first_entry_id(plan.material.messages[plan.tail_start :]) if is_summary else None,
        tokens_before=result.tokens_before,
        tokens_after=result.tokens_after,
        trigger=known.trigger,
        head_entry_ids=_entry_ids(plan, plan.head) if is_summary else (),
        kept_entry_ids=_entry_ids(plan, plan.kept) if is_summary else (),
        pruned=texts,
        pruned_arguments=arguments,
        removed_count=len(_entry_ids(plan, plan.newly_covered)) if is_summary else 0,
        previous_compaction_id=known.governing.id if known.governing else None,
        focus=known.focus,
        audit=_audit(result),
        channel=known.channel,
        model=known.model,
        usage=_usage(result),
        duration_ms=known.duration_ms,
        is_ineffective=result.reason == "ineffective",
        language=plan.material.language,
        settings=known.settings,
        state=known.state,
    )


def _shown(plan: CompactionPlan) -> set[int]:
    return {*plan.head, *plan.kept, *range(plan.tail_start, len(plan.material.messages))}


def _replacements(plan: CompactionPlan, shown: set[int], known: Circumstances) -> tuple[dict[int, str], dict[int, Mapping[int, str]]]:
    texts: dict[int, str] = {}
    arguments: dict[int, Mapping[int, str]] = {}
    for index in sorted(shown):
        original = plan.material.messages[index]
        if original.entry_id is None:
            continue
        if original.entry_id in known.texts_in_force:
            texts[original.entry_id] = known.texts_in_force[original.entry_id]
        if original.entry_id in known.arguments_in_force:
            arguments[original.entry_id] = known.arguments_in_force[original.entry_id]
        shorter = plan.replacements.get(index)
        if shorter is not None and original.role == "tool":
            texts[original.entry_id] = shorter.text
        elif shorter is not None:
            arguments[original.entry_id] = {**arguments.get(original.entry_id, {}), **_changed_arguments(original, shorter)}
    return texts, arguments


def _changed_arguments(original: Message, shorter: Message) -> dict[int, str]:
    pairs = zip(original.tool_calls, shorter.tool_calls, strict=True)
    return {number: after.arguments for number, (before, after) in enumerate(pairs) if before.arguments != after.arguments}


def _entry_ids(plan: CompactionPlan, indices: Iterable[int]) -> tuple[int, ...]:
    found = (plan.material.messages[index].entry_id for index in indices)
    return tuple(entry_id for entry_id in found if entry_id is not None)


def _first_entry_id(messages: Iterable[Message]) -> int | None:
    return next((message.entry_id for message in messages if message.entry_id is not None), None)


def _audit(result: CompactionResult) -> dict[str, int] | None:
    audit = result.audit
    return {"checked": audit.checked, "missing": audit.missing, "repaired": audit.repaired} if audit else None


def _usage(result: CompactionResult) -> dict[str, int] | None:
    if result.summary_input_tokens is None or result.summary_output_tokens is None:
        return None
    return {"input": result.summary_input_tokens, "output": result.summary_output_tokens}
