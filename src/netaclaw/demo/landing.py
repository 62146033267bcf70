"""The demo's last turn: it reads just as many lines of a file as bring the context to the edge of its threshold."""

import json
from pathlib import Path

from netaclaw.agent.tool_calls import tool_specs
from netaclaw.compaction.settings import Language
from netaclaw.demo.script import Script
from netaclaw.domain.agents import Agent
from netaclaw.domain.messages import Message, Text, text_message
from netaclaw.providers.offline_calls import asked_call
from netaclaw.providers.offline_report import report_of_results
from netaclaw.runtime.view import COUNT
from netaclaw.tools.base import ToolContext
from netaclaw.tools.read_file import ReadFile
from netaclaw.tools.registry import tools_of

EDGE_TOKENS = 60
"""What is left below the threshold: less than any message brings along with the list of tasks."""

_MOST_LINES = 260


async def landing_turn(script: Script, room_tokens: int, agent: Agent, state: str) -> str | None:
    """Return the user's last message, None where there is no room for one; `state` is what the runtime attaches to each message."""
    fitting: str | None = None
    low, high = 1, _MOST_LINES
    while low <= high:
        last_line = (low + high) // 2
        text = script.last.format(last_line=last_line)
        if await _tokens_of_turn(text, agent, script.language, state) <= room_tokens - EDGE_TOKENS:
            fitting, low = text, last_line + 1
        else:
            high = last_line - 1
    return fitting


async def _tokens_of_turn(text: str, agent: Agent, language: Language, state: str) -> int:
    """Play the turn: the message, the call, its result, the report. The offline model always says the same."""
    asked = Message("user", (Text(text), Text(state)))
    call = Message("assistant", asked_call([asked], tool_specs(tools_of(agent.tools))) or ())
    [made] = call.tool_calls
    output = await ReadFile().run(json.loads(made.arguments), ToolContext(0, Path(agent.workspace or ".")))
    result = text_message("tool", output.text, tool_call_id=made.id, name=made.name)
    report = text_message("assistant", report_of_results([asked, call, result], language))
    return sum(map(COUNT, (asked, call, result, report)))
