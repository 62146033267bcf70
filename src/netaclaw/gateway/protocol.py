"""What a browser may say on the socket: one union of commands (DESIGN section 8), and how a frame becomes one of them."""

import re
from typing import Annotated, Any, Literal, TypeAlias

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from netaclaw.domain.messages import Image
from netaclaw.gateway.errors import explain_validation

MAX_TEXT_CHARS = 4_000_000
_REQUEST_ID = re.compile(r'"requestId"\s*:\s*"([^"\\]{1,200})"')
_SCANNED_CHARS = 4_096

Id: TypeAlias = Annotated[int, Field(ge=1, le=2**63 - 1)]


class Command(BaseModel):
    """Base of all commands. Numbers are never guessed from texts."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=False, frozen=True, extra="forbid", strict=True)

    request_id: str = Field(min_length=1, max_length=200)
    """Chosen by the browser; the answer carries it."""


class SessionCommand(Command):
    """Base of the commands that concern one session."""

    session_id: Id


class SentImage(BaseModel):
    """A picture of a user message, as base64."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=False, frozen=True, extra="forbid", strict=True)

    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    data: str = Field(min_length=1, pattern=r"^[A-Za-z0-9+/]+={0,2}$")
    width: int | None = Field(default=None, ge=1)
    height: int | None = Field(default=None, ge=1)

    def image(self) -> Image:
        """Return it as a part of a message."""
        return Image(media_type=self.media_type, data=self.data, width=self.width, height=self.height)


class Chat(SessionCommand):
    """A user message; `parentId` makes it a sibling branch under that entry."""

    type: Literal["chat"]
    text: str = Field(max_length=MAX_TEXT_CHARS)
    images: tuple[SentImage, ...] = Field(default=(), max_length=20, strict=False)
    parent_id: Id | None = None


class Retry(SessionCommand):
    """Run the agent again after a run that failed, was stopped or was interrupted."""

    type: Literal["retry"]


class Stop(SessionCommand):
    """Stop the run."""

    type: Literal["stop"]


class Compact(SessionCommand):
    """Compact now, whatever the size."""

    type: Literal["compact"]
    focus: str | None = Field(default=None, max_length=2_000)
    up_to_entry_id: Id | None = None


class CancelCompaction(SessionCommand):
    """Cancel the compaction that runs."""

    type: Literal["cancel_compaction"]


class UndoCompaction(SessionCommand):
    """Take back the governing compaction."""

    type: Literal["undo_compaction"]
    compaction_id: Id


class Subscribe(SessionCommand):
    """Hear of a session: what was missed since `afterRevision`, or a snapshot, then all that happens."""

    type: Literal["subscribe"]
    after_revision: int | None = Field(default=None, ge=0, le=2**63 - 1)


class Unsubscribe(SessionCommand):
    """Hear no more of a session."""

    type: Literal["unsubscribe"]


class SwitchBranch(SessionCommand):
    """Move the session to another leaf."""

    type: Literal["switch_branch"]
    leaf_id: Id


class EditQueued(SessionCommand):
    """Change a message that waits."""

    type: Literal["edit_queued"]
    queue_id: Id
    text: str = Field(min_length=1, max_length=MAX_TEXT_CHARS)


class RemoveQueued(SessionCommand):
    """Take a message out of the queue."""

    type: Literal["remove_queued"]
    queue_id: Id


class Ping(Command):
    """Is anybody there?"""

    type: Literal["ping"]


ClientCommand: TypeAlias = Annotated[
    Chat
    | Retry
    | Stop
    | Compact
    | CancelCompaction
    | UndoCompaction
    | Subscribe
    | Unsubscribe
    | SwitchBranch
    | EditQueued
    | RemoveQueued
    | Ping,
    Field(discriminator="type"),
]

COMMANDS: TypeAdapter[ClientCommand] = TypeAdapter(ClientCommand)
"""Validates a command; also the source of its JSON schema."""


class BadFrame(Exception):  # noqa: N818  (what was received, not a fault of ours)
    """A frame that is no command; `str(error)` says what is wrong and what to send instead."""

    def __init__(self, code: str, message: str, request_id: str | None = None) -> None:
        self.code = code
        self.request_id = request_id
        super().__init__(message)


def parse_command(received: str | bytes, max_frame_bytes: int) -> ClientCommand:
    """Return the command in a frame. Raises BadFrame."""
    if isinstance(received, bytes):
        raise BadFrame("binary_frame", "Binary frames are not understood; send JSON as a text frame")
    if _is_longer(received, max_frame_bytes):
        limit = f"{max_frame_bytes / 1_000_000:,.1f} MB"
        raise BadFrame("frame_too_large", f"The frame is over {limit}; send less text or smaller images", _find_request_id(received))
    try:
        content = orjson.loads(received)
    except orjson.JSONDecodeError as error:
        raise BadFrame("bad_json", f"The frame is not JSON ({error}); send one JSON object", _find_request_id(received)) from None
    if not isinstance(content, dict):
        raise BadFrame("bad_frame", "The frame is not a JSON object; send {type, requestId, ...}")
    return _validate(content)


def _validate(content: dict[str, Any]) -> ClientCommand:
    try:
        return COMMANDS.validate_python(content)
    except ValidationError as error:
        given = content.get("requestId")
        request_id = given if isinstance(given, str) and 0 < len(given) <= 200 else None
        code = "unknown_frame" if error.errors()[0]["type"] == "union_tag_invalid" else "bad_frame"
        raise BadFrame(code, explain_validation(error.errors(include_url=False), skip=1), request_id) from None


def _is_longer(text: str, max_bytes: int) -> bool:
    """Encode only where the number of characters does not decide."""
    if len(text) > max_bytes:
        return True
    return len(text) * 4 > max_bytes and len(text.encode("utf-8", "surrogatepass")) > max_bytes


def _find_request_id(text: str) -> str | None:
    """Look for the id at both ends of a frame that is not parsed."""
    found = _REQUEST_ID.search(text[:_SCANNED_CHARS]) or _REQUEST_ID.search(text[-_SCANNED_CHARS:])
    return found[1] if found else None
