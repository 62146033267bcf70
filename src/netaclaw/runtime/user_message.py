"""From a queued command to the user's entry, and from a failure to a notice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from netaclaw.context.system_prompt import ChangingState, attachment_for
from netaclaw.domain.entries import MessagePayload, NoticePayload
from netaclaw.domain.messages import Image, Message, Part, Text
from netaclaw.runtime.view import SessionView, todo_of

_TITLE_CHARS = 80


@dataclass(frozen=True, slots=True)
class RunEnding:
    """How a run ended, as it is stored and told."""

    state: Literal["done", "failed", "cancelled", "interrupted"]
    reason: str | None
    notice: str | None = None
    """One line for people where something went wrong."""


def command_of(text: str, images: Sequence[Image], parent_id: int | None) -> dict[str, Any]:
    """Return a chat command as it waits in the queue."""
    shown = [{"mediaType": image.media_type, "data": image.data, "url": image.url} for image in images]
    return {"type": "chat", "text": text, "images": shown, "parentId": parent_id}


def title_of(text: str) -> str:
    """Return the title of a session that begins with this message: its text in one line, cut where it is long."""
    line = " ".join(text.split())
    if len(line) <= _TITLE_CHARS:
        return line
    cut = line[: _TITLE_CHARS - 1]
    whole_words = cut.rpartition(" ")[0]
    return f"{whole_words if len(whole_words) > _TITLE_CHARS // 2 else cut}…"


def user_payload(command: Mapping[str, Any], view: SessionView, now: datetime) -> tuple[MessagePayload, int | None]:
    """Return the payload of a chat command, with what changes from turn to turn attached, and the entry it hangs under."""
    parts: list[Part] = [Text(str(command.get("text", "")))] if command.get("text") else []
    parts += [_image(image) for image in command.get("images") or ()]
    attached = attachment_for(ChangingState(now.date(), todo_of(view)), view.language)
    parent_id = command.get("parentId")
    return MessagePayload(Message("user", tuple(parts)), attached), parent_id if isinstance(parent_id, int) else None


def _image(shown: Mapping[str, Any]) -> Image:
    return Image(str(shown.get("mediaType") or "image/png"), shown.get("data"), shown.get("url"))


def failure_notice(ended: RunEnding) -> NoticePayload:
    """Return the notice of a run that failed."""
    return NoticePayload("run_event", ended.notice or "", ended.reason)
