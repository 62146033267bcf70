"""What `inspect` finds out about a transcript: tokens by kind with both counters, and what each phase would do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from netaclaw.compaction import CompactionPlan, CompactionSettings, plan_compaction
from netaclaw.compaction.plan import Progress
from netaclaw.compaction.prompts import wording
from netaclaw.compaction.settings import CounterName
from netaclaw.domain.messages import Message, Role
from netaclaw.terminal.kinds import CountedMessages, count_by_kind
from netaclaw.terminal.words import ScreenLanguage

_BIGGEST = 5


@dataclass(frozen=True, slots=True)
class PruneOutlook:
    """Phase 1.

    `duplicates` counts results that are said to stand again later, `relieved` those that the pressure pass shortens inside the
    tail; `suffices` says whether the run ends here, under the threshold.
    """

    results: int
    duplicates: int
    arguments: int
    relieved: int
    freed_tokens: int
    tokens_after: int
    suffices: bool


@dataclass(frozen=True, slots=True)
class Interval:
    """Messages that share a fate, by index into the planned messages."""

    indices: tuple[int, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class CutOutlook:
    """Phase 2: where the conversation is cut. `kept` lies before the tail and stays word for word."""

    head: Interval
    middle: Interval
    kept: Interval
    tail: Interval


@dataclass(frozen=True, slots=True)
class SummaryOutlook:
    """Phase 3: how much the summariser reads and may write, in tokens."""

    messages: int
    input_tokens: int
    budget_tokens: int
    language: ScreenLanguage
    has_previous_summary: bool


@dataclass(frozen=True, slots=True)
class ResultOutlook:
    """Phase 4: what the compacted conversation holds if the summary fills its budget."""

    messages: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Inspection:
    """All that is known of a transcript before it is compacted."""

    settings: CompactionSettings
    roles: dict[Role, int]
    counted: CountedMessages
    """The messages as they were given, with their sizes, and tokens by kind."""
    plan: CompactionPlan
    """What a run with these settings does."""
    is_forced: bool
    is_hypothetical: bool
    """Whether the phases are those of a forced run, because none is needed."""
    messages: tuple[Message, ...]
    """The messages as they were planned for: results behind their calls, empty ones dropped."""
    tokens: tuple[int, ...]
    """Tokens of each of them."""
    prune: PruneOutlook
    cut: CutOutlook | None
    summary: SummaryOutlook | None
    result: ResultOutlook | None
    biggest: tuple[int, ...]
    """Indices of the largest messages, largest first."""

    def text_tokens(self, counter: CounterName) -> int:
        """Return the tokens of text and arguments alone."""
        return sum(kind.tokens(counter) for kind in self.counted.kinds if kind.is_text)

    def all_tokens(self, counter: CounterName) -> int:
        """Return the tokens of all kinds."""
        return sum(kind.tokens(counter) for kind in self.counted.kinds)


def inspect_messages(
    messages: Sequence[Message], settings: CompactionSettings, *, force: bool = False, progress: Progress | None = None
) -> Inspection:
    """Count the messages by kind and plan their compaction, without changing or summarising anything."""
    counted = count_by_kind(messages, settings, progress)
    plan = plan_compaction(counted.messages, settings, force=force)
    is_hypothetical = plan.action == "none" and not force
    shown = plan_compaction(counted.messages, settings, force=True) if is_hypothetical else plan
    planned, tokens = shown.material.messages, shown.material.tokens
    is_summarized = shown.action == "summarize"
    return Inspection(
        settings=settings,
        roles=_roles(messages),
        counted=counted,
        plan=plan,
        is_forced=force,
        is_hypothetical=is_hypothetical,
        messages=planned,
        tokens=tokens,
        prune=_prune(shown),
        cut=_cut(shown) if is_summarized else None,
        summary=_summary(shown) if is_summarized else None,
        result=_result(shown) if is_summarized else None,
        biggest=tuple(sorted(range(len(planned)), key=lambda index: -tokens[index])[:_BIGGEST]),
    )


def _roles(messages: Sequence[Message]) -> dict[Role, int]:
    return {role: sum(message.role == role for message in messages) for role in get_args(Role)}


def _prune(plan: CompactionPlan) -> PruneOutlook:
    messages, tokens = plan.material.messages, plan.material.tokens
    tail_start = plan.tail_start if plan.action == "summarize" else len(messages)
    pruned = [index for index in plan.replacements if index < tail_start]
    results = [index for index in pruned if messages[index].role == "tool"]
    said_of_duplicates = wording(plan.material.language).cleared_duplicate
    duplicates = sum(said_of_duplicates in plan.replacements[index].text for index in results)
    freed_tokens = sum(tokens[index] - plan.replaced_tokens[index] for index in pruned)
    return PruneOutlook(
        results=len(results) - duplicates,
        duplicates=duplicates,
        arguments=len(pruned) - len(results),
        relieved=len(plan.replacements) - len(pruned),
        freed_tokens=freed_tokens,
        tokens_after=plan.material.context_tokens - freed_tokens,
        suffices=plan.action == "prune" and plan.reason is None,
    )


def _cut(plan: CompactionPlan) -> CutOutlook:
    tokens = plan.material.tokens

    def interval(indices: tuple[int, ...]) -> Interval:
        return Interval(indices, sum(tokens[index] for index in indices))

    return CutOutlook(interval(plan.head), interval(plan.middle), interval(plan.kept), interval(tuple(range(plan.tail_start, len(tokens)))))


def _summary(plan: CompactionPlan) -> SummaryOutlook:
    return SummaryOutlook(
        messages=len(plan.newly_covered),
        input_tokens=sum(plan.material.tokens[index] for index in plan.newly_covered),
        budget_tokens=plan.summary_budget_tokens,
        language=plan.material.language,
        has_previous_summary=plan.material.previous_summary is not None,
    )


def _result(plan: CompactionPlan) -> ResultOutlook:
    shown = len(plan.head) + len(plan.kept) + len(plan.material.messages) - plan.tail_start
    return ResultOutlook(messages=shown + 1, tokens=plan.tokens_outside_summary + plan.summary_budget_tokens)
