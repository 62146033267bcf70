"""A conversation that is killed at any moment: `python -m tests.runtime.crash_child FOLDER SUMMARY_DELAY`.

Prints each acknowledged message.
"""

import asyncio
import sys
from pathlib import Path

from netaclaw.domain.messages import ToolCall
from netaclaw.providers.scripted import Says, Step
from tests.runtime.house import SUMMARY, open_house

MESSAGES = 14


def steps() -> list[Step]:
    """Return answers for a long conversation, every third with a tool call."""
    script: list[Step] = []
    for number in range(60):
        if number % 3 == 0:
            script.append(Says("我先看一下清单。" * 30, calls=(ToolCall(f"c{number}", "todo", "{}"),), delay_seconds=0.0005))
        script.append(Says(f"第 {number} 步已完成。" * 40, delay_seconds=0.0005))
    return script


async def main(folder: Path, summary_delay_seconds: float) -> None:
    """Talk until killed, or to the end. A summary comes in about forty pieces, each `summary_delay_seconds` after the one before."""
    async with open_house(folder, steps(), [Says(SUMMARY, delay_seconds=summary_delay_seconds)] * 20) as house:
        await house.set_agent(tools=("todo",))
        print("ready", flush=True)
        for number in range(MESSAGES):
            text = f"message-{number} " + "请检查模块并说明原因。" * 60
            await house.runtime.chat(house.session_id, text, (), None, f"request-{number}")
            print(f"message-{number}", flush=True)
            await asyncio.sleep(0.03)
        await house.idle()
        print("end", flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), float(sys.argv[2])))
