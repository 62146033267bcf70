"""Reading chooses the format by content and says in one line why it cannot."""

import gc
from pathlib import Path

import pytest

from netaclaw.errors import TranscriptError
from netaclaw.transcripts import FORMATS, read_transcript
from tests.builders import user
from tests.transcripts.reading import chat, read_records, read_text, spoken

SAMPLES = {
    "neutral": '{"role": "user", "content": "a", "meta": {}}',
    "openai": '[{"role": "user", "content": "a"}]',
    "anthropic": '{"system": "s", "messages": [{"role": "user", "content": "a"}]}',
    "pi": '{"type": "message", "message": {"role": "user", "content": "a"}}',
    "claude-code": '{"type": "user", "uuid": "u", "message": {"role": "user", "content": "a"}}',
}


def test_every_format_has_a_sample_here() -> None:
    assert tuple(SAMPLES) == FORMATS


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_chosen_by_content_or_by_name(tmp_path: Path, name: str) -> None:
    assert read_text(tmp_path, SAMPLES[name]).format == name
    assert read_text(tmp_path, SAMPLES[name], name)[-1] == user("a")


def test_a_path_may_be_text_or_path(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(SAMPLES["neutral"], "utf-8")
    assert read_transcript(str(path)) == read_transcript(path)


def test_an_unknown_format_is_refused_before_the_file_is_opened() -> None:
    with pytest.raises(TranscriptError) as caught:
        read_transcript("nowhere", "yaml")
    assert str(caught.value) == "nowhere: 'yaml' is no known format; use auto or one of neutral, openai, anthropic, pi, claude-code"


def test_a_named_format_without_messages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="holds no message of the form claude-code; leave the format to be recognised"):
        read_text(tmp_path, SAMPLES["neutral"], "claude-code")


def test_a_recognised_format_without_messages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="holds no message of the form pi; give another file"):
        read_records(tmp_path, {"type": "session", "id": "s"})


def test_content_nested_as_deep_as_json_allows_is_read(tmp_path: Path) -> None:
    deep = f"{'[' * 900}1{']' * 900}"
    text = f'{{"role": "user", "content": {deep}, "meta": {{"a": {deep}}}}}'
    assert spoken(read_text(tmp_path, text)) == [("user", deep[20:-20])]


def test_no_message_names_more_than_about_200_characters(tmp_path: Path) -> None:
    for content in ("x" * 5000, "{" * 50, '{"a": "' + "b" * 5000, "[" * 5000):
        with pytest.raises(TranscriptError) as caught:
            read_text(tmp_path, content)
        assert len(str(caught.value)) - len(caught.value.source) < 130
    transcript = read_records(tmp_path, chat("user"), chat("r" * 5000), "x" * 5000, ["y" * 5000], chat("tool", tool_call_id="c" * 5000))
    assert max(map(len, transcript.warnings)) - len(str(tmp_path)) < 150


def test_the_garbage_collector_runs_again_afterwards(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError):
        read_text(tmp_path, "")
    assert gc.isenabled()
    gc.disable()
    try:
        read_text(tmp_path, SAMPLES["neutral"])
        assert not gc.isenabled()
    finally:
        gc.enable()
