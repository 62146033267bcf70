"""What an inspection says of each phase."""

from netaclaw.compaction import CompactionSettings
from netaclaw.domain.messages import Message
from netaclaw.terminal.inspection import Interval, PruneOutlook, ResultOutlook, SummaryOutlook, inspect_messages
from tests.builders import assistant, system, tool_call, tool_result, user

SETTINGS = CompactionSettings(window_tokens=10_000, counter="chars4")
LISTING = "listing " * 250
"""2,000 characters: 510 tokens."""


def _steps(first: int, count: int, text: str = "") -> list[Message]:
    return [
        message
        for number in range(first, first + count)
        for message in (assistant("", tool_call(f"c{number}")), tool_result(f"c{number}", text or f"{number:04}" * 500))
    ]


def test_a_small_conversation_needs_nothing_and_the_phases_are_those_of_force() -> None:
    inspection = inspect_messages([system("s"), user("one"), assistant("two"), user("go on"), *_steps(0, 3), user("three")], SETTINGS)
    assert (inspection.plan.action, inspection.is_hypothetical) == ("none", True)
    assert inspection.cut is not None


def test_old_tool_output_that_suffices_ends_after_phase_1() -> None:
    messages = [system("s"), user("one"), assistant("two"), user("go on"), *_steps(0, 15), user("three"), assistant("four")]
    inspection = inspect_messages(messages, SETTINGS)
    assert inspection.plan.action == "prune"
    assert (inspection.cut, inspection.summary, inspection.result) == (None, None, None)
    freed_tokens = inspection.plan.tokens_before - inspection.prune.tokens_after
    assert inspection.prune == PruneOutlook(12, 0, 0, 0, freed_tokens, inspection.prune.tokens_after, suffices=True)


def test_duplicates_are_told_apart_from_old_results() -> None:
    messages = [
        system("s"),
        user("one"),
        assistant("two"),
        user("go on"),
        *_steps(0, 12),
        *_steps(50, 4, LISTING),
        user("three"),
        assistant("four"),
    ]
    prune = inspect_messages(messages, SETTINGS).prune
    assert (prune.results, prune.duplicates) == (12, 3)


def test_equal_results_that_are_all_old_are_old_results() -> None:
    start = [system("s"), user("one"), assistant("two"), user("go on")]
    prune = inspect_messages([*start, *_steps(0, 4, LISTING), *_steps(50, 14), user("three"), assistant("four")], SETTINGS).prune
    assert (prune.results, prune.duplicates) == (15, 0)


def test_a_forced_run_does_not_end_after_phase_1() -> None:
    messages = [system("s"), user("one"), assistant("two"), user("go on"), *_steps(0, 15), user("three"), assistant("four")]
    inspection = inspect_messages(messages, SETTINGS, force=True)
    assert inspection.cut is not None
    assert not inspection.prune.suffices


def test_head_middle_and_tail_cover_every_message_once() -> None:
    prose = [message for number in range(30) for message in (user(f"{number} " + "word " * 200), assistant("answer " * 100))]
    inspection = inspect_messages([system("s"), user("first"), assistant("second"), *prose, user("last")], SETTINGS)
    cut = inspection.cut
    assert cut is not None
    assert [*cut.head.indices, *cut.middle.indices, *cut.kept.indices, *cut.tail.indices] == list(range(64))
    assert inspection.summary == SummaryOutlook(len(cut.middle.indices), cut.middle.tokens, cut.middle.tokens // 5, "en", False)
    shown = cut.head.tokens + cut.kept.tokens + cut.tail.tokens
    assert inspection.result == ResultOutlook(64 - len(cut.middle.indices) + 1, shown + cut.middle.tokens // 5)
    assert cut.head == Interval((0, 1, 2), 32)


def test_the_biggest_messages_come_first() -> None:
    inspection = inspect_messages([user("a"), assistant("b" * 400), user("c" * 900)], SETTINGS)
    assert inspection.biggest == (2, 1, 0)


def test_the_messages_are_not_changed() -> None:
    messages = [system("s"), user("one"), *_steps(0, 4), user("two")]
    before = list(messages)
    inspect_messages(messages, SETTINGS, force=True)
    assert messages == before
