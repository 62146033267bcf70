"""What is seen in one message, before anything is known of the others: small enough to be kept beside the message."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from netaclaw.domain.messages import Role

FileUse: TypeAlias = Literal["read", "changed", "mentioned"]
TaskState: TypeAlias = Literal["done", "doing", "open"]


@dataclass(frozen=True, slots=True)
class FileSeen:
    """A path and what was done with it."""

    path: str
    use: FileUse


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence in the words of its speaker; `strength` from 1 (soft) to 3 (hard)."""

    text: str
    strength: int


@dataclass(frozen=True, slots=True)
class CallSeen:
    """A tool call: the command line if it is one, else empty; `target` is its main argument; `values` stand in its arguments."""

    id: str
    name: str
    command: str = ""
    target: str = ""
    values: tuple[str, ...] = ()
    arguments: str = ""
    """The argument text, shortened: names of records are looked for in it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A record of a tool result: what names it, its fields as they were written, and the values in them."""

    label: str
    fields: tuple[tuple[str, str], ...]
    """(name, JSON text of the value) in order."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything worth knowing of one message."""

    index: int
    role: Role
    is_request: bool = False
    """A person wrote this."""
    request: str = ""
    """What the person asked, shortened to a line."""
    constraints: tuple[Statement, ...] = ()
    decisions: tuple[Statement, ...] = ()
    values: tuple[str, ...] = ()
    """Exact values in the text: identifiers, numbers, dates, addresses, titles."""
    files: tuple[FileSeen, ...] = ()
    calls: tuple[CallSeen, ...] = ()
    tasks: tuple[tuple[TaskState, str], ...] = ()
    """The whole task list that a call wrote down; a later one replaces it."""
    answers: str = ""
    """The call that a tool result answers."""
    errors: tuple[str, ...] = ()
    """The lines of a tool result that say what went wrong."""
    is_certain_error: bool = False
    """The tool said that it failed; else the lines merely look like it."""
    diagnostics: tuple[str, ...] = ()
    """Lines such as `file.py:12: message`, of a compiler or of a search: only the call tells which."""
    rows: tuple[Row, ...] = ()
    spoken: str = ""
    """Text of a user or assistant message, shortened: names and values of records are looked for in it."""
