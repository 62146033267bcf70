"""The server as a real process: it starts, says where, survives bad guests, and ends cleanly."""

import base64
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from netaclaw.sessions import newest_version
from tests.server_process import SERVE_ECHO, Server, environment, running


def run(data_dir: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "netaclaw", *arguments]
    return subprocess.run(command, env=environment(data_dir, settings), capture_output=True, text=True, timeout=60, check=False)


def memory_kb(server: Server) -> int:
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def test_it_serves_the_api_and_ends_cleanly_on_sigterm(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert server.call("GET", "/readyz") == {"status": "ready"}
        session = server.call("POST", "/api/sessions", {"title": "kept"})
        with connect(server.socket) as browser:
            browser.send(json.dumps({"type": "subscribe", "requestId": "s", "sessionId": session["id"]}))
            assert json.loads(browser.recv())["type"] == "ack"
            server.process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                _read_to_the_end(browser)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        assert server.process.wait(20) == 0
        assert server.process.stderr is not None
        assert server.process.stderr.read() == ""
    with running(tmp_path) as server:
        assert [one["title"] for one in server.call("GET", "/api/sessions")["sessions"]] == ["kept"]


def test_keys_of_the_environment_make_channels_at_the_first_start_only(tmp_path: Path) -> None:
    keys = {"OPENAI_API_KEY": "sk-1", "ANTHROPIC_API_KEY": "sk-2", "DEEPSEEK_API_KEY": "sk-3"}
    for _ in range(2):
        with running(tmp_path, settings=keys) as server:
            channels = server.call("GET", "/api/channels")["channels"]
        assert [(one["vendor"], one["hasKey"], one["windowTokens"] is not None) for one in channels] == [
            ("offline", False, True),
            ("openai", True, True),
            ("anthropic", True, True),
            ("deepseek", True, True),
        ]


def test_a_frame_of_20_mb_gets_an_error_frame_and_the_socket_lives_on(tmp_path: Path) -> None:
    frame = {"requestId": "big", "type": "chat", "sessionId": 1, "text": "x" * 20_000_000}
    with running(tmp_path, SERVE_ECHO) as server, connect(server.socket, compression=None) as browser:
        browser.send(json.dumps(frame))
        error = json.loads(browser.recv(timeout=20))
        assert (error["type"], error["code"], error["requestId"]) == ("error", "frame_too_large", "big")
        browser.send('{"type": "ping", "requestId": "p"}')
        assert json.loads(browser.recv(timeout=20)) == {"type": "pong", "requestId": "p"}


def test_one_that_does_not_read_is_cut_off_costs_nothing_and_the_others_get_all(tmp_path: Path) -> None:
    settings = {"NETACLAW_SEND_TIMEOUT_SECONDS": "1"}
    with running(tmp_path, SERVE_ECHO, settings) as server:
        session_id = server.call("POST", "/api/sessions", {})["id"]
        subscribe = json.dumps({"type": "subscribe", "requestId": "s", "sessionId": session_id})
        with _deaf_browser(server, subscribe), connect(server.socket, compression=None) as browser:
            browser.send(subscribe)
            before = memory_kb(server)
            browser.send(json.dumps({"type": "chat", "requestId": "c", "sessionId": session_id, "text": "flood 1000 100000"}))
            patches = 0
            while (kind := json.loads(browser.recv(timeout=30))["type"]) != "run_end":
                patches += kind == "tree_patch"
            assert patches == 1_000
            assert memory_kb(server) - before < 80_000  # 100 MB were sent
            assert _becomes(server, "netaclaw_slow_connections_total 1.0")
            assert _becomes(server, "netaclaw_connections 1.0")


def _read_to_the_end(browser: ClientConnection) -> None:
    while True:
        browser.recv(timeout=10)


def _becomes(server: Server, line: str) -> bool:
    for _ in range(100):
        with urllib.request.urlopen(f"{server.address}/metrics", timeout=10) as answer:
            if line in answer.read().decode():
                return True
        time.sleep(0.1)
    return False


def _deaf_browser(server: Server, frame: str) -> socket.socket:
    """A socket that subscribes and never reads."""
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    deaf.connect(("127.0.0.1", server.port))
    key = base64.b64encode(os.urandom(16)).decode()
    deaf.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    deaf.recv(4_096)
    payload, mask = frame.encode(), bytes(4)
    assert len(payload) < 126
    deaf.sendall(bytes([0x81, 0x80 | len(payload)]) + mask + payload)
    return deaf


def test_a_busy_port_is_said_in_one_line_and_the_data_folder_stays_untouched(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run(tmp_path / "data", "serve", "--port", port)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert f"Port {port} on 127.0.0.1" in done.stderr
    assert "choose another with --port" in done.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.com"])
def test_any_address_but_loopback_is_refused_with_the_reason(tmp_path: Path, host: str) -> None:
    done = run(tmp_path, "serve", "--host", host)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "no users and no login yet; use --host 127.0.0.1" in done.stderr


def test_a_data_folder_that_cannot_be_made_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    done = run(tmp_path / "file" / "data", "serve", "--port", "0")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert "choose another with --data-dir" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser has rights to every folder")
def test_a_data_folder_without_rights_is_said_in_one_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = run(tmp_path, "serve", "--port", "0")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


def test_a_database_of_a_newer_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    assert run(tmp_path, "migrate").stdout == f"Migrated from nothing to {newest_version()}\n"
    with sqlite3.connect(tmp_path / "netaclaw.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    done = run(tmp_path, "serve", "--port", "0")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert "is of a newer version (9999)" in done.stderr


def test_a_bad_port_or_setting_is_said_in_one_line(tmp_path: Path) -> None:
    for arguments, settings in ((["--port", "70000"], {}), ([], {"NETACLAW_PORT": "x"}), ([], {"NETACLAW_MASTER_KEY": "short"})):
        done = run(tmp_path, "serve", *arguments, **settings)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_the_offline_agent_answers_on_the_socket(tmp_path: Path) -> None:
    with running(tmp_path) as server, connect(server.socket) as browser:
        session_id = server.call("POST", "/api/sessions", {})["id"]
        browser.send(json.dumps({"type": "subscribe", "requestId": "s", "sessionId": session_id}))
        browser.send(json.dumps({"type": "chat", "requestId": "c", "sessionId": session_id, "text": "Which port is free?"}))
        kinds: list[str] = []
        while not kinds or kinds[-1] != "run_end":
            frame = json.loads(browser.recv(timeout=20))
            kinds.append(frame["type"])
        assert frame["state"] == "done"
        history = server.call("GET", f"/api/sessions/{session_id}/history")
    assert [kind for kind in kinds if kind in ("run_start", "run_end")] == ["run_start", "run_end"]
    assert "Which port is free?" in json.dumps(history)
