"""The demo: two conversations that the offline agent really had, each one message away from its compaction."""

import json
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from netaclaw.compaction.material import detect_language
from netaclaw.demo.furnishing import SOURCE
from netaclaw.demo.landing import EDGE_TOKENS
from netaclaw.demo.script import Script
from netaclaw.demo.turns_en import ENGLISH
from netaclaw.demo.turns_zh import CHINESE
from netaclaw.domain.events import CompactionDone, CompactionFailed, CompactionStart, RunEnd
from netaclaw.domain.messages import text_message
from netaclaw.gateway.services import Services
from tests.demo.open_demo import CHINESE_ID, ENGLISH_ID, open_demo, say
from tests.server_process import environment, running

DEMO = ("-m", "netaclaw", "demo", "--port", "0", "--lang", "en")
SCRIPTS = {CHINESE_ID: CHINESE, ENGLISH_ID: ENGLISH}


async def _context(services: Services, session_id: int) -> dict[str, Any]:
    context: dict[str, Any] = (await services.conversations.next_request(session_id))["context"]
    return context


async def _full(services: Services, session_id: int) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = (await services.conversations.history(session_id, "full", None, 500))["messages"]
    return entries


def _ends(heard: list[Any]) -> list[str]:
    return [event.state for event in heard if isinstance(event, RunEnd)]


@pytest.mark.parametrize(
    ("session_id", "said"),
    [
        (CHINESE_ID, "你好"),
        (ENGLISH_ID, "hi"),
        (CHINESE_ID, "read_file runtime/branches.py"),
        (ENGLISH_ID, "search_files def in errors.py"),
    ],
)
async def test_the_next_message_compacts_whatever_it_is_and_is_answered(folder: Path, session_id: int, said: str) -> None:
    async with open_demo(folder) as services:
        before = await _context(services, session_id)
        assert 0.93 <= before["usedTokens"] / before["thresholdTokens"] < 1
        assert before["thresholdTokens"] - before["usedTokens"] <= 2 * EDGE_TOKENS
        heard = await say(services, session_id, said)
        assert _ends(heard) == ["done"]
        assert not [event for event in heard if isinstance(event, CompactionFailed)]
        start = next(event for event in heard if isinstance(event, CompactionStart))
        done = next(event for event in heard if isinstance(event, CompactionDone))
        assert start.reason == "auto"
        assert done.removed_count > 60
        assert done.tokens_after < 0.6 * before["thresholdTokens"]
        assert (await _context(services, session_id))["compactionCount"] == 1


@pytest.mark.parametrize("session_id", [CHINESE_ID, ENGLISH_ID])
async def test_the_conversation_goes_on_to_its_second_summary(folder: Path, session_id: int) -> None:
    heard: list[Any] = []
    async with open_demo(folder) as services:
        heard += await say(services, session_id, "hi")
        heard += await say(services, session_id, "read_file runtime/orchestrator.py")
        heard += await say(
            services,
            session_id,
            "list_files compaction, then read_file compaction/pipeline.py 1-60 and search_files threshold_of in context",
        )
        for number in range(40):
            if (await _context(services, session_id))["compactionCount"] == 2:
                break
            note = " ".join(f"Module {number}.{line} must stay as it is, and Ada reviews it." for line in range(15))
            heard += await say(services, session_id, note)
        entries = await _full(services, session_id)
    assert set(_ends(heard)) == {"done"}
    assert not [event for event in heard if isinstance(event, CompactionFailed)]
    summaries = [entry["payload"]["summary"] for entry in entries if entry["type"] == "compaction" and entry["payload"]["summary"]]
    assert len(summaries) == 2
    goal = {CHINESE_ID: "摘要写失败时", ENGLISH_ID: "each session may override the threshold"}[session_id]
    assert all(goal in summary for summary in summaries)


@pytest.mark.parametrize(
    ("session_id", "facts"),
    [
        (
            CHINESE_ID,
            (
                "## 目标",
                "重试按钮只是再发一次压缩命令",
                "providers/failures.py",
                "auxiliary_errors.py",
                "120 秒",
                "12 月 7 日",
                "不得超过 30 个字",
            ),
        ),
        (
            ENGLISH_ID,
            (
                "## Goal",
                "threshold_percent",
                "v0002",
                "sessions/compaction_state_store.py",
                "3 December",
                "at most 90 characters",
                "Never touch",
            ),
        ),
    ],
)
async def test_the_summary_tells_what_was_decided_and_done(folder: Path, session_id: int, facts: tuple[str, ...]) -> None:
    async with open_demo(folder) as services:
        await say(services, session_id, "hi")
        entries = await _full(services, session_id)
    summary = next(entry["payload"]["summary"] for entry in entries if entry["isCompactionSummary"])
    assert [fact for fact in facts if fact not in summary] == []
    for noise in ("<state>", "offline model", "离线模型", '"items"', "[ ]"):
        assert noise not in summary


@pytest.mark.parametrize("session_id", [CHINESE_ID, ENGLISH_ID])
async def test_the_agent_has_really_worked_with_its_tools(folder: Path, session_id: int) -> None:
    async with open_demo(folder) as services:
        entries = await _full(services, session_id)
        session = await services.sessions.get_session(session_id)
    messages = [entry["payload"]["message"] for entry in entries if entry["type"] == "message"]
    results = [message for message in messages if message["role"] == "tool"]
    assert session.title == SCRIPTS[session_id].title
    assert {message["name"] for message in results} == {"list_files", "read_file", "search_files", "todo"}
    first_line = (SOURCE / "compaction" / "audit.py").read_text("utf-8").splitlines()[0]
    assert any(first_line in message["parts"][0]["text"] for message in results)
    assert [message["parts"][0]["text"] for message in results if "No match" in message["parts"][0]["text"]] == []
    assert sum(bool(message.get("isError")) for message in results) == 1
    assert [entry["payload"]["mode"] for entry in entries if entry["type"] == "compaction"].count("summary") == 0
    assert any(entry["type"] == "todo" for entry in entries)


@pytest.mark.parametrize("script", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_a_conversation_is_told_in_its_language(script: Script) -> None:
    said = [text_message("user", text) for text in (*script.turns, *script.further, script.plan, script.last)]
    assert detect_language(said) == script.language
    assert detect_language(said[:1]) == script.language
    assert detect_language(said[-2:]) == script.language
    assert len({message.text for message in said}) == len(said)


async def test_a_second_start_makes_nothing(folder: Path) -> None:
    async with open_demo(folder) as services:
        await say(services, ENGLISH_ID, "hi")
        await services.conversations.delete(CHINESE_ID)
    async with open_demo(folder) as services:
        assert [session.id for session in await services.sessions.list_sessions()] == [ENGLISH_ID]
        assert (await _context(services, ENGLISH_ID))["compactionCount"] == 1


async def test_what_the_user_changed_stays_and_a_moved_source_is_found_again(folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    async with open_demo(folder) as services:
        agent = (await services.store.agents.list())[0]
        await services.store.agents.update(replace(agent, channel_id=1, workspace=None))
        moved = await services.store.agents.add(replace(agent, id=0, name="moved", workspace=str(tmp_path / "gone" / SOURCE.name)))
        mine = await services.store.agents.add(replace(agent, id=0, name="mine", workspace=str(own)))
        channels = await services.store.channels.list()
    async with open_demo(folder) as services:
        first, found, kept = await services.store.agents.list()
        assert (first.channel_id, first.workspace) == (1, None)
        assert (found.id, found.workspace) == (moved.id, str(SOURCE))
        assert (kept.id, kept.workspace) == (mine.id, str(own))
        assert await services.store.channels.list() == channels


def test_a_start_that_was_killed_is_made_good_by_the_next_and_a_further_one_makes_nothing(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, *DEMO], env=environment(tmp_path), stdout=subprocess.PIPE, text=True)
    try:
        _wait_for_entries(tmp_path / "demo" / "netaclaw.db", 20)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    with _served(tmp_path) as address:
        first = _get(address, "/api/sessions")["sessions"]
        assert {session["title"] for session in first} == {CHINESE.title, ENGLISH.title}
        assert {session["state"] for session in first} == {"idle"}
        with urllib.request.urlopen(address, timeout=20) as page:
            assert "text/html" in page.headers["Content-Type"]
    with _served(tmp_path) as address:
        assert _get(address, "/api/sessions")["sessions"] == first
    with running(tmp_path) as server:  # the real conversations lie elsewhere
        assert server.call("GET", "/api/sessions")["sessions"] == []


def test_a_busy_port_is_refused_before_data_are_touched(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "netaclaw", "demo", "--port", port]
        run = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert port in run.stderr
    assert not (tmp_path / "demo").exists()


def _wait_for_entries(database: Path, count: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if database.exists():
            with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
                tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
                if "entry" in tables and connection.execute("SELECT count(*) FROM entry").fetchone()[0] >= count:
                    return
        time.sleep(0.05)
    raise AssertionError("the demo made no entries")


@contextmanager
def _served(data_dir: Path) -> Iterator[str]:
    """The command as a process; gives its address."""
    process = subprocess.Popen([sys.executable, *DEMO], env=environment(data_dir), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = next(line for line in process.stdout if " on http://" in line)
        yield line.split()[-1]
    finally:
        process.terminate()
        process.communicate(timeout=20)


def _get(address: str, path: str) -> Any:
    with urllib.request.urlopen(f"{address}{path}", timeout=20) as answer:
        return json.loads(answer.read())
