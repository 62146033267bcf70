"""A reply while it arrives: what a stop or a broken stream leaves of it."""

from dataclasses import replace

from netaclaw.domain.entries import MessagePayload
from netaclaw.domain.messages import Message, Part, Text, Thinking, ToolCall
from netaclaw.providers.base import TextDelta, ThinkingDelta, ToolCallDelta


class PartialReply:
    """Collects the deltas of one reply."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._thinking: list[str] = []

    def add(self, delta: TextDelta | ThinkingDelta | ToolCallDelta) -> None:
        """Take in one delta. Calls are left out: one that was cut off has not run and must not look as if it may have."""
        match delta:
            case TextDelta():
                self._text.append(delta.text)
            case ThinkingDelta():
                self._thinking.append(delta.text)
            case ToolCallDelta():
                pass

    def message(self) -> Message:
        """Return what arrived until now."""
        parts: list[Part] = [Thinking("".join(self._thinking))] if self._thinking else []
        parts += [Text("".join(self._text))] if self._text else []
        return Message("assistant", tuple(parts))


def interrupted(message: Message) -> MessagePayload | None:
    """Return a cut-off reply as it is stored, without its calls, which never ran; None if nothing is left."""
    parts = tuple(part for part in message.parts if not isinstance(part, ToolCall))
    if not parts:
        return None
    return MessagePayload(replace(message, parts=parts, stop_reason="interrupted", tokens=None), is_interrupted=True)
