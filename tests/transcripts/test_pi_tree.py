"""The active path of a pi session, and what of it the newest compaction leaves."""

from pathlib import Path
from typing import Any

import pytest

from netaclaw.transcripts import Transcript
from tests.transcripts.reading import read_records, warned

HEADER = {"type": "session", "id": "s"}


def entry(entry_id: str, parent: str | None, **more: Any) -> dict[str, Any]:
    return {"type": "message", "id": entry_id, "parentId": parent, "message": {"role": "user", "content": entry_id}, **more}


def compaction(summary: str, **more: Any) -> dict[str, Any]:
    return {"type": "compaction", "summary": summary, **more}


def texts(transcript: Transcript) -> str:
    return " ".join(message.text for message in transcript)


def test_the_path_to_the_last_entry_is_read(tmp_path: Path) -> None:
    transcript = read_records(tmp_path, HEADER, entry("a", None), entry("b", "a"), entry("c", "b"), entry("d", "a"), entry("e", "d"))
    assert texts(transcript) == "a d e"
    assert warned(transcript) == ["file: 2 entries on branches that were left behind were left out"]


@pytest.mark.parametrize(
    ("entries", "read"),
    [
        ([entry("a", "s"), entry("b", "a")], "a b"),
        ([entry("a", "a"), entry("b", "b")], "a b"),
        ([entry("a", "b"), entry("b", "a")], "a b"),
        ([entry("a", None), entry("a", "a"), entry("b", "a")], "a a b"),
        ([entry("a", None), entry("b", "gone")], "a b"),
        ([entry("a", None), {"type": "message", "message": {"role": "user", "content": "no id"}}, entry("c", None)], "c"),
        ([entry("a", None), {"type": "message", "message": {"role": "user", "content": "b"}}], "a b"),
    ],
)
def test_trees_with_gaps_and_cycles_are_followed_in_the_order_of_the_file(tmp_path: Path, entries: list[Any], read: str) -> None:
    assert texts(read_records(tmp_path, HEADER, *entries)) == read


def test_a_missing_parent_is_told(tmp_path: Path) -> None:
    assert warned(read_records(tmp_path, HEADER, entry("a", None), entry("b", "gone"))) == [
        "file:3: the parent 'gone' is missing; the entry before was taken"
    ]


def test_a_result_whose_parent_is_a_call_stands_behind_the_entry_of_the_call(tmp_path: Path) -> None:
    call = {"role": "assistant", "content": [{"type": "toolCall", "id": "tc", "name": "f", "arguments": {}}]}
    result = {"role": "toolResult", "toolCallId": "tc", "content": "r"}
    transcript = read_records(tmp_path, HEADER, entry("a", "s"), entry("b", "a", message=call), entry("c", "tc", message=result))
    assert [message.role for message in transcript] == ["user", "assistant", "tool"]
    assert transcript.warnings == ()


def test_a_compaction_by_id_leaves_the_summary_then_the_kept_entries(tmp_path: Path) -> None:
    entries = [
        entry("a", None),
        entry("b", "a"),
        entry("c", "b"),
        compaction("SUM", id="d", parentId="c", firstKeptEntryId="b"),
        entry("e", "d"),
    ]
    assert texts(read_records(tmp_path, HEADER, *entries)) == "SUM b c e"


def test_the_newest_compaction_counts_and_may_keep_entries_from_before_an_older_one(tmp_path: Path) -> None:
    entries = [
        entry("a", None),
        entry("b", "a"),
        compaction("OLD", id="c", parentId="b", firstKeptEntryId="b"),
        entry("d", "c"),
        compaction("NEW", id="e", parentId="d", firstKeptEntryId="b"),
    ]
    assert texts(read_records(tmp_path, HEADER, *entries)) == "NEW b d"


def test_a_compaction_of_version_1_counts_records_with_the_header(tmp_path: Path) -> None:
    lines = [{"type": "message", "message": {"role": "user", "content": text}} for text in "abc"]
    assert texts(read_records(tmp_path, HEADER, *lines, compaction("SUM", firstKeptEntryIndex=2), lines[0])) == "SUM b c a"


def test_a_compaction_whose_first_kept_entry_is_missing_keeps_nothing_before_it(tmp_path: Path) -> None:
    transcript = read_records(
        tmp_path, HEADER, entry("a", None), compaction("SUM", id="b", parentId="a", firstKeptEntryId="x"), entry("c", "b")
    )
    assert texts(transcript) == "SUM c"
    assert warned(transcript) == ["file:3: the first kept entry is missing; nothing before the summary was read"]
