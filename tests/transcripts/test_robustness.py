"""Whatever JSON stands in a file, it is read or refused in one line, and what was read can be written in every form."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from netaclaw.errors import TranscriptError
from netaclaw.transcripts import FORMATS, read_transcript, write_transcript

WORDS = [
    "",
    "a",
    "c1",
    "user",
    "assistant",
    "tool",
    "function",
    "toolResult",
    "text",
    "tool_use",
    "tool_result",
    "thinking",
    "image",
    "image_url",
]
WORDS += ["toolCall", "custom", "message", "session", "compaction", "system", "\ud800", "data:image/png;base64,QQ==", '{"a": 1}']
KEYS = [
    "role",
    "type",
    "content",
    "text",
    "message",
    "messages",
    "tool_calls",
    "tool_call_id",
    "id",
    "name",
    "arguments",
    "function",
    "input",
]
KEYS += [
    "tool_use_id",
    "is_error",
    "thinking",
    "signature",
    "source",
    "data",
    "media_type",
    "image_url",
    "url",
    "meta",
    "usage",
    "images",
    "origin",
]
KEYS += [
    "openai",
    "anthropic",
    "keys",
    "empty",
    "block",
    "uuid",
    "parentUuid",
    "isSidechain",
    "parentId",
    "firstKeptEntryId",
    "summary",
    "system",
]

scalars = st.sampled_from(WORDS) | st.none() | st.booleans() | st.integers(-1, 9) | st.just(1.5)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4), max_leaves=12
)
likely = st.sampled_from(["user", "assistant", "tool"])
records = st.builds(
    lambda more, role, message: (
        more | ({"role": role} if role else {}) | ({"type": "user", "uuid": "u", "message": message} if message else {})
    ),
    st.dictionaries(st.sampled_from(KEYS), values, max_size=5),
    st.none() | likely,
    st.none() | st.fixed_dictionaries({"role": likely, "content": values}),
)


@pytest.mark.parametrize("format_name", ["auto", *FORMATS])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(documents=st.lists(records, min_size=1, max_size=4))
def test_any_json_is_read_or_refused(tmp_path: Path, format_name: str, documents: list[Any]) -> None:
    path = tmp_path / "file"
    path.write_text("\n".join(json.dumps(document) for document in documents), "utf-8")
    try:
        transcript = read_transcript(path, format_name)
    except TranscriptError:
        return
    assert all("\n" not in warning for warning in transcript.warnings)
    for written in ("neutral", "openai", "anthropic"):
        stream = io.StringIO()
        write_transcript(transcript, stream, written)
        stream.getvalue().encode()
