"""From stored messages to what a provider accepts."""

import json

import pytest

from netaclaw.compaction import broken_rules, project
from netaclaw.compaction.projection import arguments_object, join_neighbours, speak_for_the_system
from netaclaw.domain.messages import Image, Message, Text, ToolCall
from tests.builders import assistant, system, tool_call, tool_result, user

GAP = "[The tool call was interrupted; it may have run; no result]"


def texts(messages: tuple[Message, ...]) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in messages]


def test_a_healthy_list_stays_as_it_is() -> None:
    messages = (
        system("s"),
        user("u"),
        assistant("a", tool_call("c1"), tool_call("c2")),
        tool_result("c1", "1"),
        tool_result("c2", "2"),
        assistant("b"),
    )

    assert project(messages) == messages


def test_a_result_without_a_call_is_dropped() -> None:
    assert texts(project([user("u"), assistant("a"), tool_result("x", "orphan"), user("v")])) == [
        ("user", "u"),
        ("assistant", "a"),
        ("user", "v"),
    ]


def test_a_call_without_a_result_gets_a_placeholder_once() -> None:
    messages = [user("u"), assistant("", tool_call("c1"), tool_call("c2")), tool_result("c1", "1"), user("next")]

    once = project(messages)

    assert [(m.tool_call_id, m.text) for m in once if m.role == "tool"] == [("c1", "1"), ("c2", GAP)]
    assert project(once) == once


def test_a_late_result_moves_to_its_call() -> None:
    messages = [user("u"), assistant("", tool_call("c1")), assistant("", tool_call("c2")), tool_result("c2", "2"), tool_result("c1", "1")]

    assert [(m.role, m.tool_call_id) for m in project(messages)] == [
        ("user", None),
        ("assistant", None),
        ("tool", "c1"),
        ("assistant", None),
        ("tool", "c2"),
    ]


def test_ids_used_again_are_paired_by_position() -> None:
    messages = [user("u")]
    for number in range(3):
        messages += [assistant("", tool_call("same", n=number)), tool_result("same", f"result {number}")]

    assert project(messages) == tuple(messages)


def test_twins_in_one_message_and_empty_ids_get_ids_of_their_own() -> None:
    messages = [
        user("u"),
        assistant("", tool_call("c"), tool_call("c"), tool_call("")),
        tool_result("c", "1"),
        tool_result("c", "2"),
        tool_result("", "3"),
    ]

    projected = project(messages)

    ids = [call.id for call in projected[1].tool_calls]
    assert len(set(ids)) == 3
    assert [(m.tool_call_id, m.text) for m in projected[2:]] == list(zip(ids, ["1", "2", "3"], strict=True))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ("  ", {}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('{"path": "cut', {"unreadable_arguments": '{"path": "cut'}),
        ("[1]", {"unreadable_arguments": "[1]"}),
        ('{"x": NaN}', {"unreadable_arguments": '{"x": NaN}'}),
        ("[" * 100_000, {"unreadable_arguments": "[" * 100_000}),
        ("9" * 5_000, {"unreadable_arguments": "9" * 5_000}),
        ('{"a":' * 300 + "1" + "}" * 300, {"unreadable_arguments": '{"a":' * 300 + "1" + "}" * 300}),
        (json.dumps({"code": "[[{{" * 900}), {"code": "[[{{" * 900}),
    ],
)
def test_arguments_become_the_text_of_an_object(arguments: str, expected: object) -> None:
    assert json.loads(arguments_object(arguments)) == expected


def test_good_arguments_keep_their_bytes() -> None:
    arguments = '{ "b":1,\n"a" : "\\u4f60" }'

    assert arguments_object(arguments) is arguments


def test_neighbours_of_one_role_are_joined_by_a_blank_line() -> None:
    assert texts(join_neighbours([user("a"), user("b"), assistant("x"), assistant("y", tool_call("c"))])) == [
        ("user", "a\n\nb"),
        ("assistant", "x\n\ny"),
    ]


def test_joining_keeps_pictures_and_calls_in_order() -> None:
    picture = Image(data="AAAA")
    joined = join_neighbours([user("a"), Message("user", (Text("b"), picture, Text("c"))), user("d")])

    assert joined[0].parts == (Text("a\n\nb"), picture, Text("c\n\nd"))


def test_the_system_between_two_users_speaks_as_user_text() -> None:
    messages = [user("a"), system("note"), user("b"), assistant("x"), system("stays"), user("c")]

    assert texts(join_neighbours(speak_for_the_system(messages))) == [
        ("user", "a\n\n[SYSTEM] note\n\nb"),
        ("assistant", "x"),
        ("system", "stays"),
        ("user", "c"),
    ]


def test_a_conversation_that_begins_with_the_assistant_gets_an_opening() -> None:
    projected = project([system("s"), assistant("hello"), user("hi")], "zh")

    assert texts(projected)[1] == ("user", "[这份记录缺少更早的对话，从下一条消息开始]")
    assert broken_rules(projected) == []


def test_nothing_stays_nothing_and_only_empty_messages_still_give_a_user() -> None:
    assert project([]) == ()
    assert project([system("s")]) == (system("s"),)
    assert [message.role for message in project([user(""), assistant("")])] == ["user"]


def test_a_result_keeps_its_error_mark_when_its_id_changes() -> None:
    messages = [user("u"), assistant("", ToolCall("", "run", "{}")), tool_result("", "boom", is_error=True)]

    assert project(messages)[2] == tool_result("call_1", "boom", is_error=True)


def test_a_call_in_a_user_message_becomes_text() -> None:
    messages = [user("hi"), assistant("yo"), Message("user", (Text("look"), ToolCall("a", "run", "x"))), user("q")]

    projected = project(messages)

    assert texts(projected)[-1] == ("user", "look\n[CALL run] x\n\nq")
    assert broken_rules(projected) == []
