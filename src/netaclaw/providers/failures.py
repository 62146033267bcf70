"""A foreign error becomes one of ours here, and nowhere else: what it means, and what to do about it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from netaclaw.compaction.redaction import redact
from netaclaw.domain.agents import Channel
from netaclaw.domain.messages import Message
from netaclaw.errors import ContextOverflowError, ProviderAuthError, ProviderBusyError, ProviderError, ProviderRejectedError
from netaclaw.providers.overflow import is_context_overflow, limits_named

_BUSY_STATUSES = frozenset({408, 409, 425, 429})
_DETAIL_CHARS = 200
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|key|xai|gsk)[-_][\w*.-]{6,}")
_NO_CREDIT = re.compile(
    r"insufficient[ _](?:quota|balance|funds)|exceeded your current quota|credit balance|billing|欠费|余额不足", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Failure:
    """What is known of a failed request."""

    status: int | None
    """None: no HTTP answer, or an error inside an open stream that names none."""
    body: object
    """The provider's words: text, mapping or None."""
    retry_after_seconds: float | None = None
    is_overflow: bool = False
    """Whether the library already took it for a context overflow."""
    is_network: bool = False


def provider_error(failure: Failure, channel: Channel, partial: Message | None = None) -> ProviderError:
    """Return the error to raise: one line with the channel's name, the fault and the remedy, without any key."""
    body = failure.body if isinstance(failure.body, str | Mapping | Sequence) else None
    status, name = failure.status, f"Channel '{channel.name}'"
    said = _detail(body, channel.api_key)
    if failure.is_overflow or (not failure.is_network and is_context_overflow(status, body)):
        limit, requested = limits_named(body)
        return ContextOverflowError(
            f"{name}: the request does not fit the window of {channel.model}{said}; compact the conversation or use a larger model",
            status=status,
            limit_tokens=limit,
            requested_tokens=requested,
        )
    if _is_without_credit(failure):
        return ProviderAuthError(f"{name}: no credit left{said}; top up the provider's account", status=status, partial=partial)
    if status in (401, 402, 403):
        return ProviderAuthError(f"{name}: access refused ({status}){said}; check the key of the channel", status=status, partial=partial)
    if failure.is_network or status is None or status in _BUSY_STATUSES or status >= 500:
        return _busy(failure, name, said, partial)
    remedy = "check model and base URL of the channel" if status == 404 else "change the request or the settings of the channel"
    return ProviderRejectedError(f"{name}: the provider refused the request ({status}){said}; {remedy}", status=status, partial=partial)


def _is_without_credit(failure: Failure) -> bool:
    """A spent quota comes as 429 or 400 too; one that says when to come back is a rate limit."""
    if failure.status not in (400, 402, 403, 429) or failure.retry_after_seconds is not None:
        return False
    return bool(_NO_CREDIT.search(str(failure.body)))


def _busy(failure: Failure, name: str, said: str, partial: Message | None) -> ProviderBusyError:
    if failure.is_network:
        fault, remedy = f"the connection failed{said}", "check the network and the base URL, then try again"
    elif failure.status == 429:
        fault, remedy = f"rate limit reached (429){said}", "wait and try again"
    else:
        status = "" if failure.status is None else f" ({failure.status})"
        fault, remedy = f"the provider failed{status}{said}", "try again later"
    return ProviderBusyError(
        f"{name}: {fault}; {remedy}", status=failure.status, partial=partial, retry_after_seconds=failure.retry_after_seconds
    )


def _detail(body: object, api_key: str | None) -> str:
    """The provider's own sentence in brackets, one line, without keys; empty where it said nothing."""
    text = " ".join(re.sub(r"<[^>]*>", " ", _message_in(body)).split())
    if api_key:
        text = text.replace(api_key, "[key]")
    text = redact(_KEY_LIKE.sub("[key]", text))
    if len(text) > _DETAIL_CHARS:
        text = text[: _DETAIL_CHARS - 1] + "…"
    return f": “{text}”" if text else ""


def _message_in(body: object) -> str:
    if isinstance(body, str):
        return body
    if isinstance(body, Mapping):
        for key in ("error", "message", "detail", "msg"):
            if body.get(key):
                return _message_in(body[key])
        return ""
    if isinstance(body, Sequence) and body:
        return _message_in(body[0])
    return ""
