"""Every error that NetaClaw raises on purpose.

NetaClawError
├── SettingsError            a setting is out of range or two settings contradict each other
├── TranscriptError          a transcript cannot be read: names file, line, fault and remedy
├── SummarizerError          the model that writes summaries gave no usable text; carries a reason code
└── InvariantError           a context would break a rule of the LLM APIs: a fault of ours

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


class SummarizerError(NetaClawError):
    """A summary could not be had; `reason` says why, `is_transient` whether another try may help."""

    def __init__(self, reason: FailureReason, message: str, *, is_transient: bool = False) -> None:
        self.reason: FailureReason = reason
        self.is_transient = is_transient
        super().__init__(message)


class InvariantError(NetaClawError):
    """A context would break a rule of the LLM APIs: a fault of this project, stopped before it reaches a provider."""
