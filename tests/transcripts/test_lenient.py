"""What values of a foreign transcript become when they are not what they should be."""

from typing import Any

import pytest

from netaclaw.transcripts.base import Record
from netaclaw.transcripts.lenient import arguments_text, id_text, speaker, text_of, usable_calls
from netaclaw.transcripts.notes import Notes


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "a"),
        (None, ""),
        (1, "1"),
        (1.5, "1.5"),
        (True, "true"),
        ({}, ""),
        ({"text": "t"}, "t"),
        ({"content": ["a", {"text": "b"}]}, "ab"),
        ({"a": "压"}, '{"a": "压"}'),
        (["a", ["b", {"type": "text", "text": "c"}], None], "abc"),
    ],
)
def test_content_of_any_shape_gives_text(value: Any, text: str) -> None:
    assert text_of(value) == text


def test_deeply_nested_content_gives_its_json() -> None:
    value: Any = "x"
    for _ in range(300):
        value = [value]
    assert text_of(value) == f'{"[" * 280}"x"{"]" * 280}'


@pytest.mark.parametrize(("value", "text"), [("a", "a"), (5, "5"), (None, ""), (["a"], '["a"]')])
def test_ids_become_text(value: Any, text: str) -> None:
    assert id_text(value) == text


@pytest.mark.parametrize(("value", "text"), [('{"cut', '{"cut'), ({"a": "é"}, '{"a": "é"}'), (None, "{}"), ([1], "[1]"), ("", "")])
def test_arguments_become_json_text_and_text_stays_as_it_was(value: Any, text: str) -> None:
    assert arguments_text(value) == text


@pytest.mark.parametrize(
    ("role", "meant"),
    [
        ("user", "user"),
        ("human", "user"),
        (" User", "user"),
        ("developer", "system"),
        ("model", "assistant"),
        ("AI", "assistant"),
        ("function", "tool"),
        ("ipython", "tool"),
        ("toolResult", "tool"),
    ],
)
def test_other_names_of_roles_are_understood(role: str, meant: str) -> None:
    notes = Notes("f")
    assert speaker(Record({"role": role, "content": "x"}, 1), notes) == (meant, "conversation")
    assert notes.texts() == ()


@pytest.mark.parametrize(
    ("message", "meant", "said"),
    [
        ({"content": "x"}, ("user", "notice"), "f: message 1: no role; its text was kept as a notice"),
        ({"role": "odd", "content": "x"}, ("user", "notice"), "f: message 1: the unknown role 'odd'; its text was kept as a notice"),
        ({"role": 5, "content": "x"}, ("user", "notice"), "f: message 1: the unknown role 5; its text was kept as a notice"),
        ({"role": "odd"}, None, "f: message 1: the unknown role 'odd' and no text; it was left out"),
        ({"tool_call_id": "c", "content": "x"}, ("tool", "conversation"), "f: message 1: no role; read as a message of role tool"),
        ({"role": None, "tool_calls": [{}]}, ("assistant", "conversation"), "f: message 1: no role; read as a message of role assistant"),
    ],
)
def test_without_a_known_role_text_is_a_notice_and_the_rest_is_left_out(message: dict[str, Any], meant: object, said: str) -> None:
    notes = Notes("f")
    assert (speaker(Record(message, 1), notes), notes.texts()) == (meant, (said,))


@pytest.mark.parametrize(
    ("calls", "kept", "warnings"),
    [(None, 0, 0), ([], 0, 0), ("x", 0, 1), (5, 0, 1), ({"id": "a"}, 1, 0), ([{"id": "a"}, 1, None], 1, 1)],
)
def test_only_calls_that_are_objects_are_kept(calls: Any, kept: int, warnings: int) -> None:
    notes = Notes("f")
    assert len(usable_calls(calls, Record({}, 1), notes)) == kept
    assert len(notes.texts()) == warnings
