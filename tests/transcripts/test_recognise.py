"""A file of a form that is not read is called by its name."""

from pathlib import Path
from typing import Any

import pytest

from netaclaw.errors import TranscriptError
from tests.transcripts.reading import read_records


@pytest.mark.parametrize(
    ("record", "form"),
    [
        ({"type": "session_meta", "payload": {}}, "a Codex rollout"),
        ({"type": "function_call", "name": "f"}, "a Codex rollout"),
        ({"type": "user", "uuid": "u", "message": {"role": "user", "parts": []}}, "a Qwen Code session"),
        ({"projectHash": "h", "messages": [{"type": "user", "content": "a"}]}, "a Gemini CLI session"),
        ({"history": [{"role": "user", "parts": [{"text": "a"}]}]}, "a Gemini CLI session"),
        ({"trajectory": []}, "a SWE-agent trajectory"),
        ({"history": [{"role": "user", "content": "a", "agent": "main"}]}, "a SWE-agent trajectory"),
        ({"id": 1, "source": "agent", "action": "run"}, "OpenHands events"),
        ({"values": {"messages": [{"type": "human", "content": "a"}]}}, "a LangChain thread"),
        ({"type": "agent_run_start"}, "an Agent TARS event stream"),
        ({"type": "session.start", "data": {}}, "a Copilot session"),
        ({"type": "context.append_message", "message": {}}, "a Kimi session"),
        ({"role": "user", "message": {"content": []}}, "a Cursor transcript"),
        ({"type": "session_start", "id": "s"}, "a Droid session"),
        ({"type": "tool_call", "toolCallId": "c"}, "a Droid session"),
        ({"sessionID": "s", "role": "user"}, "an OpenCode record"),
        ({"id": "p", "type": "text", "text": "a", "time": {}}, "an OpenCode record"),
        ({"step_index": 0, "source": "MODEL"}, "an Antigravity trajectory"),
        ({"type": "user", "content": "a"}, "a Grok chat history"),
        ({"kind": "request", "parts": []}, "a pydantic-ai history"),
        ({"conversations": [{"from": "human", "value": "a"}]}, "a ShareGPT data set"),
        ({"mapping": {}, "title": "t"}, "a ChatGPT export"),
        ({"choices": []}, "a Chat Completions response"),
        ({"input": [], "model": "m"}, "an OpenAI Responses request"),
    ],
)
def test_a_known_form_that_is_not_read_is_named(tmp_path: Path, record: dict[str, Any], form: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        read_records(tmp_path, record)
    assert (caught.value.what, caught.value.remedy) == (
        f"looks like {form}; this version does not read it",
        "give one of neutral, openai, anthropic, pi, claude-code",
    )


def test_a_data_set_of_many_conversations_is_named(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="looks like a data set, one conversation a line"):
        read_records(tmp_path, *({"messages": [{"role": "user", "content": "a"}]} for _ in range(2)))


def test_anything_else_holds_no_messages_of_a_known_form(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="holds no messages of a known form; give one of neutral"):
        read_records(tmp_path, {"a": 1})
