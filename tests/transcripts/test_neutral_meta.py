"""Known facts in `meta` become fields and parts and come back; whatever else stands there stays."""

from typing import Any

import pytest

from netaclaw.domain.messages import Image, Message, Opaque, Text, Thinking, Usage
from netaclaw.transcripts.neutral_meta import read_meta, write_meta

TEXT = (Text("x"),)


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        ({"thinking": "why"}, Message("assistant", (Thinking("why"), *TEXT))),
        ({"thinking": ""}, Message("assistant", (Thinking(""), *TEXT))),
        ({"thinking": [{"text": "a", "signature": "s"}, {"text": "", "encrypted": "e"}]},
         Message("assistant", (Thinking("a", "s"), Thinking("", encrypted="e"), *TEXT))),
        ({"images": [{"mime": "image/png", "data": "QQ==", "width": 5, "height": 6}]},
         Message("assistant", (*TEXT, Image("image/png", "QQ==", width=5, height=6)))),
        ({"images": [{"mime": "image/png", "bytes": 9, "data_omitted": "see raw"}]},
         Message("assistant", (*TEXT, Image("image/png", extra={"bytes": 9, "data_omitted": "see raw"})))),
        ({"opaque": [{"kind": "document", "payload": {"a": 1}}]}, Message("assistant", (*TEXT, Opaque("document", {"a": 1})))),
        ({"usage": {"input_tokens": 5, "output_tokens": 2}}, Message("assistant", TEXT, usage=Usage(5, 2))),
        ({"model": "m", "stop_reason": "end_turn", "is_error": True},
         Message("assistant", TEXT, model="m", stop_reason="end_turn", is_error=True)),
        ({"compact_summary": True}, Message("assistant", TEXT, origin="summary")),
        ({"is_meta": True}, Message("assistant", TEXT, origin="notice")),
        ({"ts": "2026", "kb": [1, None]}, Message("assistant", TEXT, meta={"ts": "2026", "kb": [1, None]})),
    ],
)  # fmt: skip
def test_known_facts_become_fields_and_parts_and_come_back(meta: dict[str, Any], message: Message) -> None:
    assert read_meta(Message("assistant", TEXT), meta) == message
    assert write_meta(message) == meta


@pytest.mark.parametrize(
    "meta",
    [
        {"usage": {"input": 5, "output": 2, "cacheRead": 1, "cacheWrite": 0}},
        {"usage": {"input_tokens": 5, "output_tokens": 2, "service_tier": "standard"}},
        {"usage": 5},
        {"usage": {"input_tokens": "x"}},
        {"usage": None, "model": None, "stop_reason": 5},
        {"is_error": False},
        {"is_error": "yes"},
        {"compact_summary": False, "is_meta": 1},
        {"compact_summary": True, "is_meta": True},
        {"origin": "summary"},
        {"origin": "conversation", "compact_summary": True},
        {"origin": "claude-web"},
        {"thinking": 5},
        {"thinking": [{"text": 5}]},
        {"thinking": []},
        {"images": "x"},
        {"images": [5]},
        {"images": [{"data": "QQ=="}]},
        {"images": [{"mime": "a", "data": None}]},
        {"images": []},
        {"opaque": [{}]},
    ],
)
def test_facts_of_another_shape_come_back_too(meta: dict[str, Any]) -> None:
    assert write_meta(read_meta(Message("assistant", TEXT), meta)) == meta


def test_a_stated_origin_is_read() -> None:
    assert read_meta(Message("user", TEXT), {"origin": "notice"}).origin == "notice"


def test_a_usage_that_was_changed_is_written_anew() -> None:
    read = read_meta(Message("assistant", TEXT), {"usage": {"input": 5, "output": 2}})
    assert write_meta(Message("assistant", TEXT, usage=Usage(7, 1), meta=read.meta)) == {"usage": {"input_tokens": 7, "output_tokens": 1}}
    assert write_meta(Message("assistant", TEXT, meta=read.meta)) == {}
