"""Every error that NetaClaw raises on purpose.

NetaClawError
├── SettingsError            a setting is out of range or two settings contradict each other
├── TranscriptError          a transcript cannot be read: names file, line, fault and remedy
├── SummarizerError          the model that writes summaries gave no usable text; carries a reason code
├── InvariantError           a context would break a rule of the LLM APIs: a fault of ours
├── StoreError               the database refuses or cannot be used
│   └── StaleLeaf            the session's leaf has moved; nothing was written
├── ContextTooLargeError     what must be sent does not fit, whatever is compacted; carries a reason code
├── CommandRefused           a command that cannot be carried out now; carries a code
├── SlowSubscriber           a browser does not read; it is cut off, never the run
├── NotFoundError            a session, entry, agent or channel that does not exist
└── ProviderError            a model endpoint did not answer as it should
    ├── ProviderAuthError    401, 402, 403: key, credit or rights
    ├── ProviderBusyError    429, 5xx, network: worth another try
    ├── ContextOverflowError the request is larger than the model's window
    └── ProviderRejectedError  any other 4xx: another try would fail the same way

A message is one line that names the thing and the remedy.
"""

from typing import Literal, TypeAlias

FailureReason: TypeAlias = Literal[
    "no_auxiliary_model",
    "auxiliary_unavailable",
    "auxiliary_auth",
    "auxiliary_timeout",
    "auxiliary_error",
    "auxiliary_overflow",
    "empty_summary",
    "short_summary",
    "truncated_summary",
    "refused_summary",
    "inflated_summary",
    "ineffective",
    "busy",
    "cancelled",
    "stale",
    "storage_error",
    "nothing_to_compact",
    "message_too_large",
    "system_prompt_too_large",
]
"""The reason codes of DESIGN section 8, the same in frames, notices and on the command line."""


class NetaClawError(Exception):
    """Base of all errors of this project; `str(error)` is one line for people."""


class SettingsError(NetaClawError):
    """A setting is out of range, or two settings contradict each other."""


class TranscriptError(NetaClawError):
    """A transcript cannot be read.

    `str(error)` reads `FILE:LINE: what is wrong; what to do`, without `:LINE` where no line is to blame.
    """

    def __init__(self, source: str, what: str, remedy: str, line: int | None = None) -> None:
        self.source = source
        self.line = line
        self.what = what
        self.remedy = remedy
        place = source if line is None else f"{source}:{line}"
        super().__init__(f"{place}: {what}; {remedy}")


class StoreError(NetaClawError):
    """The database refuses a write or cannot be used."""


class StaleLeaf(StoreError):  # noqa: N818  (the design's name)
    """The session's active leaf is no longer the one that was read; nothing was written."""


class NotFoundError(NetaClawError):
    """A session, entry, agent or channel that does not exist."""


class ContextTooLargeError(NetaClawError):
    """What must be sent does not fit, whatever is compacted; `reason` is a reason code."""

    def __init__(self, reason: FailureReason, message: str) -> None:
        self.reason: FailureReason = reason
        super().__init__(message)


class CommandRefused(NetaClawError):  # noqa: N818  (not a fault)
    """A command that cannot be carried out now; `code` is `busy`, `stale`, `bad_request` or a FailureReason."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


class SlowSubscriber(NetaClawError):  # noqa: N818  (not a fault of ours)
    """A subscriber did not take its events in time and is cut off."""


class ProviderError(NetaClawError):
    """A model endpoint did not answer as it should. `partial` holds what a broken stream had brought, a Message, or None."""

    def __init__(self, message: str, *, status: int | None = None, partial: object | None = None) -> None:
        self.status = status
        self.partial = partial
        super().__init__(message)


class ProviderAuthError(ProviderError):
    """The key is missing, wrong, without rights or without credit."""


class ProviderBusyError(ProviderError):
    """Rate limit, server fault or network; `retry_after_seconds` is what the provider asked for."""

    def __init__(
        self, message: str, *, status: int | None = None, partial: object | None = None, retry_after_seconds: float | None = None
    ) -> None:
        self.retry_after_seconds = retry_after_seconds
        super().__init__(message, status=status, partial=partial)


class ContextOverflowError(ProviderError):
    """The request does not fit the model's window; `limit_tokens` and `requested_tokens` where the provider names them."""

    def __init__(
        self, message: str, *, status: int | None = None, limit_tokens: int | None = None, requested_tokens: int | None = None
    ) -> None:
        self.limit_tokens = limit_tokens
        self.requested_tokens = requested_tokens
        super().__init__(message, status=status)


class ProviderRejectedError(ProviderError):
    """The provider refuses this request; the same one would be refused again."""


class SummarizerError(NetaClawError):
    """A summary could not be had; `reason` says why, `is_transient` whether another try may help."""

    def __init__(self, reason: FailureReason, message: str, *, is_transient: bool = False) -> None:
        self.reason: FailureReason = reason
        self.is_transient = is_transient
        super().__init__(message)


class InvariantError(NetaClawError):
    """A context would break a rule of the LLM APIs: a fault of this project, stopped before it reaches a provider."""
