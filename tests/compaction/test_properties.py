"""What must hold for every list of messages, however broken it is."""

import asyncio
import copy
from collections.abc import Sequence

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from netaclaw.compaction import (
    CompactionResult,
    CompactionSettings,
    broken_rules,
    compact,
    message_counter,
    offline_summarizer,
    plan_compaction,
    project,
)
from netaclaw.compaction.invariants import newest_request_is_present, signed_thinking_is_untouched
from netaclaw.domain.messages import Message
from tests.strategies import conversations, settings

quick = hypothesis_settings(max_examples=250, deadline=None)


def run(messages: Sequence[Message], chosen: CompactionSettings, *, force: bool = False) -> CompactionResult:
    return asyncio.run(compact(messages, chosen, offline_summarizer, force=force))


@quick
@given(conversations, settings, st.booleans())
def test_a_result_breaks_no_rule_and_keeps_the_newest_request(messages: list[Message], chosen: CompactionSettings, force: bool) -> None:
    result = run(messages, chosen, force=force)

    if result.status == "failed":
        assert result.messages == tuple(messages)
        assert result.reason is not None
        assert result.error
        return
    assert broken_rules(result.messages) == []
    assert newest_request_is_present(result.messages, messages) == []
    assert signed_thinking_is_untouched(result.messages, messages) == []
    assert result.tokens_after == sum(map(message_counter(chosen), result.messages))
    assert bool(result.messages) == bool(messages)


@quick
@given(conversations, settings)
def test_what_was_just_compacted_is_left_alone_without_force(messages: list[Message], chosen: CompactionSettings) -> None:
    first = run(messages, chosen)

    second = run(first.messages, chosen)

    if first.status == "failed":
        assert second.messages == first.messages
        return
    if first.status == "not_needed" and first.tokens_after >= first.threshold_tokens:
        assert first.reason == "nothing_to_compact"  # what repair and joining made of it may be cut elsewhere
        return
    if second.status == "failed":
        assert second.reason in ("message_too_large", "system_prompt_too_large")
        assert second.messages == first.messages
    else:
        assert second.status == "not_needed"
        assert second.messages == first.messages


@quick
@given(conversations, settings, st.booleans())
def test_the_same_input_gives_the_same_bytes_and_is_not_changed(messages: list[Message], chosen: CompactionSettings, force: bool) -> None:
    before = copy.deepcopy(messages)

    first, second = run(messages, chosen, force=force), run(messages, chosen, force=force)

    assert first == second
    assert messages == before


@quick
@given(conversations, settings, st.booleans())
def test_a_plan_puts_every_message_in_one_place(messages: list[Message], chosen: CompactionSettings, force: bool) -> None:
    plan = plan_compaction(messages, chosen, force)

    if plan.action == "summarize":
        tail = range(plan.tail_start, len(plan.material.messages))
        places = [*plan.head, *plan.middle, *(index for index in plan.kept if index not in plan.middle), *tail]
        assert sorted(places) == list(range(len(plan.material.messages)))
        assert plan.material.messages[plan.tail_start].role != "tool"


@quick
@given(conversations)
def test_a_projection_is_valid_and_a_second_one_changes_nothing(messages: list[Message]) -> None:
    projected = project(messages)

    assert broken_rules(projected) == []
    assert project(projected) == projected
