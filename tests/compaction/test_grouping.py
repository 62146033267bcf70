"""Which result answers which call."""

from netaclaw.compaction.grouping import Pairing, order_results, pair_calls
from tests.builders import assistant, tool_call, tool_result, user


def test_pairs_are_found_by_position_among_equal_ids() -> None:
    messages = [
        assistant("", tool_call("c")),
        tool_result("c", "1"),
        assistant("", tool_call("c"), tool_call("c")),
        tool_result("c", "2"),
        tool_result("c", "3"),
    ]

    assert pair_calls(messages) == Pairing({0: [1], 2: [3, 4]}, {1: (0, 0), 3: (2, 0), 4: (2, 1)})


def test_a_result_goes_to_the_newest_open_call_of_its_id() -> None:
    messages = [assistant("", tool_call("c")), user("stop"), assistant("", tool_call("c")), tool_result("c", "of the second")]

    assert pair_calls(messages).results == {0: [None], 2: [3]}


def test_a_result_that_answers_nothing_is_in_no_pair() -> None:
    assert pair_calls([tool_result("x", "1"), assistant("", tool_call("c")), tool_result("y", "2")]) == Pairing({1: [None]}, {})


def test_a_nameless_result_answers_the_next_open_call_before_it_only() -> None:
    messages = [assistant("", tool_call("a"), tool_call("b")), tool_result("", "1"), tool_result("", "2"), user("u"), tool_result("", "3")]

    assert pair_calls(messages).results == {0: [1, 2]}


def test_an_orphan_inside_a_block_goes_behind_it() -> None:
    messages = [assistant("", tool_call("a"), tool_call("b")), tool_result("a", "1"), tool_result("gone", "?"), tool_result("b", "2")]

    ordered, pairing = order_results(messages)

    assert [message.tool_call_id for message in ordered] == [None, "a", "b", "gone"]
    assert pairing == pair_calls(ordered)


def test_many_nameless_calls_are_paired_in_linear_time() -> None:
    messages = []
    for number in range(20_000):
        messages += [assistant("", tool_call(""), tool_call("")), tool_result(f"r{number}", "x")]

    assert len(pair_calls(messages).call_of) == 20_000


def test_many_parallel_calls_of_one_id_are_paired_in_linear_time() -> None:
    calls = [tool_call("same") for _ in range(50_000)]
    messages = [assistant("", *calls), *(tool_result("same", "x") for _ in calls)]

    assert pair_calls(messages).results == {0: list(range(1, 50_001))}
