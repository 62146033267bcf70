"""Payloads to JSON and back: nothing is lost, whatever a model or a tool has written."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaclaw.domain.entries import (
    BranchSummaryPayload,
    CompactionPayload,
    CompactionUndoPayload,
    MessagePayload,
    ModelChangePayload,
    NoticePayload,
    Payload,
    PinPayload,
    ThinkingChangePayload,
    TodoPayload,
)
from netaclaw.domain.messages import Image, Message, Opaque, Text, Thinking, ToolCall, Usage
from netaclaw.sessions.json_text import from_text, to_text
from netaclaw.sessions.payload_json import payload_from_json, payload_to_json

_texts = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=12)  # lone surrogates included
_ids = st.integers(1, 2**53)
_counts = st.integers(0, 10**6)
_json_values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**80), 2**80), st.floats(allow_nan=False, allow_infinity=False), _texts),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(_texts, inner, max_size=2)),
    max_leaves=4,
)
_objects = st.dictionaries(_texts, _json_values, max_size=2)
_extras = st.one_of(st.none(), _objects)
_maybe_texts = st.one_of(st.none(), _texts)
_sizes = st.one_of(st.none(), _counts)

_parts = st.one_of(
    st.builds(Text, _texts, _extras),
    st.builds(Image, _texts, _maybe_texts, _maybe_texts, _sizes, _sizes, _extras),
    st.builds(Thinking, _texts, _maybe_texts, _maybe_texts, _extras),
    st.builds(ToolCall, _texts, _texts, _texts, _extras),
    st.builds(Opaque, _texts, _objects),
)
_messages = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    parts=st.lists(_parts, max_size=3).map(tuple),
    tool_call_id=_maybe_texts,
    name=_maybe_texts,
    is_error=st.booleans(),
    usage=st.one_of(st.none(), st.builds(Usage, _counts, _counts, _counts, _counts)),
    model=_maybe_texts,
    stop_reason=_maybe_texts,
    tokens=_sizes,
    origin=st.sampled_from(["conversation", "summary", "notice"]),
    meta=_objects,
)
_token_counts = st.one_of(st.none(), st.fixed_dictionaries({"input": _counts, "output": _counts}))
_compactions = st.builds(
    CompactionPayload,
    mode=st.sampled_from(["summary", "prune"]),
    summary=_maybe_texts,
    first_kept_entry_id=st.one_of(st.none(), _ids),
    tokens_before=_counts,
    tokens_after=_counts,
    trigger=st.sampled_from(["auto", "manual", "overflow", "model_switch", "background"]),
    head_entry_ids=st.lists(_ids, max_size=3).map(tuple),
    kept_entry_ids=st.lists(_ids, max_size=3).map(tuple),
    pruned=st.dictionaries(_ids, _texts, max_size=2),
    pruned_arguments=st.dictionaries(_ids, st.dictionaries(st.integers(0, 9), _texts, max_size=2), max_size=2),
    removed_count=_counts,
    previous_compaction_id=st.one_of(st.none(), _ids),
    focus=_maybe_texts,
    audit=st.one_of(st.none(), st.just({"checked": 3, "missing": 1, "repaired": 1})),
    channel=_maybe_texts,
    model=_maybe_texts,
    usage=_token_counts,
    duration_ms=_counts,
    is_ineffective=st.booleans(),
    language=st.sampled_from(["zh", "en"]),
    settings=_objects,
    state=_objects,
    facts=_objects,
)
payloads: st.SearchStrategy[Payload] = st.one_of(
    st.builds(MessagePayload, _messages, _maybe_texts, st.booleans()),
    _compactions,
    st.builds(CompactionUndoPayload, _ids),
    st.builds(NoticePayload, st.sampled_from(["compaction_event", "run_event", "note"]), _texts, _maybe_texts, _objects),
    st.builds(BranchSummaryPayload, _texts, _ids),
    st.builds(ModelChangePayload, st.one_of(st.none(), _ids), _texts),
    st.builds(ThinkingChangePayload, st.sampled_from(["off", "low", "medium", "high"])),
    st.builds(PinPayload, _ids, st.booleans()),
    st.builds(TodoPayload, st.lists(_objects, max_size=2).map(tuple)),
)


@given(payloads)
def test_every_payload_comes_back_from_its_text_as_it_was(payload: Payload) -> None:
    text = to_text(payload_to_json(payload))
    text.encode()  # what a database can hold
    assert payload_from_json(payload.type, from_text(text)) == payload


@given(_compactions)
def test_texts_of_a_compaction_keep_their_order_so_that_two_readings_give_the_same_bytes(payload: CompactionPayload) -> None:
    text = to_text(payload_to_json(payload))
    assert to_text(payload_to_json(payload_from_json("compaction", from_text(text)))) == text


def test_a_compaction_has_the_wire_names_of_the_design() -> None:
    payload = CompactionPayload(
        "summary", "S", 7, 900, 100, "auto", head_entry_ids=(1,), pruned={3: "cut"}, pruned_arguments={4: {0: "{}"}}, audit={"checked": 1}
    )
    assert payload_to_json(payload) == {
        "mode": "summary",
        "summary": "S",
        "firstKeptEntryId": 7,
        "tokensBefore": 900,
        "tokensAfter": 100,
        "details": {
            "trigger": "auto",
            "headEntryIds": [1],
            "keptEntryIds": [],
            "state": {},
            "pruned": {"3": "cut"},
            "prunedArguments": {"4": {"0": "{}"}},
            "removedCount": 0,
            "previousCompactionId": None,
            "focus": None,
            "facts": {},
            "audit": {"checked": 1},
            "channel": None,
            "model": None,
            "usage": None,
            "durationMs": 0,
            "isIneffective": False,
            "language": "en",
            "settings": {},
        },
    }


def test_a_message_has_camel_case_names_and_leaves_out_what_is_absent() -> None:
    message = Message(
        "assistant", (Thinking("hm", "sig=="), ToolCall("c1", "read_file")), usage=Usage(10, 2), stop_reason="tool_calls", entry_id=5
    )
    assert payload_to_json(MessagePayload(message)) == {
        "message": {
            "role": "assistant",
            "parts": [
                {"type": "thinking", "text": "hm", "signature": "sig=="},
                {"type": "tool_call", "id": "c1", "name": "read_file", "arguments": "{}"},
            ],
            "usage": {"inputTokens": 10, "outputTokens": 2, "cacheReadTokens": 0, "cacheWriteTokens": 0},
            "stopReason": "tool_calls",
        }
    }


def test_a_message_that_is_read_knows_its_entry() -> None:
    payload = payload_from_json("message", {"message": {"role": "user", "parts": []}}, entry_id=12)
    assert payload == MessagePayload(Message("user", entry_id=12))


def test_an_unknown_type_is_named() -> None:
    with pytest.raises(ValueError, match="unknown type 'hologram'"):
        payload_from_json("hologram", {})
    with pytest.raises(ValueError, match="unknown type 'smell'"):
        payload_from_json("message", {"message": {"role": "user", "parts": [{"type": "smell"}]}})


@pytest.mark.parametrize("value", [{"n": float("nan")}, {"n": float("inf"), "long": 2**90}])
def test_numbers_that_json_does_not_know_become_null(value: dict[str, float]) -> None:
    assert from_text(to_text(value)) == {**value, "n": None}


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be stored as JSON"):
        to_text({"file": object()})
