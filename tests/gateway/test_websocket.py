"""The socket as a browser meets it: one answer for each frame, whatever it is, and events in order."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

SOCKET = "ws://127.0.0.1:8765/ws"

Json = dict[str, Any]


def ask(socket: WebSocketTestSession, frame: Json) -> Json:
    socket.send_text(json.dumps(frame))
    answer: Json = socket.receive_json()
    return answer


def until(socket: WebSocketTestSession, kind: str) -> list[Json]:
    frames: list[Json] = []
    while not frames or frames[-1]["type"] != kind:
        frames.append(socket.receive_json())
    return frames


def test_a_ping_is_answered_by_a_pong(client: TestClient) -> None:
    with client.websocket_connect(SOCKET) as socket:
        assert ask(socket, {"type": "ping", "requestId": "1"}) == {"type": "pong", "requestId": "1"}


def test_a_command_is_acknowledged_with_what_it_made(client: TestClient, session_id: int) -> None:
    with client.websocket_connect(SOCKET) as socket:
        answer = ask(socket, {"type": "chat", "requestId": "r", "sessionId": session_id, "text": "hi"})
    assert answer == {"type": "ack", "requestId": "r", "result": {"queued": False, "entryId": 1}}


@pytest.mark.parametrize(
    ("frame", "result"),
    [
        ({"type": "stop"}, {"stopped": False}),
        ({"type": "compact", "focus": "dates", "upToEntryId": 3}, {"focus": "dates", "upToEntryId": 3}),
        ({"type": "compact"}, {"focus": None, "upToEntryId": None}),
        ({"type": "cancel_compaction"}, {"cancelled": False}),
        ({"type": "switch_branch", "leafId": 4}, {"leafId": 4}),
        ({"type": "edit_queued", "queueId": 2, "text": "b"}, {"queueId": 2, "text": "b"}),
        ({"type": "remove_queued", "queueId": 2}, {"queueId": 2}),
        ({"type": "unsubscribe"}, {}),
    ],
)
def test_every_command_reaches_the_runtime_with_its_arguments(client: TestClient, session_id: int, frame: Json, result: Json) -> None:
    with client.websocket_connect(SOCKET) as socket:
        answer = ask(socket, {**frame, "requestId": "r", "sessionId": session_id})
    assert answer["type"] == "ack"
    assert {key: value for key, value in result.items() if value is not None}.items() <= answer["result"].items()


def test_a_subscriber_gets_the_snapshot_then_all_events_with_the_pieces_joined(client: TestClient, session_id: int) -> None:
    text = "0123456789" * 20
    with client.websocket_connect(SOCKET) as socket:
        assert ask(socket, {"type": "subscribe", "requestId": "s", "sessionId": session_id})["type"] == "ack"
        assert socket.receive_json()["type"] == "session_snapshot"
        socket.send_json({"type": "chat", "requestId": "c", "sessionId": session_id, "text": text})
        frames = until(socket, "run_end")
    events = [frame for frame in frames if frame["type"] != "ack"]
    deltas = [frame for frame in events if frame["type"] == "delta"]
    assert (events[0]["type"], events[-1]["type"]) == ("run_start", "run_end")
    assert "".join(delta["text"] for delta in deltas) == text
    assert len(deltas) < 20


def test_two_sockets_on_a_session_see_the_same_events(client: TestClient, session_id: int) -> None:
    subscribe = {"type": "subscribe", "requestId": "s", "sessionId": session_id}
    with client.websocket_connect(SOCKET) as one, client.websocket_connect(SOCKET) as other:
        for socket in (one, other):
            ask(socket, subscribe)
            socket.receive_json()
        ask(other, {"type": "ping", "requestId": "p"})  # the snapshot is out, so the subscription stands
        one.send_json({"type": "chat", "requestId": "c", "sessionId": session_id, "text": "x"})
        seen = [[frame for frame in until(socket, "run_end") if frame["type"] != "ack"] for socket in (one, other)]
    assert seen[0] == seen[1]


def test_nothing_is_heard_after_unsubscribe(client: TestClient, session_id: int) -> None:
    with client.websocket_connect(SOCKET) as socket:
        ask(socket, {"type": "subscribe", "requestId": "s", "sessionId": session_id})
        socket.receive_json()
        ask(socket, {"type": "unsubscribe", "requestId": "u", "sessionId": session_id})
        ask(socket, {"type": "chat", "requestId": "c", "sessionId": session_id, "text": "x"})
        assert ask(socket, {"type": "ping", "requestId": "p"})["type"] == "pong"


def test_a_second_subscription_to_a_session_takes_the_place_of_the_first(client: TestClient, session_id: int) -> None:
    with client.websocket_connect(SOCKET) as socket:
        for _ in range(2):
            ask(socket, {"type": "subscribe", "requestId": "s", "sessionId": session_id})
            socket.receive_json()
        socket.send_json({"type": "chat", "requestId": "c", "sessionId": session_id, "text": "x"})
        kinds = [frame["type"] for frame in until(socket, "run_end") if frame["type"] != "ack"]
        assert ask(socket, {"type": "ping", "requestId": "p"})["type"] == "pong"
    assert kinds == ["run_start", "delta", "run_end"]


@pytest.mark.parametrize(
    ("frame", "code", "request_id", "remedy"),
    [
        ("{", "bad_json", None, "send one JSON object"),
        ('{"requestId": "r", ', "bad_json", "r", "send one JSON object"),
        ("[1]", "bad_frame", None, "send {type, requestId, ...}"),
        ('{"requestId": "r"}', "bad_frame", "r", "send {type, requestId, ...}"),
        ('{"type": "dance", "requestId": "r"}', "unknown_frame", "r", "send one of chat, retry, stop"),
        ('{"type": "ping"}', "bad_frame", None, "`requestId` is missing; add it"),
        ('{"type": "stop", "requestId": "r", "sessionId": "1"}', "bad_frame", "r", "`sessionId`: input should be a valid integer"),
        ('{"type": "stop", "requestId": "r", "sessionId": 0}', "bad_frame", "r", "`sessionId`: input should be greater than"),
        ('{"type": "stop", "requestId": "r", "sessionId": 1, "now": true}', "bad_frame", "r", "`now` is not known here; leave it out"),
        ('{"type": "stop", "requestId": "r", "sessionId": 99}', "not_found", "r", "no session 99"),
        ('{"type": "subscribe", "requestId": "r", "sessionId": 99}', "not_found", "r", "no session 99"),
        ('{"type": "undo_compaction", "requestId": "r", "sessionId": 1, "compactionId": 2}', "busy", "r", "stop it first"),
        ('{"type": "chat", "requestId": "r", "sessionId": 1, "text": "fail"}', "internal", "r", "its log says why"),
        ('{"type": "chat", "requestId": "r", "sessionId": 1, "text": "%s"}' % ("x" * 100_000), "frame_too_large", "r", "send less text"),
        ('{"type": "chat", "requestId": "r", "sessionId": 1, "text": "%s"}' % ("字" * 40_000), "frame_too_large", "r", "send less text"),
    ],
)
def test_a_bad_frame_gets_one_error_with_the_remedy_and_the_socket_lives_on(
    client: TestClient, frame: str, code: str, request_id: str | None, remedy: str
) -> None:
    client.post("/api/sessions", json={})
    with client.websocket_connect(SOCKET) as socket:
        socket.send_text(frame)
        error = socket.receive_json()
        assert ask(socket, {"type": "ping", "requestId": "p"})["type"] == "pong"
    assert (error["type"], error["code"], error.get("requestId")) == ("error", code, request_id)
    assert remedy in error["message"]
    assert "secret" not in error["message"]


def test_a_binary_frame_gets_an_error(client: TestClient) -> None:
    with client.websocket_connect(SOCKET) as socket:
        socket.send_bytes(b"\x00")
        assert socket.receive_json()["code"] == "binary_frame"


def test_a_picture_is_taken_and_one_that_is_no_base64_is_refused(client: TestClient, session_id: int) -> None:
    chat = {"type": "chat", "requestId": "r", "sessionId": session_id, "text": "look"}
    with client.websocket_connect(SOCKET) as socket:
        assert ask(socket, {**chat, "images": [{"mediaType": "image/png", "data": "iVBORw0="}]})["type"] == "ack"
        refused = ask(socket, {**chat, "images": [{"mediaType": "image/png", "data": "<svg>"}]})
    assert refused["code"] == "bad_frame"


def test_connections_are_counted(client: TestClient) -> None:
    with client.websocket_connect(SOCKET) as socket:
        ask(socket, {"type": "ping", "requestId": "p"})
        assert "netaclaw_connections 1.0" in client.get("/metrics").text
    assert "netaclaw_connections 0.0" in client.get("/metrics").text
