"""Phase 4: head, summary, kept messages and tail become one valid context."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from netaclaw.compaction.invariants import broken_rules
from netaclaw.compaction.projection import project, refer_to_summary
from netaclaw.compaction.settings import Language
from netaclaw.compaction.summary_message import summary_message
from netaclaw.domain.messages import Message, Text
from netaclaw.errors import InvariantError


@dataclass(frozen=True, slots=True)
class Shown:
    """Which messages stay word for word around the summary, by index."""

    head: Sequence[int]
    kept: Sequence[int]
    tail_start: int


def assemble(
    messages: Sequence[Message], shown: Shown, replacements: Mapping[int, Message], summary: str, language: Language
) -> tuple[Message, ...]:
    """Return `[*head, summary, *kept, *tail]` with replacements applied, as the next request may carry it.

    Raises InvariantError if a rule of the LLM APIs were broken: a fault of this engine, never of its input.
    """
    context = [messages[index] for index in shown.head]
    context.append(summary_message(summary, language))
    context += [_text_only(messages[index]) for index in shown.kept]
    context += [replacements.get(index, messages[index]) for index in range(shown.tail_start, len(messages))]
    return checked(refer_to_summary(project(context, language), language))


def around_summary(
    messages: Sequence[Message], shown: Shown, replacements: Mapping[int, Message], language: Language
) -> tuple[Message, ...]:
    """Return what stays beside the summary, as it is carried: what room the summary has is measured with this."""
    context = [*(messages[index] for index in shown.head), *(_text_only(messages[index]) for index in shown.kept)]
    context += [replacements.get(index, messages[index]) for index in range(shown.tail_start, len(messages))]
    return project(context, language)


def apply_replacements(messages: Sequence[Message], replacements: Mapping[int, Message], language: Language) -> tuple[Message, ...]:
    """Return all messages with the replacements in their places, as the next request may carry them."""
    return checked(project([replacements.get(index, message) for index, message in enumerate(messages)], language))


def checked(context: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the context unchanged. Raises InvariantError if a rule of the LLM APIs is broken."""
    broken = broken_rules(context)
    if broken:
        raise InvariantError(f"the compacted context breaks a rule of the LLM APIs ({broken[0]}); please report this transcript's shape")
    return context


def _text_only(message: Message) -> Message:
    """A kept message shows its words; its calls and their results are in the summary."""
    if not message.tool_calls:
        return message
    return replace(message, parts=tuple(part for part in message.parts if isinstance(part, Text)), tokens=None)
