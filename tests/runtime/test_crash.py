"""The plug is pulled at seeded moments of runs and compactions; nothing that was acknowledged is lost or done twice."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from netaclaw.compaction import broken_rules
from netaclaw.domain.entries import MessagePayload, NoticePayload
from netaclaw.transcripts import from_neutral
from tests.runtime.crash_child import steps
from tests.runtime.house import SUMMARY, House, open_house

POINTS = 20


def killed_after(folder: Path, seconds: float, summary_delay_seconds: float = 0.001) -> list[str]:
    """Run the child, kill it `seconds` after it is ready, and return the messages that it had acknowledged."""
    command = [sys.executable, "-m", "tests.runtime.crash_child", str(folder), str(summary_delay_seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=Path(__file__).parents[2]) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(seconds)
        child.send_signal(signal.SIGKILL)
        return [line.strip() for line in child.stdout if line.startswith("message-")]


async def check(house: House, acknowledged: list[str]) -> None:
    path = await house.path()
    said = [entry.payload.message.text.split(" ")[0] for entry in path if isinstance(entry.payload, MessagePayload)]
    asked = [word for word in said if word.startswith("message-")]
    assert len(asked) == len(set(asked))
    assert set(acknowledged) <= set(asked)
    assert asked == sorted(asked, key=lambda word: int(word.partition("-")[2]))
    request = await house.runtime.next_request(house.session_id)
    assert broken_rules(from_neutral(request["messages"])) == []
    assert await house.runtime_parts.runs.running(house.session_id) == ()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", range(POINTS))
async def test_kill_9_at_any_moment_loses_nothing_that_was_acknowledged(seed: int, tmp_path: Path) -> None:
    acknowledged = killed_after(tmp_path, random.Random(seed).uniform(0.02, 1.6))

    async with open_house(tmp_path, steps(), [SUMMARY] * 20) as house:
        await house.idle()
        await check(house, acknowledged)
        await house.say("message-99 und weiter")
        await check(house, [*acknowledged, "message-99"])
        assert house.types("run_end")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", range(POINTS))
async def test_kill_9_in_a_slow_compaction_changes_nothing_and_ends_it(seed: int, tmp_path: Path) -> None:
    acknowledged = killed_after(tmp_path, random.Random(100 + seed).uniform(0.5, 2.5), summary_delay_seconds=0.1)

    async with open_house(tmp_path, steps(), [SUMMARY] * 20) as house:
        last = await house.runtime_parts.runs.latest(house.session_id, "compaction")
        await house.idle()
        await check(house, acknowledged)
        reasons = [entry.payload.reason for entry in await house.path() if isinstance(entry.payload, NoticePayload)]
        assert reasons.count("cancelled") == (last is not None and last.state == "interrupted")
