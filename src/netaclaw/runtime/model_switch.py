"""Another channel than before answers: from here on its sizes count, and what blocked automatic compaction is void."""

from dataclasses import replace
from typing import Any

from netaclaw.domain.agents import Channel
from netaclaw.domain.entries import ModelChangePayload
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.runtime.view import SessionView
from netaclaw.sessions import Run


def channel_detail(channel: Channel | None) -> dict[str, Any]:
    """Return what a run remembers of the channel that it asked."""
    return {} if channel is None else {"channelId": channel.id, "model": channel.model}


async def model_change(parts: RuntimeParts, view: SessionView, previous: Run | None) -> ModelChangePayload | None:
    """Return the entry to append where another channel was asked in the previous run, None where it is the same one.

    Strikes, cooldown and block of automatic compaction are lifted: they were about another window.
    """
    now = channel_detail(view.channel)
    if view.channel is None or previous is None or "channelId" not in previous.detail or previous.detail.items() >= now.items():
        return None
    await parts.states.put(replace(view.state, strikes=0, failures=0, cooldown_until=None, blocked_reason=None, is_awaiting_usage=False))
    return ModelChangePayload(view.channel.id, view.channel.model)
