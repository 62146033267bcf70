"""One compaction as a whole: outcomes, reasons, and what they leave behind."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from netaclaw.compaction import (
    CompactionResult,
    CompactionSettings,
    SummaryReply,
    SummaryRequest,
    broken_rules,
    compact,
    offline_summarizer,
    plan_compaction,
)
from netaclaw.domain.messages import Message
from netaclaw.errors import SummarizerError
from tests.builders import assistant, system, tool_call, tool_result, user

SETTINGS = CompactionSettings(window_tokens=10_000)
FRAME = "[CONTEXT COMPACTION] Earlier turns of this conversation were compacted to save context space..."
SUMMARY = "## Goal\nMove the billing service to the new database, keep the old interface. " * 4


def conversation(turns: int = 24) -> list[Message]:
    messages = [system("You are a careful engineer.")]
    for number in range(turns):
        messages += [
            user(f"Step {number}: look at part {number}. " * 20),
            assistant("I read it", tool_call(f"c{number}", path=f"src/part_{number}.py")),
            tool_result(f"c{number}", f"line {number}\n" * 150),
            assistant(f"Step {number} is done. " * 40),
        ]
    return messages


async def good(request: SummaryRequest) -> SummaryReply:
    return SummaryReply(SUMMARY, input_tokens=900, output_tokens=80)


def run(
    messages: Sequence[Message], summarize: object = good, settings: CompactionSettings = SETTINGS, **options: object
) -> CompactionResult:
    return asyncio.run(compact(messages, settings, summarize, **options))  # type: ignore[arg-type]


def test_the_result_carries_what_the_summariser_reported() -> None:
    result = run(conversation(), audit=False)

    assert (result.status, result.reason, result.summary, result.audit) == ("compacted", None, SUMMARY.strip(), None)
    assert (result.summary_input_tokens, result.summary_output_tokens) == (900, 80)
    assert result.removed_count == result.messages_before - result.messages_after  # the summary joins the first user message of the tail


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (TimeoutError(), "auxiliary_timeout"),
        (ConnectionResetError("peer"), "auxiliary_error"),
        (SummarizerError("auxiliary_auth", "channel X: 401; check its key"), "auxiliary_auth"),
    ],
)
def test_a_failing_summariser_leaves_the_messages_as_they_were(fault: Exception, reason: str) -> None:
    async def fail(request: SummaryRequest) -> str:
        raise fault

    messages = conversation()
    result = run(messages, fail)

    assert (result.status, result.reason, result.messages) == ("failed", reason, tuple(messages))
    assert (result.summary, result.removed_count, result.tokens_after) == (None, 0, result.tokens_before)
    assert result.error


def test_a_summary_larger_than_what_it_replaces_is_refused() -> None:
    async def chatter(request: SummaryRequest) -> str:
        return "word " * 50_000

    result = run(conversation(), chatter)

    assert (result.status, result.reason) == ("failed", "inflated_summary")


def test_cancelling_the_task_cancels_the_compaction() -> None:
    async def scenario() -> None:
        async def hang(request: SummaryRequest) -> str:
            await asyncio.sleep(3_600)
            return ""

        task = asyncio.create_task(compact(conversation(), SETTINGS, hang))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(scenario())


def test_force_compacts_below_the_threshold_and_never_stops_after_the_first_phase() -> None:
    messages = conversation(5)

    assert run(messages).status == "not_needed"
    assert run(messages, force=True).status == "compacted"


def test_nothing_between_head_and_tail_is_not_needed_even_with_force() -> None:
    messages = conversation(1)

    result = run(messages, force=True)

    assert (result.status, result.reason, result.messages) == ("not_needed", "nothing_to_compact", tuple(messages))


def test_one_huge_message_fails_without_a_summary_call() -> None:
    async def never(request: SummaryRequest) -> str:
        raise AssertionError("no summary can help here")

    messages = [system("s"), user("x" * 60_000), assistant("ok")]
    result = run(messages, never)

    assert (result.status, result.reason) == ("failed", "message_too_large")
    assert result.error == ("one message has 15010 tokens, the threshold is 7000; split the message, or use a model with a larger window")


def test_a_system_prompt_over_the_threshold_says_by_how_much() -> None:
    result = run([system("s" * 40_000), *conversation()[1:]])

    assert (result.status, result.reason) == ("failed", "system_prompt_too_large")
    assert result.error == "the system prompt has 10010 tokens, 3011 too many for the threshold of 7000; shorten it"


def test_a_giant_result_in_the_tail_is_shortened_where_nothing_can_be_summarised() -> None:
    messages = [user("look"), assistant("", tool_call("c1")), tool_result("c1", "begin " + "x" * 90_000 + " end")]

    result = run(messages)

    assert (result.status, result.reason, result.pruned_count) == ("pruned", None, 1)
    assert result.messages[2].text.startswith("begin ")
    assert result.messages[2].text.endswith(" end")
    assert result.tokens_after < result.threshold_tokens


def test_what_cannot_be_brought_under_the_threshold_is_marked_ineffective() -> None:
    messages = [*conversation(), user("y" * 40_000)]

    result = run(messages)

    assert (result.status, result.reason) == ("compacted", "ineffective")
    assert result.messages[-1].text.endswith("y" * 40_000)
    assert result.tokens_after < result.tokens_before


def test_a_summary_given_from_outside_is_updated() -> None:
    asked: list[SummaryRequest] = []

    async def remember(request: SummaryRequest) -> str:
        asked.append(request)
        return SUMMARY

    run(
        conversation(),
        remember,
        previous_summary=f"{FRAME}\nold\n\n## Goal\nkeep NC-1",
    )

    assert asked[0].previous_summary == "## Goal\nkeep NC-1"


def test_secrets_reach_neither_the_summariser_nor_the_summary_but_stay_in_kept_messages() -> None:
    secret = "sk-proj-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3"
    asked: list[SummaryRequest] = []

    async def leaky(request: SummaryRequest) -> str:
        asked.append(request)
        return f"{SUMMARY}\nkey {secret}"

    messages = conversation()
    messages[6] = user(f"use {secret} please")
    messages.append(user(f"again {secret}"))
    result = run(messages, leaky)

    assert secret not in asked[0].prompt
    assert result.summary is not None
    assert secret not in result.summary
    assert secret in result.messages[-1].text
    assert secret in run(messages, leaky, redact=False).summary or ""  # type: ignore[operator]


def test_secrets_go_before_a_text_is_cut() -> None:
    secret = "ghp_" + "a1B2" * 9
    asked: list[SummaryRequest] = []

    async def remember(request: SummaryRequest) -> str:
        asked.append(request)
        return SUMMARY

    messages = conversation()
    messages[6] = user("x" * 3_980 + f" {secret} " + "y" * 3_000)
    run(messages, remember)

    assert "ghp_" not in asked[0].prompt
    assert "[REDACTED" in asked[0].prompt


def test_a_summary_that_repeats_the_frame_is_unwrapped() -> None:
    async def framed(request: SummaryRequest) -> str:
        return f"{FRAME}\nback\n\n{SUMMARY}\n\n[END OF CONTEXT COMPACTION] x"

    result = run(conversation(), framed, audit=False)

    assert sum(message.text.count("[CONTEXT COMPACTION]") for message in result.messages) == 1
    assert sum(message.text.count("[END OF CONTEXT COMPACTION]") for message in result.messages) == 1


def test_two_parts_of_one_long_history_end_in_one_summary() -> None:
    first = run(conversation(24), offline_summarizer)
    second = run([*first.messages, *conversation(24)[1:]], offline_summarizer)

    assert second.status == "compacted"
    assert sum(message.text.count("[CONTEXT COMPACTION]") for message in second.messages) == 1
    assert broken_rules(second.messages) == []


def test_progress_names_the_stages_in_order() -> None:
    stages: list[str] = []

    run(conversation(), offline_summarizer, progress=lambda stage, done, total: stages.append(stage))

    assert list(dict.fromkeys(stages)) == ["count", "read", "summarise", "audit"]


@pytest.mark.parametrize("reply", [f"{FRAME}\nback\n\n[END OF CONTEXT COMPACTION] x", f"{FRAME}\nback\n\n" + "short"])
def test_a_reply_that_is_only_a_frame_is_no_summary(reply: str) -> None:
    async def framed(request: SummaryRequest) -> str:
        return reply

    assert run(conversation(), framed).reason in ("short_summary", "empty_summary")


def test_the_error_of_a_foreign_summariser_is_one_printable_line() -> None:
    async def loud(request: SummaryRequest) -> str:
        raise RuntimeError("a\nb\x1b[31m")

    assert run(conversation(), loud).error == "the auxiliary model failed: a b[31m"


def test_many_tiny_neighbours_of_one_role_come_under_the_threshold() -> None:
    messages = [user(f"m {number}") for number in range(20_000)]

    result = run(messages, offline_summarizer, CompactionSettings(window_tokens=8_000, counter="o200k"))

    assert (result.status, result.reason) == ("compacted", None)


def test_the_summariser_is_told_the_name_of_the_tool_a_result_came_from() -> None:
    asked: list[SummaryRequest] = []

    async def remember(request: SummaryRequest) -> str:
        asked.append(request)
        return SUMMARY

    run(conversation(), remember)

    assert "[TOOL read_file] line 3" in asked[0].serialized
    assert "[TOOL tool]" not in asked[0].serialized


def test_an_invented_reason_is_an_error_of_the_auxiliary_model() -> None:
    async def odd(request: SummaryRequest) -> str:
        raise SummarizerError("foo", "bar")  # type: ignore[arg-type]

    assert run(conversation(), odd).reason == "auxiliary_error"


def test_known_counts_hold_where_neighbours_are_joined_in_the_request() -> None:
    talk = [
        replace(message, tokens=600)
        for number in range(10)
        for message in (user(f"first {number}"), user(f"second {number}"), assistant(f"done {number}"))
    ]
    plan = plan_compaction(talk, SETTINGS)
    assert plan.material.context_tokens == plan.tokens_before == 18_000
    assert plan.action == "summarize"
