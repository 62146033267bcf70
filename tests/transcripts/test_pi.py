"""Sessions of pi and OpenClaw are read as the model saw them."""

import json
from pathlib import Path
from typing import Any

import pytest

from netaclaw.domain.messages import Image, Message, Text, Thinking, ToolCall, Usage
from tests.builders import tool_result, user
from tests.transcripts.reading import read_records, read_text, spoken, warned

HEADER = {"type": "session", "version": 3, "id": "s"}


def said(role: str, content: Any = "hi", **more: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": role, "content": content, **more}}


def only(folder: Path, record: dict[str, Any]) -> Message:
    """Return the one message that a record behind a header gives."""
    (message,) = read_records(folder, HEADER, record)
    return message


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (said("user", [{"type": "text", "text": "a"}, {"type": "image", "data": "QQ==", "mimeType": "image/png"}]),
         Message("user", (Text("a"), Image("image/png", "QQ==")))),
        (said("user", "a") | {"timestamp": "2026"}, user("a", meta={"ts": "2026"})),
        (said("toolResult", [{"type": "text", "text": "r"}], toolCallId="c", toolName="bash", isError=True, details={}),
         tool_result("c", "r", "bash", is_error=True)),
        (said("toolResult", "r", toolCallId="c", isError=False), tool_result("c", "r")),
        (said("assistant", [], stopReason="aborted", errorMessage="Request was aborted", model="m", usage={"input": 0, "output": 0}),
         Message("assistant", usage=Usage(0, 0), model="m", stop_reason="aborted", meta={"error": "Request was aborted"})),
        (said("assistant", [{"type": "toolCall", "id": "c", "name": "read", "arguments": {"path": "é"}, "partialJson": "{"}]),
         Message("assistant", (ToolCall("c", "read", '{"path": "é"}'),))),
        (said("assistant", [{"type": "toolCall", "id": "c", "name": "f", "arguments": {}, "thoughtSignature": "t"}]),
         Message("assistant", (ToolCall("c", "f", "{}", {"pi": {"thoughtSignature": "t"}}),))),
        (said("assistant", [{"type": "thinking", "thinking": "t", "thinkingSignature": "s"}], api="anthropic-messages"),
         Message("assistant", (Thinking("t", "s"),))),
        (said("assistant", [{"type": "thinking", "thinking": "", "thinkingSignature": "d", "redacted": True}]),
         Message("assistant", (Thinking("", encrypted="d"),))),
        (said("assistant", [{"type": "thinking", "thinking": "t", "thinkingSignature": '{"id": "rs"}'}], api="openai-responses"),
         Message("assistant", (Thinking("t", extra={"pi": {"thinkingSignature": '{"id": "rs"}'}}),))),
        (said("assistant", [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": ""}]), Message("assistant", (Thinking("t"),))),
        (said("system", "note"), Message("system", (Text("note"),))),
        (said("custom", "note", customType="x"), user("note", origin="notice")),
        (said("hookMessage", [{"type": "text", "text": "note"}]), user("note", origin="notice")),
        (said("bashExecution", None, command="ls", output="a\nb", exitCode=0), user("Ran `ls`\n```\na\nb\n```", origin="notice")),
        (said("bashExecution", None, command="false", output="", exitCode=1),
         user("Ran `false`\n```\n(no output)\n```\n\nCommand exited with code 1", origin="notice")),
        (said("branchSummary", None, summary="left"), user("left", origin="notice")),
        (said("compactionSummary", None, summary="all"), user("all", origin="summary")),
        ({"type": "branch_summary", "summary": "left", "fromId": "x"}, user("left", origin="notice")),
        ({"type": "custom_message", "customType": "x", "content": "note"}, user("note", origin="notice")),
        ({"type": "compaction", "summary": "all", "tokensBefore": 9, "firstKeptEntryIndex": 5},
         user("all", origin="summary", meta={"compaction": {"tokensBefore": 9}})),
    ],
)  # fmt: skip
def test_an_entry_becomes_a_message(tmp_path: Path, record: dict[str, Any], message: Message) -> None:
    assert only(tmp_path, record) == message


@pytest.mark.parametrize(
    "record", [said("bashExecution", None, command="ls", excludeFromContext=True), {"type": "label"}, {"type": "message"}]
)
def test_other_entries_are_no_messages(tmp_path: Path, record: dict[str, Any]) -> None:
    assert spoken(read_records(tmp_path, HEADER, said("user"), record)) == [("user", "hi")]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(said("user")),
        json.dumps(said("assistant", [{"type": "toolCall", "id": "c", "name": "f", "arguments": {}}])["message"], indent=1),
        json.dumps(said("toolResult", "r", toolCallId="c")["message"]),
    ],
)
def test_pieces_of_a_session_are_recognised(tmp_path: Path, text: str) -> None:
    transcript = read_text(tmp_path, text)
    assert (transcript.format, len(transcript)) == ("pi", 1)


def test_a_session_of_droid_is_not_taken_for_one(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="looks like a Droid session"):
        read_records(tmp_path, {"type": "session_start", "id": "s"}, said("user") | {"id": "m"})


def test_messages_of_unknown_roles_are_told(tmp_path: Path) -> None:
    transcript = read_records(tmp_path, HEADER, said("odd", "note"), said("odd", ""))
    assert list(transcript) == [user("note", origin="notice")]
    assert warned(transcript) == [
        "file:2: the unknown role 'odd'; its text was kept as a notice",
        "file:3: the unknown role 'odd' and no text; it was left out",
    ]
