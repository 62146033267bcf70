"""What is written is repaired, complete or not there at all, and reads back."""

import gzip
import io
import json
import os
import stat
from pathlib import Path
from typing import Any, NoReturn

import pytest

from netaclaw.domain.messages import Message, Text
from netaclaw.errors import TranscriptError
from netaclaw.transcripts import read_transcript, write_transcript
from tests.builders import assistant, system, tool_call, tool_result, user

MESSAGES = [system("s"), user("压缩 \ud800 \u2028"), assistant("", tool_call("c", path="é")), tool_result("c", "r"), assistant("done")]
UNPAIRED = [user("a"), user("b"), tool_result("x", "orphan"), assistant("", tool_call("c"))]


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("format_name", ["neutral", "openai", "anthropic"])
def test_a_written_file_is_utf8_and_reads_back(tmp_path: Path, format_name: str) -> None:
    path = tmp_path / "out"
    write_transcript(MESSAGES, path, format_name)
    assert "压缩 \\ud800" in path.read_text("utf-8")
    transcript = read_transcript(path)
    assert (transcript.format, transcript.warnings) == (format_name, ())
    assert [(message.role, message.text) for message in transcript] == [(message.role, message.text) for message in MESSAGES]


def test_the_forms_are_lines_an_array_and_one_object() -> None:
    written = {name: io.StringIO() for name in ("neutral", "openai", "anthropic")}
    for name, stream in written.items():
        write_transcript([user("a"), assistant("b")], stream, name)
    assert [line["content"] for line in map(json.loads, written["neutral"].getvalue().splitlines())] == ["a", "b"]
    assert written["openai"].getvalue() == '[\n{"role": "user", "content": "a"},\n{"role": "assistant", "content": "b"}\n]\n'
    assert json.loads(written["anthropic"].getvalue())["messages"][1] == {"role": "assistant", "content": "b"}


@pytest.mark.parametrize(("format_name", "text"), [("neutral", ""), ("openai", "[]\n"), ("anthropic", '{"messages": []}\n')])
def test_no_messages_give_an_empty_transcript(format_name: str, text: str) -> None:
    stream = io.StringIO()
    write_transcript([], stream, format_name)
    assert stream.getvalue() == text


def test_pairs_are_repaired_and_neighbours_joined() -> None:
    stream = io.StringIO()
    write_transcript(UNPAIRED, stream)
    written = [(line["role"], line["content"], line["tool_call_id"]) for line in lines(stream.getvalue())]
    placeholder = "[The tool call was interrupted; it may have run; no result]"
    assert written == [("user", "a\n\nb", None), ("assistant", "", None), ("tool", placeholder, "c")]


def test_the_placeholder_speaks_the_language_of_the_user() -> None:
    stream = io.StringIO()
    write_transcript([user("请读取文件"), assistant("", tool_call("c"))], stream)
    assert "工具调用被中断" in stream.getvalue()


def test_a_stream_that_is_not_utf8_gets_escapes() -> None:
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding="ascii", newline="\n")
    write_transcript([user("压 😀")], stream)
    stream.flush()
    assert json.loads(buffer.getvalue())["content"] == "压 😀"


def test_a_dash_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    write_transcript([user("a")], "-")
    assert json.loads(capsys.readouterr().out)["content"] == "a"


def test_a_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old", "utf-8")
    path.chmod(0o640)
    write_transcript([user("a")], path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_failed_write_leaves_the_old_file_and_no_piece_of_the_new_one(tmp_path: Path) -> None:
    class Breaking(dict[str, Any]):
        def items(self) -> NoReturn:
            raise RuntimeError

    path = tmp_path / "out"
    path.write_text("old", "utf-8")
    with pytest.raises(RuntimeError):
        write_transcript([user("a"), assistant("b"), Message("user", (Text("c"),), meta=Breaking())], path)
    assert path.read_text("utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old", "utf-8")
    (tmp_path / "link").symlink_to("real")
    write_transcript([user("a")], tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert len(read_transcript(tmp_path / "real")) == 1


def test_a_name_that_ends_in_gz_is_packed_the_same_way_each_time(tmp_path: Path) -> None:
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        write_transcript(MESSAGES, tmp_path / name)
    packed = (tmp_path / "a.jsonl.gz").read_bytes()
    assert packed == (tmp_path / "b.jsonl.gz").read_bytes()
    assert len(gzip.decompress(packed).splitlines()) == 5


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_transcript([user("a")], os.devnull)
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "cannot be written (it is a directory); choose another place"),
        ("missing/out", "cannot be written: its folder does not exist; make the folder"),
        ("n" * 300, "cannot be written (File name too long); choose another place"),
        ("a\0b", "cannot be written (embedded null byte); choose another place"),
    ],
)
def test_a_target_that_cannot_be_written_is_refused_in_one_line(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        write_transcript([user("a")], tmp_path / name)
    assert str(caught.value) == f"{caught.value.source}: {said}"


def test_a_format_that_is_only_read_is_refused() -> None:
    with pytest.raises(TranscriptError) as caught:
        write_transcript([user("a")], io.StringIO(), "pi")
    assert str(caught.value) == "output: 'pi' is no format that is written; use one of neutral, openai, anthropic"


@pytest.mark.parametrize("format_name", ["neutral", "openai", "anthropic"])
def test_writing_what_was_written_changes_nothing(tmp_path: Path, format_name: str) -> None:
    write_transcript([*MESSAGES, *UNPAIRED], tmp_path / "first", format_name)
    write_transcript(read_transcript(tmp_path / "first"), tmp_path / "second", format_name)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
