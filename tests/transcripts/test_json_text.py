"""JSON in and out never fails on what real files hold."""

import json
from datetime import date
from types import MappingProxyType
from typing import Any

import pytest

from netaclaw.transcripts.json_text import decode_json, json_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": "压缩 😀"}, '{"a": "压缩 😀"}'),
        ("a\ud800b", '"a\\ud800b"'),
        ({"\udfff": 1}, '{"\\udfff": 1}'),
        ([float("nan"), float("inf"), 1.5], "[null, null, 1.5]"),
        pytest.param({"n": 10**5000}, '{"n": null}', id="a huge number"),
        ({1: "a", ("t",): "b"}, '{"1": "a", "(\'t\',)": "b"}'),
        (MappingProxyType({"a": date(2026, 1, 2)}), '{"a": "2026-01-02"}'),
        ((True, None, 3), "[true, null, 3]"),
    ],
)
def test_any_value_becomes_valid_json(value: Any, text: str) -> None:
    assert json_text(value) == text
    json.loads(text)


def test_what_is_nested_too_deep_is_named_instead() -> None:
    value: Any = "x"
    for _ in range(100_000):
        value = [value]
    assert json_text(value) == '"[nested too deep]"'


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": NaN, "b": -Infinity}', {"a": None, "b": None}),
        pytest.param(f'{{"n": {"9" * 5000}, "m": 1}}', {"n": "9" * 5000, "m": 1}, id="a huge number"),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('"a\0\tb"', "a\0\tb"),
        ('"\\ud800"', "\ud800"),
    ],
)
def test_odd_json_is_read(text: str, value: Any) -> None:
    assert decode_json(text) == (value, len(text))


def test_a_value_in_the_middle_of_a_text_is_read() -> None:
    assert decode_json('xx{"a": 1} rest', 2) == ({"a": 1}, 10)


@pytest.mark.parametrize(("text", "error"), [("{", json.JSONDecodeError), pytest.param("[" * 100_000, RecursionError, id="deep")])
def test_broken_json_is_an_error(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        decode_json(text)
