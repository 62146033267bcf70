"""Call ids become unique and keep their results."""

from netaclaw.domain.messages import Message
from netaclaw.transcripts.unique_ids import with_unique_call_ids
from tests.builders import assistant, tool_call, tool_result


def ids(messages: list[Message]) -> list[tuple[str | None, ...]]:
    """Return the call ids of each message, or the id that a result answers."""
    renamed = with_unique_call_ids(messages)
    return [tuple(call.id for call in message.tool_calls) or (message.tool_call_id,) for message in renamed]


def calls(*call_ids: str) -> Message:
    return assistant("", *(tool_call(call_id) for call_id in call_ids))


def results(*call_ids: str) -> list[Message]:
    return [tool_result(call_id, "r") for call_id in call_ids]


def test_good_ids_stay_and_so_do_the_messages() -> None:
    messages = [calls("a", "b"), *results("b", "a"), calls("c"), *results("c")]
    assert all(old is new for old, new in zip(messages, with_unique_call_ids(messages), strict=True))


def test_an_id_used_again_gets_a_number_and_its_result_follows() -> None:
    assert ids([calls("a"), *results("a"), calls("a"), *results("a"), calls("a")]) == [("a",), ("a",), ("a_2",), ("a_2",), ("a_3",)]


def test_two_calls_of_one_id_in_one_message_are_answered_in_their_order() -> None:
    assert ids([calls("a", "a"), *results("a", "a")]) == [("a", "a_2"), ("a",), ("a_2",)]


def test_a_new_id_never_takes_one_that_stands_later() -> None:
    assert ids([calls("a"), calls("a"), calls("a_2"), *results("a_2")]) == [("a",), ("a_3",), ("a_2",), ("a_2",)]


def test_empty_ids_and_foreign_characters_are_replaced() -> None:
    assert ids([calls("", "call|fc:1", "压"), *results("call|fc:1", "")]) == [("call", "call_fc_1", "_"), ("call_fc_1",), ("call",)]


def test_a_late_result_still_finds_its_call() -> None:
    assert ids([calls("a.1"), calls("b"), *results("b", "a.1")]) == [("a_1",), ("b",), ("b",), ("a_1",)]


def test_a_result_without_a_call_gets_a_usable_id() -> None:
    assert ids([*results("x/y"), Message("tool")]) == [("x_y",), ("call",)]
