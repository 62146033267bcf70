"""From bytes to text: what is read, and the one line that is said of everything else."""

import gzip
import io
import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from netaclaw.errors import TranscriptError
from netaclaw.transcripts.notes import Notes
from netaclaw.transcripts.source import load_text, source_label

LINE = '{"role": "user", "content": "压缩 context"}\n'
PACKED = gzip.compress((LINE * 50).encode())


def load(path: Path) -> str:
    return load_text(path, Notes("file"), "file")


def written(folder: Path, data: bytes, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.jsonl", LINE)
    return buffer.getvalue()


def tarred() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.jsonl"))
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(LINE.encode(), id="UTF-8"),
        pytest.param(LINE.encode("utf-8-sig"), id="UTF-8 with BOM"),
        pytest.param(LINE.encode("utf-16"), id="UTF-16 with BOM"),
        pytest.param(gzip.compress(LINE.encode()), id="gzip"),
        pytest.param(gzip.compress(LINE[:20].encode()) + gzip.compress(LINE[20:].encode()), id="gzip of two members"),
    ],
)
def test_text_is_read_whatever_the_file_is_called(tmp_path: Path, data: bytes) -> None:
    assert load(written(tmp_path, data, "session.zip")) == LINE


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "file: is empty; give a transcript with messages"),
        (b"\xef\xbb\xbf", "file: is empty; give a transcript with messages"),
        (b"\0" * 100, "file: is empty; give a transcript with messages"),
        (b"\n \t\r\n", "file: has only blank lines; give a transcript with messages"),
        (bytes(range(256)) * 9, "file: is binary, not text; give a JSON or JSONL transcript"),
        (b"\x89PNG\r\n\x1a\n\0\0", "file: is a picture, not text; give a JSON or JSONL transcript"),
        (b"SQLite format 3\0" + bytes(90), "file: is an SQLite database, not text; give a JSON or JSONL transcript"),
        (zipped(), "file: is a zip archive; unpack it and give the transcript inside"),
        (tarred(), "file: is a tar archive; unpack it and give the transcript inside"),
        (gzip.compress(tarred()), "file: is a tar archive; unpack it and give the transcript inside"),
        (PACKED[:-20], "file: the gzip data ends early; fetch the whole file again"),
        (PACKED[:5], "file: the gzip data ends early; fetch the whole file again"),
        (PACKED[:30] + b"xxxx" + PACKED[34:], "file: the gzip data is corrupt; fetch the file again"),
        (LINE.encode("utf-16-le"), "file: looks like UTF-16 without a byte order mark; convert it to UTF-8, for example with iconv"),
        (LINE.encode("utf-16-be"), "file: looks like UTF-16 without a byte order mark; convert it to UTF-8, for example with iconv"),
        (LINE.encode("utf-32"), "file: is UTF-32 text; convert it to UTF-8, for example with iconv"),
        (LINE.encode("utf-16")[:-1], "file: is damaged UTF-16 text; convert it to UTF-8, for example with iconv"),
        (b"{}\n" + (LINE * 9).encode("gb18030"), "file:2: is not UTF-8 text; convert it to UTF-8, for example with iconv"),
    ],
)
def test_what_is_no_text_is_refused_in_one_line(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        load(written(tmp_path, data))
    assert str(caught.value) == said


def test_a_zip_that_is_called_gz_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError) as caught:
        load_text(written(tmp_path, zipped()), Notes("a.jsonl.gz"), "a.jsonl.gz")
    assert str(caught.value) == "a.jsonl.gz: is a zip archive, not gzip as its name says; unpack it and give the transcript inside"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing", "file: no such file; check the path"),
        ("", "file: is a directory; give a transcript file in it"),
        ("a\0b", "file: cannot be read (embedded null byte); check the path"),
        ("n" * 300, "file: cannot be read (File name too long); check the path"),
    ],
)
def test_what_is_no_file_is_refused_in_one_line(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        load(tmp_path / name)
    assert str(caught.value) == said


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_is_refused_in_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, LINE.encode())
    path.chmod(0)
    with pytest.raises(TranscriptError, match="not permitted to read it; change its permissions"):
        load(path)


def test_one_damaged_line_among_many_is_read_with_a_warning(tmp_path: Path) -> None:
    notes = Notes("file")
    text = load_text(written(tmp_path, LINE.encode() * 5 + b'{"role": "\xff"}\n' + LINE.encode() * 5), notes, "file")
    assert text == LINE * 5 + '{"role": "\ufffd"}\n' + LINE * 5
    assert notes.texts() == ("file:6: bytes that are not UTF-8 became U+FFFD",)


def test_a_character_cut_off_at_the_end_is_lived_with(tmp_path: Path) -> None:
    notes = Notes("file")
    assert load_text(written(tmp_path, (LINE + "压").encode()[:-1]), notes, "file") == f"{LINE}\ufffd"
    assert len(notes.texts()) == 1


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(LINE.encode()))))
    assert load_text("-", Notes("x"), "x") == LINE
    assert source_label("-") == "standard input"


def test_standard_input_may_be_a_text_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(LINE))
    assert load_text("-", Notes("x"), "x") == LINE


def test_a_closed_standard_input_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(TranscriptError, match=r"cannot be read .*; give a file"):
        load_text("-", Notes("x"), "standard input")
