"""Makes the demo's conversations: the user's turns are written down, all else is what the agent really does with its tools."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from datetime import UTC, datetime
from uuid import uuid4

from netaclaw.compaction import CompactionSettings, plan_compaction
from netaclaw.compaction.settings import Language
from netaclaw.context.system_prompt import ChangingState, attachment_for
from netaclaw.demo.furnishing import find_source_again, furnish
from netaclaw.demo.landing import landing_turn
from netaclaw.demo.script import Script
from netaclaw.demo.turns_en import ENGLISH
from netaclaw.demo.turns_zh import CHINESE
from netaclaw.domain.agents import Agent
from netaclaw.domain.events import RunEnd
from netaclaw.errors import NetaClawError
from netaclaw.gateway.services import Services
from netaclaw.runtime.auxiliary import DICTIONARY_TYPE
from netaclaw.transcripts import from_neutral

_GLANCE_SECONDS = 0.005
ROOM_FOR_LAST_TURNS_TOKENS = 1_700
_SHORT_TAIL = 0.05
"""A quarter of the usual: what is read last will push older output out of the tail."""
_ALMOST = 0.95
"""Counted a little short, so that the plan finds the threshold reached."""
MADE_KEY = "demo_conversations_made"
"""Item of the dictionary that says that nothing is left to make."""


class DemoError(NetaClawError):
    """The demo's conversations cannot be made."""


async def prepare_demo(services: Services, announce: Callable[[], None]) -> None:
    """Make agent and conversations unless they are there; what a start that was cut short left behind is removed first.

    Raises DemoError where a turn fails, StoreError.
    """
    if await services.configuration.dictionary_value(DICTIONARY_TYPE, MADE_KEY):
        await find_source_again(services)
        return
    announce()
    agent = await furnish(services)
    for left in await services.sessions.list_sessions(limit=200):
        await services.conversations.delete(left.id)
    for script in (CHINESE, ENGLISH):
        await _make(services, agent, script)
    await services.store.dictionary.set(DICTIONARY_TYPE, MADE_KEY, "1")


async def _make(services: Services, agent: Agent, script: Script) -> None:
    """Play the script until the threshold is near and only a summary helps; the last turn goes to its edge."""
    session_id = (await services.sessions.create_session(script.title, agent.id)).id
    for text in script.turns:
        await _say(services, session_id, text)
    for text in script.further:
        if await _is_nearly_full(services, session_id):
            break
        await _say(services, session_id, text)
    await _say(services, session_id, script.plan)
    room = await _room(services, session_id)
    last = await landing_turn(script, room, agent, await _state_attached_next(services, session_id, script.language))
    if last is not None:
        await _say(services, session_id, last)


async def _is_nearly_full(services: Services, session_id: int) -> bool:
    """Whether little room is left, and a compaction would have to summarise: clearing old tool output would free too little."""
    request = await services.conversations.next_request(session_id)
    size = request["context"]
    if size["thresholdTokens"] - size["usedTokens"] > ROOM_FOR_LAST_TURNS_TOKENS:
        return False
    talked = size["usedTokens"] - size["breakdown"]["system"] - size["breakdown"]["tools"]
    settings = CompactionSettings(
        window_tokens=size["maxTokens"],
        counter="o200k",
        tail_token_budget_ratio=_SHORT_TAIL,
        max_threshold_tokens=int(talked * _ALMOST),
    )
    return plan_compaction(from_neutral(request["messages"]), settings).action == "summarize"


async def _state_attached_next(services: Services, session_id: int, language: Language) -> str:
    """Return what the runtime will attach to the next user message."""
    page = await services.conversations.history(session_id, "full", None, 500)
    lists = [entry["payload"]["items"] for entry in page["messages"] if entry["type"] == "todo"]
    return attachment_for(ChangingState(datetime.now(UTC).date(), tuple(lists[-1]) if lists else ()), language)


async def _say(services: Services, session_id: int, text: str) -> None:
    """Send a message as a browser would, and wait until it is answered."""
    async with aclosing(services.conversations.subscribe(session_id, None)) as events:
        await anext(events)  # the snapshot: from here on nothing is missed
        await services.conversations.chat(session_id, text, (), None, f"demo-{uuid4()}")
        async for event in events:
            if isinstance(event, RunEnd):
                if event.state != "done":
                    raise DemoError(f"A turn of the demo failed ({event.error or event.state}); see the log, then start the demo again")
                break
    while services.conversations.state(session_id) != "idle":  # it looks at its queue once more
        await asyncio.sleep(_GLANCE_SECONDS)


async def _room(services: Services, session_id: int) -> int:
    """Return the tokens that are left below the threshold: the number that the page shows and the trigger uses."""
    context: dict[str, int] = (await services.conversations.next_request(session_id))["context"]
    return context["thresholdTokens"] - context["usedTokens"]
