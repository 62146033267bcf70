"""Which records of a Claude Code session count."""

from pathlib import Path
from typing import Any

from tests.transcripts.reading import read_records, spoken, warned


def said(kind: str, uuid: str, parent: str | None, content: Any = None, **more: Any) -> dict[str, Any]:
    return {"type": kind, "uuid": uuid, "parentUuid": parent, "message": {"role": kind, "content": content or uuid}, **more}


def use(call_id: str) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": call_id, "name": "Bash", "input": {}}]


def result(call_id: str) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": call_id, "content": call_id}]


def test_sidechains_are_left_out_beside_a_main_chain(tmp_path: Path) -> None:
    transcript = read_records(
        tmp_path, said("user", "a", None), said("assistant", "side", None, isSidechain=True), said("assistant", "b", "a")
    )
    assert spoken(transcript) == [("user", "a"), ("assistant", "b")]
    assert warned(transcript) == ["file: 1 messages of subagents were left out"]


def test_a_file_of_a_subagent_alone_is_read(tmp_path: Path) -> None:
    records = [said("user", "a", None, isSidechain=True), said("assistant", "b", "a", isSidechain=True)]
    assert spoken(read_records(tmp_path, *records)) == [("user", "a"), ("assistant", "b")]


def test_parallel_calls_fork_the_chain_and_all_of_them_are_read(tmp_path: Path) -> None:
    records = [
        said("user", "a", None),
        said("assistant", "call 1", "a", use("1")),
        said("assistant", "call 2", "call 1", use("2")),
        {"type": "progress", "uuid": "p", "parentUuid": "call 2"},
        said("user", "result 2", "call 2", result("2")),
        said("user", "result 1", "call 1", result("1")),
        said("assistant", "b", "result 1"),
    ]
    assert [text for _, text in spoken(read_records(tmp_path, *records))] == ["a", "", "", "2", "1", "b"]


def test_a_prompt_that_was_taken_back_goes_with_all_behind_it(tmp_path: Path) -> None:
    records = [
        said("user", "a", None),
        said("assistant", "b", "a"),
        {"type": "system", "subtype": "turn_duration", "uuid": "s", "parentUuid": "b"},
        said("user", "wrong", "s"),
        said("assistant", "answer to wrong", "wrong"),
        said("user", "right", "b"),
        said("assistant", "answer", "right"),
    ]
    transcript = read_records(tmp_path, *records)
    assert [text for _, text in spoken(transcript)] == ["a", "b", "right", "answer"]
    assert warned(transcript) == ["file: 2 records behind prompts that were taken back were left out"]


def test_notes_of_the_program_take_no_prompt_back(tmp_path: Path) -> None:
    records = [
        said("user", "a", None),
        said("user", "prompt", "a"),
        said("user", "note", "a", isMeta=True),
        said("user", "command", "a", "<command-name>/mcp</command-name>"),
        said("user", "summary", "a", isCompactSummary=True),
    ]
    assert len(read_records(tmp_path, *records)) == 5


def test_several_roots_follow_each_other(tmp_path: Path) -> None:
    records = [said("user", "a", None), said("user", "b", None), said("user", "c", "gone"), said("user", "d", "gone")]
    assert [text for _, text in spoken(read_records(tmp_path, *records))] == ["a", "b", "c", "d"]


def test_cycles_in_the_chain_are_lived_with(tmp_path: Path) -> None:
    records = [said("user", "a", "b"), said("user", "b", "a"), {"type": "system", "uuid": "s", "parentUuid": "s"}, said("user", "c", "s")]
    assert len(read_records(tmp_path, *records)) == 3


def test_the_first_usable_record_of_a_uuid_counts(tmp_path: Path) -> None:
    empty = {"type": "user", "uuid": "a", "message": {"role": "user"}}
    transcript = read_records(tmp_path, empty, said("user", "a", None, "usable"), said("user", "a", None, "copy"))
    assert spoken(transcript) == [("user", "usable")]
    assert "file:3: the uuid was used before; the record was left out" in warned(transcript)
