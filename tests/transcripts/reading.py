"""Short ways to write a transcript file and to read it in tests of the readers."""

import json
from pathlib import Path
from typing import Any

from netaclaw.transcripts import Transcript, read_transcript


def json_lines(*records: Any) -> str:
    """Return records as JSON Lines; a text stands for itself, as a broken line."""
    return "\n".join(record if isinstance(record, str) else json.dumps(record, ensure_ascii=False) for record in records)


def read_text(folder: Path, text: str, format_name: str = "auto") -> Transcript:
    """Write a text to `folder/file` and read it."""
    path = folder / "file"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return read_transcript(path, format_name)


def read_records(folder: Path, *records: Any, format_name: str = "auto") -> Transcript:
    """Write records as JSON Lines and read them."""
    return read_text(folder, json_lines(*records), format_name)


def spoken(transcript: Transcript) -> list[tuple[str, str]]:
    """Return role and text of each message."""
    return [(message.role, message.text) for message in transcript]


def warned(transcript: Transcript) -> list[str]:
    """Return the warnings without the folder of the file."""
    return [warning[warning.index("file") :] for warning in transcript.warnings]


def chat(role: str, content: Any = "hi", **more: Any) -> dict[str, Any]:
    """Return a chat message."""
    return {"role": role, "content": content, **more}
