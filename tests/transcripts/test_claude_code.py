"""Sessions of Claude Code are put together as the requests were."""

import json
from pathlib import Path
from typing import Any

import pytest

from netaclaw.domain.messages import Image, Message, Text, Thinking, ToolCall, Usage
from tests.builders import assistant, tool_result, user
from tests.transcripts.reading import read_records, read_text, spoken, warned


def record(kind: str, content: Any, message_id: str | None = None, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **({"id": message_id} if message_id else {})}
    return {"type": kind, "sessionId": "s", "message": message | more.pop("message", {}), **more}


def use(call_id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "Bash", "input": {"command": "ls"}}


def result(call_id: str, content: Any = "r", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


CALL = ToolCall("a", "Bash", '{"command": "ls"}')


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        (record("user", "a", timestamp="2026"), [user("a", meta={"ts": "2026"})]),
        (record("user", [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), [Message("user", (Text("a"), Text("b")))]),
        (record("user", "caveat", isMeta=True), [user("caveat", origin="notice")]),
        (record("user", "so far", isCompactSummary=True), [user("so far", origin="summary")]),
        (record("user", [result("a", is_error=True), {"type": "text", "text": "stop"}]),
         [tool_result("a", "r", is_error=True), user("stop")]),
        (record("user", [result("a", [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QQ=="}}])]),
         [Message("tool", (Image("image/png", "QQ==", extra={"anthropic": {}}),), tool_call_id="a")]),
        (record("assistant", [{"type": "thinking", "thinking": "t", "signature": "s"}, {"type": "text", "text": "\n\n"}, use("a")]),
         [Message("assistant", (Thinking("t", "s"), CALL))]),
        (record("assistant", "a", message={"model": "m", "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 2}}),
         [Message("assistant", (Text("a"),), model="m", stop_reason="end_turn", usage=Usage(1, 2))]),
    ],
)  # fmt: skip
def test_a_record_becomes_messages(tmp_path: Path, value: dict[str, Any], messages: list[Message]) -> None:
    transcript = read_records(tmp_path, value)
    assert (list(transcript), transcript.format) == (messages, "claude-code")


def test_records_of_one_message_id_are_one_message_and_the_results_between_them_follow_it(tmp_path: Path) -> None:
    usage = [{"input_tokens": 5, "output_tokens": output} for output in (1, 9, 3)]
    transcript = read_records(
        tmp_path,
        record("user", "go"),
        record("assistant", [{"type": "text", "text": "first"}], "m1", message={"usage": usage[0]}),
        record("assistant", [use("a")], "m1", message={"usage": usage[1], "stop_reason": "tool_use"}),
        record("user", [result("a")]),
        record("assistant", [use("b")], "m1", message={"usage": usage[2]}),
        record("user", [result("b")]),
        record("assistant", [{"type": "text", "text": "done"}], "m2"),
    )
    parts = (Text("first"), CALL, ToolCall("b", "Bash", CALL.arguments))
    assert list(transcript) == [
        user("go"),
        Message("assistant", parts, usage=Usage(5, 9), stop_reason="tool_use"),
        tool_result("a", "r"),
        tool_result("b", "r"),
        assistant("done"),
    ]


def test_a_message_id_behind_another_prompt_is_a_new_message(tmp_path: Path) -> None:
    records = [record("assistant", "one", "m"), record("user", "next"), record("assistant", "two", "m")]
    assert spoken(read_records(tmp_path, *records)) == [("assistant", "one"), ("user", "next"), ("assistant", "two")]


def test_messages_before_a_compaction_stay_and_its_summary_is_marked(tmp_path: Path) -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto", "preTokens": 9, "x": 1}}
    transcript = read_records(
        tmp_path, record("user", "a"), boundary, record("user", "sum", isCompactSummary=True), record("assistant", "b")
    )
    facts = {"compact_boundary": {"trigger": "auto", "preTokens": 9}}
    assert list(transcript) == [user("a"), user("sum", origin="summary", meta=facts), assistant("b")]


def test_a_prompt_typed_during_a_run_is_read(tmp_path: Path) -> None:
    queued = {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "also this"}}
    other = {"type": "attachment", "attachment": {"type": "task_reminder", "content": []}}
    assert spoken(read_records(tmp_path, record("user", "a"), queued, other)) == [("user", "a"), ("user", "also this")]


def test_log_lines_of_a_web_session_are_read(tmp_path: Path) -> None:
    lines = [{"type": "user", "message": {"role": "user", "content": "a"}}, 5, {"type": "assistant", "message": {"content": "b"}}]
    transcript = read_text(tmp_path, json.dumps({"loglines": lines}, indent=1))
    assert (spoken(transcript), transcript.format) == ([("user", "a"), ("assistant", "b")], "claude-code")


def test_records_that_hold_nothing_are_told(tmp_path: Path) -> None:
    transcript = read_records(
        tmp_path,
        record("user", "a"),
        record("user", None),
        {"type": "user", "message": "error"},
        {"type": "tool_use", "name": "bash", "input": {}},
        {"type": "summary", "summary": "title"},
        '{"type": "assistant", "mess',
        42,
    )
    assert spoken(transcript) == [("user", "a")]
    assert warned(transcript) == [
        'file:6: is no valid JSON (\'{"type": "assistant", "mess\'); it was left out',
        "file:7: holds 42, no object; it was left out",
        "file:2: the user message has no content; it was left out",
        "file:3: the record holds no message; it was left out",
        "file:4: a record of type tool_use is not read; it was left out",
    ]
