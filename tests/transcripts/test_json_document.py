"""JSON Lines live with broken lines; one whole JSON value must be sound."""

import pytest

from netaclaw.errors import TranscriptError
from netaclaw.transcripts.json_document import parse_document
from netaclaw.transcripts.notes import Notes

A, B = '{"role": "user", "content": "a"}', '{"role": "user", "content": "b"}'
DEEP = '{"a":' * 50_000


def parsed(text: str) -> tuple[str, list[tuple[object, int | None]], tuple[str, ...]]:
    notes = Notes("f")
    document = parse_document(text, "f", notes)
    return document.form, [(record.value.get("content"), record.line) for record in document.records], notes.texts()


@pytest.mark.parametrize(
    ("text", "form", "found"),
    [
        (f"{A}\n{B}", "lines", [("a", 1), ("b", 2)]),
        (f"\r\n{A}\r\n\r\n{B}\r\n", "lines", [("a", 2), ("b", 4)]),
        (f"{A}\n{B}\n\0\0\0\0", "lines", [("a", 1), ("b", 2)]),
        (f"{A}\n\ufeff{B}", "lines", [("a", 1), ("b", 2)]),
        (A, "lines", [("a", 1)]),
        (f"[{A}, {B}]", "array", [("a", None), ("b", None)]),
        (f"[\n{A},\n{B}\n]\n", "array", [("a", None), ("b", None)]),
        ('{"messages": []}', "object", [(None, 1)]),
        ('{\n"content": "a"\n}', "object", [("a", None)]),
        ('{\n"content": "a"\n}\n{\n"content": [\n{"type": "text"}\n]\n}', "lines", [("a", 1), ([{"type": "text"}], 4)]),
        ('{"content": "a\u2028b\x85c"}\n' + B, "lines", [("a\u2028b\x85c", 1), ("b", 2)]),
    ],
)
def test_sound_files_are_read_without_a_warning(text: str, form: str, found: list[object]) -> None:
    assert parsed(text) == (form, found, ())


@pytest.mark.parametrize(
    ("text", "found", "said"),
    [
        (f'{A}\n{B}\n{{"role": "us', ["a", "b"], ('f:3: is no valid JSON (\'{"role": "us\'); it was left out',)),
        (f'{{"role": "us\n{A}', ["a"], ('f:1: is no valid JSON (\'{"role": "us\'); it was left out',)),
        (f"[INFO] start\n{A}", ["a"], ("f:1: is no valid JSON ('[INFO] start'); it was left out",)),
        pytest.param(f"{A}\n{DEEP}", ["a"], ("f:2: is nested too deep; it was left out",), id="deep"),
        (
            f"{A}\n42\n[1]\nnull",
            ["a"],
            tuple(f"f:{n}: holds {x}, no object; it was left out" for n, x in [(2, 42), (3, "an array"), (4, "null")]),
        ),
        (f"{A}{B}\n{A}", ["a", "b", "a"], ("f:1: 2 JSON values on one line were read one by one",)),
        (f"{A} xx\n{B}", ["a", "b"], ("f:1: the text 'xx' after the JSON value was left out",)),
        (f"[{A}]\nxx", ["a"], ("f:1: the text after the JSON value was left out",)),
        (f"[{A}, 5]", ["a"], ("f: element 2 is no object and was left out",)),
        ('{\n"content": "a"\n}\n{ x', ["a"], ("f:4: the text from '{ x' on was left out",)),
    ],
)
def test_broken_pieces_of_sound_files_are_left_out_with_a_warning(text: str, found: list[str], said: tuple[str, ...]) -> None:
    _, records, warnings = parsed(text)
    assert ([content for content, _ in records], warnings) == (found, said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"[\n{A},\n{{", "f:3: the JSON ends early; give the whole file"),
        (f'[{A}, {{"role": "us', "f:1: the JSON ends early; give the whole file"),
        (f'{{"messages": [\n {A},\n {{"ro', "f:3: the JSON ends early; give the whole file"),
        (f'{{"messages": [\n{A}\n', "f:2: the JSON ends early; give the whole file"),
        ('{"role": "us', "f:1: the JSON ends early; give the whole file"),
        (f"[\n{A}\n{B}\n]", "f:3: is no valid JSON at column 1 (Expecting ',' delimiter); mend it there"),
        pytest.param("[" * 100_000, "f: is nested too deep to be read; give a JSON or JSONL transcript", id="deep"),
        ("42", "f: holds only 42, no messages; give a JSON or JSONL transcript"),
        ("null", "f: holds only null, no messages; give a JSON or JSONL transcript"),
        ('"abc"', "f: holds only 'abc', no messages; give a JSON or JSONL transcript"),
        ("[]", "f: holds an array without messages; give a JSON or JSONL transcript"),
        ("[1, 2]", "f: holds an array without messages; give a JSON or JSONL transcript"),
        ("hello\nworld", "f:1: is not JSON; it starts with 'hello?world'; give a JSON or JSONL transcript"),
        ("\n<html>", "f:2: looks like XML or HTML, not JSON; give a JSON or JSONL transcript"),
        ("event: message\ndata: {}", "f:1: looks like an event stream (SSE), not JSON; give a JSON or JSONL transcript"),
        ("role: user\n", "f:1: looks like YAML, not JSON; give a JSON or JSONL transcript"),
        ("# Chat\n", "f:1: looks like Markdown, not JSON; give a JSON or JSONL transcript"),
    ],
)
def test_files_without_a_sound_record_are_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        parsed(text)
    assert str(caught.value) == said
