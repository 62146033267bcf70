"""One message of a conversation, whoever wrote it and whatever provider it came from.

A message is an ordered tuple of parts, because providers check the order: a signed thinking block must stay
before the call that it led to. Everything is frozen; `with_text` and `dataclasses.replace` return new messages.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]

Origin: TypeAlias = Literal["conversation", "summary", "notice"]


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text."""

    text: str
    extra: Mapping[str, Any] | None = None
    """Keys of the provider's block that we do not interpret, such as `cache_control`."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture, by base64 `data` or by `url`; one with neither was left out of the transcript and is never sent."""

    media_type: str = "image/png"
    data: str | None = None
    url: str | None = None
    width: int | None = None
    height: int | None = None
    extra: Mapping[str, Any] | None = None

    @property
    def is_sent(self) -> bool:
        """Whether the next request carries this picture."""
        return self.data is not None or self.url is not None


@dataclass(frozen=True, slots=True)
class Thinking:
    """Reasoning of the model. A signed or encrypted one goes back to its provider byte for byte or not at all."""

    text: str
    signature: str | None = None
    encrypted: str | None = None
    """The opaque payload of a redacted block; `text` is then empty."""
    extra: Mapping[str, Any] | None = None

    @property
    def is_sent(self) -> bool:
        """Whether the next request carries this block: providers take back only what they signed."""
        return self.signature is not None or self.encrypted is not None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool; `arguments` is the model's JSON text as it was written, not parsed."""

    id: str
    name: str
    arguments: str = "{}"
    extra: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Opaque:
    """A block that we do not interpret (a document, a server-side tool), kept word for word."""

    kind: str
    payload: Mapping[str, Any]


Part: TypeAlias = Text | Image | Thinking | ToolCall | Opaque


@dataclass(frozen=True, slots=True)
class Usage:
    """What a provider reported for one request, in tokens. `input_tokens` includes the cached ones (each counted once)."""

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Message:
    """One message. A tool result has role `tool` and answers the call named by `tool_call_id`."""

    role: Role
    parts: tuple[Part, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    """The tool's name on a result; a participant's name elsewhere."""
    is_error: bool = False
    """Whether a tool result reports a failure."""
    usage: Usage | None = None
    model: str | None = None
    stop_reason: str | None = None
    tokens: int | None = None
    """A known token count, used instead of counting; drop it (`None`) whenever the content changes."""
    origin: Origin = "conversation"
    """`summary` for a compaction summary, `notice` for a user-role message that no human wrote."""
    entry_id: int | None = None
    """The session entry this message was read from."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Facts of the source transcript that we carry but do not interpret."""
    text: str = field(init=False, repr=False, compare=False)
    """All text parts, joined by newlines."""
    tool_calls: tuple[ToolCall, ...] = field(init=False, repr=False, compare=False)
    """The tool-call parts in order."""

    def __post_init__(self) -> None:
        parts = self.parts
        if len(parts) == 1 and type(parts[0]) is Text:  # nine of ten messages: no new string is built
            object.__setattr__(self, "text", parts[0].text)
            object.__setattr__(self, "tool_calls", ())
            return
        object.__setattr__(self, "text", "\n".join([part.text for part in parts if isinstance(part, Text)]))
        object.__setattr__(self, "tool_calls", tuple([part for part in parts if isinstance(part, ToolCall)]))

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures in order."""
        return tuple(part for part in self.parts if isinstance(part, Image))

    @property
    def thinking(self) -> tuple[Thinking, ...]:
        """The reasoning blocks in order."""
        return tuple(part for part in self.parts if isinstance(part, Thinking))

    @property
    def is_human_request(self) -> bool:
        """Whether a person wrote this: user role, some text or picture, no summary and no machine-made notice."""
        return self.role == "user" and self.origin == "conversation" and bool(self.text.strip() or self.images)

    def with_text(self, text: str) -> "Message":
        """Return a copy whose only content is `text`, with its token count forgotten."""
        return replace(self, parts=(Text(text),), tokens=None)


def text_message(role: Role, text: str, **fields: Any) -> Message:
    """Return a message of one text part; an empty text gives a message without parts."""
    return Message(role, (Text(text),) if text else (), **fields)
