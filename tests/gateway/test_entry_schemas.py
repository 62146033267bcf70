"""The schemas of entries describe what is really written, to the last field."""

from datetime import UTC, datetime

import pytest
from pydantic import TypeAdapter

from netaclaw.domain.entries import (
    BranchSummaryPayload,
    CompactionPayload,
    CompactionUndoPayload,
    Entry,
    MessagePayload,
    ModelChangePayload,
    NoticePayload,
    Payload,
    PinPayload,
    ThinkingChangePayload,
    TodoPayload,
)
from netaclaw.domain.messages import Image, Message, Opaque, Text, Thinking, ToolCall, Usage
from netaclaw.gateway.entry_schemas import EntryFrame
from netaclaw.runtime.frames import entry_frame

_FRAME: TypeAdapter[EntryFrame] = TypeAdapter(EntryFrame)
_PARTS = (
    Text("hello", {"cache_control": {"type": "ephemeral"}}),
    Image("image/png", "iVBORw0KGgo=", None, 4, 4),
    Image("image/png", url="https://example.org/a.png", extra={"detail": "low"}),
    Thinking("hm", "signed", None, {"index": 1}),
    Thinking("", encrypted="opaque"),
    ToolCall("c1", "read_file", '{"path": "a"}', {"index": 0}),
    Opaque("document", {"type": "document"}),
)
_PAYLOADS: list[Payload] = [
    MessagePayload(Message("user", (Text("hi"),)), "<state>\nDate: 2026-12-01\n</state>"),
    MessagePayload(Message("assistant", _PARTS, usage=Usage(1, 2, 3, 4), model="m", stop_reason="stop", tokens=9), is_interrupted=True),
    MessagePayload(Message("tool", (Text("x"),), tool_call_id="c1", name="read_file", is_error=True, meta={"source": "import"})),
    MessagePayload(Message("user", (Text("x"),), origin="notice")),
    CompactionPayload("prune", None, None, 10, 5, "auto", pruned={3: "[cleared]"}, pruned_arguments={4: {0: "{}"}}),
    CompactionPayload(
        "summary",
        "## Goal",
        3,
        10,
        5,
        "manual",
        (1,),
        (2,),
        removed_count=4,
        previous_compaction_id=1,
        focus="the port",
        audit={"checked": 3, "missing": 1, "repaired": 1},
        channel="Offline",
        model="offline",
        usage={"input": 1, "output": 2},
        duration_ms=3,
        is_ineffective=True,
        language="zh",
        settings={"windowTokens": 1},
        state={"todo": []},
        facts={"readFiles": ["a"]},
    ),
    CompactionUndoPayload(3),
    NoticePayload("run_event", "401", "auxiliary_auth", {"trigger": "auto"}),
    NoticePayload("note", "hello"),
    BranchSummaryPayload("there", 4),
    ModelChangePayload(None, "m"),
    ThinkingChangePayload("high"),
    PinPayload(3, True),
    TodoPayload(({"text": "read", "status": "done"},)),
]


def _entry(payload: Payload) -> Entry:
    return Entry(7, 1, 6, 7, 6, 0, None, payload, 12, datetime(2026, 12, 1, tzinfo=UTC))


@pytest.mark.parametrize("payload", _PAYLOADS, ids=lambda payload: payload.type)
def test_every_field_of_an_entry_is_described(payload: Payload) -> None:
    frame = entry_frame(_entry(payload), _entry(_PAYLOADS[5]))
    described = _FRAME.validate_python(frame)
    written = described.model_dump(by_alias=True, exclude_unset=True)
    assert written == frame


@pytest.mark.parametrize("extra", [{"replacement": "[cleared]"}, {"shortenedArguments": {"0": "{}"}}])
def test_what_the_compacted_view_adds_is_described(extra: dict[str, object]) -> None:
    assert _FRAME.validate_python({**entry_frame(_entry(_PAYLOADS[2])), **extra})
