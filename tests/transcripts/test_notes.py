"""Warnings are bounded, name their place and show foreign content in a short printable form."""

import pytest

from netaclaw.transcripts.base import Record
from netaclaw.transcripts.notes import Notes, describe, file_label, printable, quote


def test_a_warning_names_file_and_line() -> None:
    notes = Notes("a.jsonl")
    notes.add("kinds", "was wrong", 7)
    notes.add("kinds", "was wrong too", Record({}, 3, 9))
    notes.add("kinds", "stands in an array", Record({}, 3))
    notes.add("kinds", "concerns the whole file")
    assert notes.texts() == (
        "a.jsonl:7: was wrong",
        "a.jsonl:9: was wrong too",
        "a.jsonl: message 3: stands in an array",
        "a.jsonl: concerns the whole file",
    )


def test_after_twenty_of_a_kind_they_are_only_counted() -> None:
    notes = Notes("f")
    for line in range(1, 31):
        notes.add("lines that are no JSON", "is no JSON", line)
    notes.add("branches", "left out")
    assert notes.texts() == (*(f"f:{line}: is no JSON" for line in range(1, 21)), "f: and 10 more lines that are no JSON", "f: left out")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a", "'a'"),
        ("压缩", "'压缩'"),
        ("a\n\x1b[31m\u202e\ud800b", "'a??[31m??b'"),
        ("x" * 41, f"'{'x' * 40}…'"),
        (None, "null"),
        (True, "true"),
        (4.5, "4.5"),
        pytest.param(10**5000, "null", id="a huge number"),
        ([1], "an array"),
        ({"a": 1}, "an object"),
    ],
)
def test_foreign_values_are_described_in_few_printable_characters(value: object, shown: str) -> None:
    assert describe(value) == shown


def test_a_quoted_text_and_a_path_stay_on_one_line() -> None:
    assert quote("a\r\nb") == "'a??b'"
    assert printable("日本 ok") == "日本 ok"
    assert file_label("/tmp/\nx") == "/tmp/?x"
    assert file_label("") == "''"


def test_a_path_is_shown_whole_and_printable() -> None:
    assert file_label(f"/{'d' * 300}/ses\nsion.jsonl").startswith(f"/{'d' * 300}/ses")
    assert "\n" not in file_label("ses\nsion.jsonl")
