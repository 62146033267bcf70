"""Running the agent again after a run that failed, was stopped or was interrupted: no new message of the user."""

from netaclaw.domain.entries import Entry, MessagePayload, NoticePayload
from netaclaw.runtime.view import SessionView


def can_retry(view: SessionView) -> bool:
    """Return whether something waits for an answer: a message, tool results, or a reply that was cut off."""
    newest = _newest_message(view)
    if newest is None or not isinstance(newest.payload, MessagePayload):
        return False
    payload = newest.payload
    return payload.message.role in ("user", "tool") or bool(payload.message.tool_calls) or cut_off_reply(view) is not None


def cut_off_reply(view: SessionView) -> Entry | None:
    """Return the reply that was cut off before it called a tool, where only notices follow: the next one becomes its sibling."""
    newest = next((entry for entry in reversed(view.read.entries) if not isinstance(entry.payload, NoticePayload)), None)
    if newest is None or not isinstance(newest.payload, MessagePayload) or not newest.payload.is_interrupted:
        return None
    message = newest.payload.message
    return newest if message.role == "assistant" and not message.tool_calls else None


def _newest_message(view: SessionView) -> Entry | None:
    return next((entry for entry in reversed(view.read.entries) if isinstance(entry.payload, MessagePayload)), None)
