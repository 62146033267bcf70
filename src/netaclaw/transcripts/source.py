"""From a path or standard input to text: gzip by its content, UTF-8 or UTF-16, and a clear word about everything else."""

import gzip
import sys
import zlib
from pathlib import Path

from netaclaw.errors import TranscriptError
from netaclaw.transcripts.notes import Notes, file_label

BLANK = " \t\r\n\0\ufeff"
"""What may stand around a JSON value: white space, what a crash leaves at the end of a file, a misplaced byte order mark."""

_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_FOREIGN = (
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x7fELF", "a program"),
)
_TAR_MAGIC = b"ustar"
_TAR_MAGIC_OFFSET = 257
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UTF16_BRACKETS = (b"{\0", b"[\0", b"\0{", b"\0[")
_UTF32 = (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")
_PROBED_BYTES = 8_192
_CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
_BINARY_SHARE = 0.1
_BAD_LINES_SHARE = 0.01
_FEW_LINES = 3
_UNPACK = "unpack it and give the transcript inside"
_CONVERT = "convert it to UTF-8, for example with iconv"


def load_text(source: str | Path, notes: Notes, label: str) -> str:
    """Return the text of a file, or of standard input for `-`. Raises TranscriptError for what is no text."""
    data = _read_stdin(label) if source == "-" else _read_file(source, label)
    _refuse_archive(data, label)
    if data.startswith(_GZIP):
        data = _gunzip(data, label)
        _refuse_archive(data, label)
    text = _decode(data, label, notes)
    if not text.strip(BLANK):
        what = "has only blank lines" if text.strip("\0\ufeff") else "is empty"
        raise TranscriptError(label, what, "give a transcript with messages")
    return text


def source_label(source: str | Path) -> str:
    """Return what messages call this source."""
    return "standard input" if source == "-" else file_label(str(source))


def _read_stdin(label: str) -> bytes:
    try:
        buffer = getattr(sys.stdin, "buffer", None)
        return buffer.read() if buffer is not None else sys.stdin.read().encode("utf-8", "surrogatepass")
    except (OSError, AttributeError, ValueError) as error:  # a closed or missing standard input
        raise TranscriptError(label, f"cannot be read ({error})", "give a file") from error


def _read_file(source: str | Path, label: str) -> bytes:
    try:
        return Path(source).read_bytes()
    except FileNotFoundError as error:
        raise TranscriptError(label, "no such file", "check the path") from error
    except IsADirectoryError as error:
        raise TranscriptError(label, "is a directory", "give a transcript file in it") from error
    except PermissionError as error:
        raise TranscriptError(label, "not permitted to read it", "change its permissions or copy it") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise TranscriptError(label, f"cannot be read ({reason})", "check the path") from error


def _refuse_archive(data: bytes, label: str) -> None:
    if data.startswith(_ZIP):
        named = ", not gzip as its name says" if label.endswith(".gz") else ""
        raise TranscriptError(label, f"is a zip archive{named}", _UNPACK)
    if data[_TAR_MAGIC_OFFSET : _TAR_MAGIC_OFFSET + len(_TAR_MAGIC)] == _TAR_MAGIC:
        raise TranscriptError(label, "is a tar archive", _UNPACK)
    for magic, name in _FOREIGN:
        if data.startswith(magic):
            raise TranscriptError(label, f"is {name}, not text", _UNPACK if "archive" in name else "give a JSON or JSONL transcript")


def _gunzip(data: bytes, label: str) -> bytes:
    try:
        return gzip.decompress(data)
    except EOFError as error:
        raise TranscriptError(label, "the gzip data ends early", "fetch the whole file again") from error
    except (OSError, zlib.error) as error:
        raise TranscriptError(label, "the gzip data is corrupt", "fetch the file again") from error


def _decode(data: bytes, label: str, notes: Notes) -> str:
    if data.startswith(_UTF32):
        raise TranscriptError(label, "is UTF-32 text", _CONVERT)
    if data.startswith(_UTF16):
        return _decode_utf16(data, label)
    probe = data[:_PROBED_BYTES]
    if b"\0" in probe and probe.strip(b"\0 \t\r\n"):
        if probe.startswith(_UTF16_BRACKETS):
            raise TranscriptError(label, "looks like UTF-16 without a byte order mark", _CONVERT)
        if len(probe) - len(probe.translate(None, _CONTROL_BYTES)) > _BINARY_SHARE * len(probe):
            raise TranscriptError(label, "is binary, not text", "give a JSON or JSONL transcript")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _decode_with_faults(data, error, label, notes)


def _decode_utf16(data: bytes, label: str) -> str:
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as error:
        raise TranscriptError(label, "is damaged UTF-16 text", _CONVERT) from error


def _decode_with_faults(data: bytes, error: UnicodeDecodeError, label: str, notes: Notes) -> str:
    """Live with a character cut off at the end and with few damaged lines among many; refuse another encoding."""
    probe = data[:_PROBED_BYTES]
    if len(probe) - len(probe.translate(None, _CONTROL_BYTES)) > _BINARY_SHARE * len(probe):
        raise TranscriptError(label, "is binary, not text", "give a JSON or JSONL transcript") from error
    lines = data.split(b"\n")
    bad = [number for number, line in enumerate(lines, start=1) if not _is_utf8(line)]
    is_cut_off = bad == [len(lines)] and _is_cut_off_character(lines[-1])
    if not is_cut_off and (len(lines) < _FEW_LINES or len(bad) > max(1, _BAD_LINES_SHARE * len(lines))):
        raise TranscriptError(label, "is not UTF-8 text", _CONVERT, bad[0]) from error
    for number in bad:
        notes.add("lines with bytes that are not UTF-8", "bytes that are not UTF-8 became U+FFFD", number)
    return data.decode("utf-8-sig", errors="replace")


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_cut_off_character(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return False
