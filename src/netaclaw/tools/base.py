"""What a tool is, what it is given and what it gives back. A failure is an output marked as error, never an exception."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from netaclaw.domain.messages import Message

OUTPUT_LIMIT_BYTES = 50_000
"""What one result may carry; more is shortened to head and tail."""

Arguments: TypeAlias = Mapping[str, Any]
"""Checked against the tool's schema before `run`."""

Recall: TypeAlias = Callable[[], Awaitable[Sequence[Message]]]
"""Gives the stored messages of the active path in order, each with its `entry_id`, as they were written."""


class TodoList(Protocol):
    """The agent's list of tasks on the active path."""

    def items(self) -> Sequence[Mapping[str, Any]]:
        """Return the list as it stands: [{text, status}]."""
        ...

    async def replace(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Store the whole list anew."""
        ...


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where a tool runs. None means that this session has no such thing."""

    session_id: int
    workspace: Path | None = None
    """The only folder whose files a tool may read."""
    recall: Recall | None = None
    todo: TodoList | None = None


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What the model reads of a run."""

    text: str
    is_error: bool = False


class Tool(Protocol):
    """One tool. `run` may be cancelled at any await and then leaves nothing running."""

    @property
    def name(self) -> str:
        """Name by which the model calls it."""
        ...

    @property
    def description(self) -> str:
        """What the model is told of it."""
        ...

    @property
    def parameters(self) -> Mapping[str, Any]:
        """JSON schema of the arguments, an object."""
        ...

    @property
    def is_parallel(self) -> bool:
        """Whether it may run beside other calls of the same reply."""
        ...

    @property
    def is_protected(self) -> bool:
        """Whether pruning spares its results."""
        ...

    def one_line(self, arguments: Arguments, output: str) -> str:
        """Say in one line what a run was, for the place of an output that was pruned."""
        ...

    def dedup_key(self, arguments: Arguments) -> str | None:
        """Return the same key for runs of which only the newest output matters; None where every output counts."""
        ...

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Do the work."""
        ...


def failure(text: str) -> ToolOutput:
    """Return an output marked as error; `text` says what is wrong and what to do."""
    return ToolOutput(text, is_error=True)
