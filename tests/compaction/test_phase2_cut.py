"""Phase 2: where the head ends and the tail begins."""

from netaclaw.compaction import CompactionSettings, estimate_tokens
from netaclaw.compaction.phase2_cut import Bounds, Cut, find_cut, find_head_end, spent_tokens
from netaclaw.domain.messages import Message
from tests.builders import assistant, system, tool_call, tool_result, user

SETTINGS = CompactionSettings(window_tokens=100_000)


def sizes(messages: list[Message]) -> list[int]:
    return [estimate_tokens(message) for message in messages]


def cut(messages: list[Message], budget: int, head_end: int = 0) -> Cut:
    return find_cut(messages, sizes(messages), SETTINGS, Bounds(head_end, head_end, budget))


def turn(number: int, steps: int, chars: int = 400) -> list[Message]:
    messages = [user(f"request {number}")]
    for step in range(steps):
        call_id = f"{number}-{step}"
        messages += [assistant("", tool_call(call_id)), tool_result(call_id, "x" * chars)]
    return [*messages, assistant(f"answer {number}")]


def test_the_head_counts_the_system_prompt_and_takes_the_results_along() -> None:
    messages = [
        system("s"),
        user("u"),
        assistant("", tool_call("a"), tool_call("b")),
        tool_result("a", "1"),
        tool_result("b", "2"),
        user("v"),
    ]

    assert find_head_end(messages, sizes(messages), (), SETTINGS) == 5
    assert find_head_end(messages, sizes(messages), (), CompactionSettings(protect_first_n=0)) == 1


def test_a_head_over_a_tenth_of_the_threshold_gives_up_its_end_but_never_the_system_prompt() -> None:
    messages = [system("s" * 400_000), user("u"), assistant("", tool_call("a")), tool_result("a", "x" * 40_000), user("v")]

    assert find_head_end(messages, sizes(messages), (), SETTINGS) == 2


def test_a_former_summary_ends_the_head() -> None:
    messages = [system("s"), user("summary"), user("u"), assistant("a")]

    assert find_head_end(messages, sizes(messages), {1}, SETTINGS) == 1


def test_the_tail_begins_with_a_whole_turn_where_that_fits_half_as_much_again() -> None:
    messages = [message for number in range(6) for message in turn(number, 2)]

    assert cut(messages, 600) == Cut(head=(), middle=tuple(range(18)), kept=(), tail_start=18)


def test_a_turn_larger_than_the_tail_is_split_and_keeps_its_request() -> None:
    messages = [*turn(0, 1), *turn(1, 40)]

    found = cut(messages, 600)

    assert messages[found.tail_start].role == "assistant"
    assert found.kept == (4,)
    assert 4 not in found.middle
    assert spent_tokens(messages, sizes(messages), found.tail_start) <= 600


def test_the_newest_reply_is_kept_word_for_word_through_a_long_silent_run() -> None:
    messages = [*turn(0, 1), *turn(1, 40)[:-1]]

    found = cut(messages, 600)

    assert found.kept == (3, 4)
    assert messages[3].text == "answer 0"


def test_an_unread_giant_result_does_not_stop_the_cut() -> None:
    messages = [*turn(0, 3), *turn(1, 3), user("go"), assistant("", tool_call("big")), tool_result("big", "x" * 90_000)]

    found = cut(messages, 600)

    assert messages[found.tail_start] == user("go")
    assert (found.middle, found.kept) == (tuple(range(15)), (15,))


def test_a_list_of_user_messages_alone_can_be_cut() -> None:
    messages = [user(f"note {number} " * 30) for number in range(50)]

    found = cut(messages, 600)

    assert 0 < found.tail_start < 50
    assert found.middle


def test_too_few_messages_leave_no_middle() -> None:
    assert cut([user("a"), assistant("b"), user("c")], 10).middle == ()
