"""The list that a compaction works on: settled messages, earlier summaries apart, tokens and pairs known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from netaclaw.compaction.grouping import Pairing
from netaclaw.compaction.projection import settle
from netaclaw.compaction.settings import Language
from netaclaw.compaction.summary_message import is_our_summary, split_summaries, summary_body
from netaclaw.domain.messages import Message

_SAMPLE_MESSAGES = 60
_SAMPLE_CHARS = 2_000
_CHINESE_SHARE = 0.15
_PROGRESS_STEP = 500


@dataclass(frozen=True, slots=True)
class Material:
    """Messages in plannable order with what is known of each, by index."""

    messages: tuple[Message, ...]
    tokens: tuple[int, ...]
    """Size of each message; 0 for a result that answers no call, which no request carries."""
    given_tokens: int
    """Size of the list as it was given."""
    context_tokens: int
    """Size of what a request would carry of it, repaired; joining neighbours adds nothing, and known counts stay known."""
    pairing: Pairing
    summaries: frozenset[int]
    """Messages that are summaries of earlier compactions."""
    language: Language

    @property
    def previous_summary(self) -> str | None:
        """The bodies of the earlier summaries, oldest first; None where there is none."""
        bodies = [summary_body(self.messages[index]) for index in sorted(self.summaries)]
        return "\n\n".join(body for body in bodies if body) or None

    @property
    def system_prompt_tokens(self) -> int:
        """Size of the system messages at the start."""
        total = 0
        for message, tokens in zip(self.messages, self.tokens, strict=True):
            if message.role != "system":
                break
            total += tokens
        return total

    @property
    def largest_text_tokens(self) -> int:
        """Size of the largest user or assistant message."""
        sizes = (tokens for message, tokens in zip(self.messages, self.tokens, strict=True) if message.role in ("user", "assistant"))
        return max(sizes, default=0)


def prepare(messages: Sequence[Message], count: Callable[[Message], int], progress: Callable[[str, int, int], None]) -> Material:
    """Settle the messages, set earlier summaries apart, and count each message once."""
    language = detect_language(messages)
    settled = settle(split_summaries(messages), language)
    tokens: list[int] = []
    for number, message in enumerate(settled.messages):
        if number % _PROGRESS_STEP == 0:
            progress("count", number, len(settled.messages))
        is_orphan = message.role == "tool" and number not in settled.pairing.call_of
        tokens.append(0 if is_orphan else count(message))
    known = {id(message): size for message, size in zip(settled.messages, tokens, strict=True) if size}

    def total(counted: Sequence[Message]) -> int:
        return sum(known[id(message)] if id(message) in known else count(message) for message in counted)

    return Material(
        messages=settled.messages,
        tokens=tuple(tokens),
        given_tokens=total(messages),
        context_tokens=sum(tokens),
        pairing=settled.pairing,
        summaries=_summaries(settled.messages),
        language=language,
    )


def named_result(material: Material, index: int) -> Message:
    """Return a message; a tool result with the name of the tool that it came from, where only the call carries it."""
    message = material.messages[index]
    answered = material.pairing.call_of.get(index)
    if message.name or answered is None:
        return message
    name = material.messages[answered[0]].tool_calls[answered[1]].name
    return replace(message, name=name) if name else message


def detect_language(messages: Sequence[Message]) -> Language:
    """Return the language the user writes: Chinese where at least 15 % of the letters of the newest requests are Chinese."""
    texts = [message.text for message in messages if message.is_human_request][-_SAMPLE_MESSAGES:]
    if not texts:
        texts = [message.text for message in messages[-_SAMPLE_MESSAGES:]]
    sample = "".join(text[:_SAMPLE_CHARS] for text in texts)
    chinese = sum("\u4e00" <= char <= "\u9fff" for char in sample)
    letters = sum(char.isalpha() for char in sample)
    return "zh" if letters and chinese >= _CHINESE_SHARE * letters else "en"


def _summaries(messages: Sequence[Message]) -> frozenset[int]:
    """Find our own summaries, and another product's at the start of the conversation if the user spoke after it."""
    found = {index for index, message in enumerate(messages) if is_our_summary(message)}
    first = next((index for index, message in enumerate(messages) if message.role != "system"), None)
    if first is not None and messages[first].origin == "summary" and any(message.is_human_request for message in messages[first + 1 :]):
        found.add(first)
    return frozenset(found)
