"""Pieces of a reply: the first at once, the rest joined, nothing lost and nothing out of order."""

import asyncio

from netaclaw.domain.events import Delta
from netaclaw.gateway.deltas import DeltaJoiner


def piece(text: str | None = None, *, thinking: str | None = None, call: dict[str, object] | None = None) -> Delta:
    return Delta(session_id=1, run_id=1, text=text, thinking=thinking, tool_call=call)


async def test_the_first_piece_goes_out_at_once_and_the_others_together_a_moment_later() -> None:
    sent: list[Delta] = []
    joiner = DeltaJoiner(sent.append, interval_seconds=0.01)
    for letter in "abc":
        joiner.add(piece(letter))
    assert sent == [piece("a")]
    await asyncio.sleep(0.03)
    assert sent == [piece("a"), piece("bc")]


async def test_pieces_of_another_kind_are_not_joined() -> None:
    sent: list[Delta] = []
    joiner = DeltaJoiner(sent.append, interval_seconds=10)
    for delta in (piece("a"), piece(thinking="b"), piece(thinking="c"), piece("d")):
        joiner.add(delta)
    joiner.flush()
    assert sent == [piece("a"), piece(thinking="bc"), piece("d")]


async def test_the_arguments_of_one_call_are_joined_and_those_of_two_are_not() -> None:
    sent: list[Delta] = []
    joiner = DeltaJoiner(sent.append, interval_seconds=10)
    joiner.add(piece("a"))
    for number, name, arguments in ((0, "read", ""), (0, None, '{"x"'), (0, None, ":1}"), (1, "read", "{}")):
        joiner.add(piece(call={"number": number, "name": name, "arguments": arguments}))
    joiner.flush()
    assert sent[1:] == [
        piece(call={"number": 0, "name": "read", "arguments": '{"x":1}'}),
        piece(call={"number": 1, "name": "read", "arguments": "{}"}),
    ]


async def test_what_is_dropped_is_not_sent_later() -> None:
    sent: list[Delta] = []
    joiner = DeltaJoiner(sent.append, interval_seconds=0.01)
    joiner.add(piece("a"))
    joiner.add(piece("b"))
    joiner.drop()
    await asyncio.sleep(0.03)
    assert sent == [piece("a")]
