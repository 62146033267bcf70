"""What goes between the phases and out of the engine: the request to the summariser, its reply, the plan, the result."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from netaclaw.compaction.audit import AuditReport, Fact
from netaclaw.compaction.material import Material
from netaclaw.compaction.settings import Language
from netaclaw.domain.messages import Message
from netaclaw.errors import FailureReason

Status: TypeAlias = Literal["compacted", "pruned", "not_needed", "failed"]


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """All that a summariser needs. `prompt` is complete; the other fields are its ingredients."""

    prompt: str
    """The spec's template, filled: send it as one user message."""
    serialized: str
    """The turns to summarise, one block a message, redacted and with its tags neutralised."""
    previous_summary: str | None = None
    """Body of the summary that is updated, without preamble and end marker."""
    budget_tokens: int = 2_000
    """The size the summary should not exceed, in tokens."""
    language: Language = "en"
    focus: str | None = None
    """What the user asked to keep above all."""
    temperature: float = 0.3
    thinking: Literal["off"] = "off"
    facts: tuple[Fact, ...] = ()
    """What was found in the turns without a model, most important first, redacted."""


@dataclass(frozen=True, slots=True)
class SummaryReply:
    """What a summariser gives back; token figures are what its provider reported."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    finish_reason: str | None = None


Summarize: TypeAlias = Callable[[SummaryRequest], Awaitable[str | SummaryReply]]


Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the stage, how many messages are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class CompactionPlan:
    """What a compaction would do, decided without a model. Indices count `material.messages`."""

    action: Literal["none", "prune", "summarize"]
    reason: FailureReason | None
    """Why nothing is done although the threshold is reached, or `ineffective` where the action will not suffice."""
    material: Material
    threshold_tokens: int
    tail_budget_tokens: int
    head: tuple[int, ...] = ()
    """Shown word for word before the summary."""
    middle: tuple[int, ...] = ()
    """Covered by the summary, an earlier summary included."""
    kept: tuple[int, ...] = ()
    """Shown word for word after the summary though they lie before the tail."""
    tail_start: int = 0
    """The tail runs from here to the end."""
    replacements: Mapping[int, Message] = field(default_factory=dict)
    """What phase 1 and the pressure pass shortened."""
    replaced_tokens: Mapping[int, int] = field(default_factory=dict)
    """Tokens of the replacements."""
    summary_budget_tokens: int = 0

    @property
    def tokens_before(self) -> int:
        """Size of the messages as they were given."""
        return self.material.given_tokens

    def with_replacements(self, more: Mapping[int, Message], count: Callable[[Message], int]) -> "CompactionPlan":
        """Return the plan with further messages shortened."""
        counted = {index: count(message) for index, message in more.items()}
        return replace(self, replacements={**self.replacements, **more}, replaced_tokens={**self.replaced_tokens, **counted})

    @property
    def tokens(self) -> list[int]:
        """Tokens of each message with the replacements applied."""
        return [self.replaced_tokens.get(index, tokens) for index, tokens in enumerate(self.material.tokens)]

    @property
    def freed_tokens(self) -> int:
        """What the replacements save."""
        return sum(self.material.tokens[index] - tokens for index, tokens in self.replaced_tokens.items())

    @property
    def tokens_after_prune(self) -> int:
        """Size of the context with the replacements applied."""
        return self.material.context_tokens - self.freed_tokens

    @property
    def tail_tokens(self) -> int:
        """Size of the tail with the replacements applied."""
        return sum(self.tokens[self.tail_start :])

    @property
    def middle_tokens(self) -> int:
        """Size of what the summary stands for, originals counted."""
        return sum(self.material.tokens[index] for index in self.middle)

    @property
    def tokens_outside_summary(self) -> int:
        """Size of head, kept messages and tail."""
        return sum(self.material.tokens[index] for index in (*self.head, *self.kept)) + self.tail_tokens

    @property
    def newly_covered(self) -> tuple[int, ...]:
        """The middle without earlier summaries: what the summary is written from."""
        return tuple(index for index in self.middle if index not in self.material.summaries)

    @property
    def has_news(self) -> bool:
        """Whether the middle holds anything that came after the newest earlier summary."""
        newest_summary = max(self.material.summaries, default=-1)
        return any(index > newest_summary for index in self.newly_covered)


@dataclass(frozen=True, slots=True)
class CompactionResult:
    """The outcome of `compact`. `messages` is the context of the next request; on failure it is the unchanged one."""

    status: Status
    reason: FailureReason | None
    messages: tuple[Message, ...]
    tokens_before: int
    tokens_after: int
    threshold_tokens: int
    messages_before: int
    summary: str | None = None
    """Body of the summary, without preamble and end marker."""
    removed_count: int = 0
    """Messages newly covered by the summary."""
    pruned_count: int = 0
    audit: AuditReport | None = None
    error: str | None = None
    """One line for people when `status` is `failed`."""
    summary_input_tokens: int | None = None
    summary_output_tokens: int | None = None
    plan: CompactionPlan | None = None
    """What was decided, with the final replacements: whoever stores a compaction takes its entries from here."""

    @property
    def messages_after(self) -> int:
        """Length of `messages`."""
        return len(self.messages)
