"""Calls and results that do not pair are told, not mended."""

from pathlib import Path

from tests.transcripts.reading import chat, read_records, warned

CALL = {"id": "a", "name": "run", "arguments": "{}"}


def test_healthy_pairs_give_no_warning(tmp_path: Path) -> None:
    calls = [CALL, CALL | {"id": "b"}]
    results = [chat("tool", "r", tool_call_id=call_id) for call_id in ("b", "a")]
    assert warned(read_records(tmp_path, chat("user"), chat("assistant", "", tool_calls=calls), *results)) == []


def test_every_fault_of_pairing_is_told_with_its_line(tmp_path: Path) -> None:
    transcript = read_records(
        tmp_path,
        chat("tool", "r", tool_call_id="gone"),
        chat("user"),
        chat("assistant", "", tool_calls=[CALL, CALL | {"id": "late"}]),
        chat("user"),
        chat("tool", "r", tool_call_id="late"),
        chat("assistant", "", tool_calls=[CALL | {"id": ""}]),
        chat("tool", "r", tool_call_id=""),
    )
    assert len(transcript) == 7
    assert warned(transcript) == [
        "file:1: the tool result of 'gone' answers no call; it will be left out",
        "file:3: the call 'a' of 'run' has no result; a placeholder will stand for it",
        "file:3: 1 results stand behind other messages; they will be moved to their call",
        "file:6: the call of 'run' has no id; it is paired by its position",
        "file:7: a tool result has no call id; it is paired by its position",
    ]


def test_an_orphan_in_a_block_makes_no_result_late(tmp_path: Path) -> None:
    results = [chat("tool", "r", tool_call_id=call_id) for call_id in ("x", "y", "a")]
    said = warned(read_records(tmp_path, chat("assistant", "", tool_calls=[CALL]), *results))
    assert said == [f"file:{line}: the tool result of '{name}' answers no call; it will be left out" for line, name in ((2, "x"), (3, "y"))]
