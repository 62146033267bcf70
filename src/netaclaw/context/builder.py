"""From the active path to the exact messages of the next request. Pure: the same path gives the same bytes (DESIGN section 4)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from netaclaw.compaction.projection import as_request, refer_to_summary, settle
from netaclaw.compaction.settings import Language
from netaclaw.compaction.summary_message import summary_message
from netaclaw.context.carried import carried_message, words_only
from netaclaw.domain.entries import CompactionPayload, CompactionUndoPayload, Entry, MessagePayload, ModelChangePayload
from netaclaw.domain.messages import Message, Usage
from netaclaw.sessions.tree import ContextRead


@dataclass(frozen=True, slots=True)
class Reported:
    """The newest figure of a provider that still holds for this context, and what came after the request it counts."""

    usage: Usage
    reply: Message | None
    """The reply of that request, if the next request carries it."""
    later: tuple[Message, ...]
    """What the next request carries behind that reply."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the next request carries, without system prompt and tools."""

    messages: tuple[Message, ...]
    """Head, summary, kept messages and tail with replacements applied, before repair: what a compaction plans on."""
    carried: tuple[Message, ...]
    """The repaired messages before neighbours are joined: what is counted."""
    request: tuple[Message, ...]
    """Repaired and joined: what is sent."""
    entry_ids: tuple[int, ...]
    """The entries behind `messages`, in their order; the summary stands under the id of its compaction."""
    reported: Reported | None = None


def build_context(read: ContextRead, *, language: Language) -> Context:
    """Return the context of the next request; `language` is that of the texts that fill gaps."""
    messages = _messages(read, language)
    settled = settle(messages, language)
    carried = tuple(message for index, message in enumerate(settled.messages) if message.role != "tool" or index in settled.pairing.call_of)
    request = as_request(settled)
    if read.governing is not None:
        request = refer_to_summary(request, language)
    entry_ids = tuple(message.entry_id for message in messages if message.entry_id is not None)
    return Context(messages, carried, request, entry_ids, _reported(read.entries, carried))


def _messages(read: ContextRead, language: Language) -> tuple[Message, ...]:
    replaced = read.replacements

    def carried(entries: Sequence[Entry]) -> list[Message]:
        found = (carried_message(entry, replaced, language) for entry in entries)
        return [message for message in found if message is not None]

    governing = read.governing
    if governing is None:
        return tuple(carried(read.entries))
    tail = _tail(read.entries, governing)
    shown = {entry.id for entry in tail}
    head = [entry for entry in read.head.values() if entry.id not in shown]
    shown |= {entry.id for entry in head}
    kept = [entry for entry in read.kept.values() if entry.id not in shown]
    return (*carried(head), *_summary(governing), *map(words_only, carried(kept)), *carried(tail))


def _tail(entries: Sequence[Entry], governing: Entry) -> Sequence[Entry]:
    first = governing.payload.first_kept_entry_id if isinstance(governing.payload, CompactionPayload) else None
    start = next((index for index, entry in enumerate(entries) if entry.id == first), 0)
    return entries[start:]


def _summary(governing: Entry) -> list[Message]:
    payload = governing.payload
    if not isinstance(payload, CompactionPayload) or payload.summary is None:
        return []
    message = summary_message(payload.summary, payload.language, has_recall=True)
    return [replace(message, entry_id=governing.id)]


def _reported(entries: Sequence[Entry], carried: Sequence[Message]) -> Reported | None:
    """Find the newest usage since whatever last changed the context other than by adding to it."""
    later_ids: set[int] = set()
    for entry in reversed(entries):
        match entry.payload:
            case CompactionPayload() | CompactionUndoPayload() | ModelChangePayload():
                return None
            case MessagePayload(message=message) if message.role == "assistant" and message.usage and message.usage.input_tokens > 0:
                reply = next((found for found in carried if found.entry_id == entry.id), None)
                return Reported(message.usage, reply, _later(carried, later_ids))
            case _:
                later_ids.add(entry.id)
    return None


def _later(carried: Sequence[Message], later_ids: set[int]) -> tuple[Message, ...]:
    """A message that fills a gap belongs to the entry before it."""
    later: list[Message] = []
    is_later = False
    for message in carried:
        if message.entry_id is not None:
            is_later = message.entry_id in later_ids
        if is_later:
            later.append(message)
    return tuple(later)
