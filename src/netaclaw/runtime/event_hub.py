"""Events to every browser on a session: live, and what one missed since its last revision.

A revision counts the changes of a session's tree. A browser that comes back with its last revision is given the events since
then if they are still remembered; pieces of a reply in flight are given as one. A slow browser is cut off, never the run.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from netaclaw.domain.events import (
    CompactionDone,
    CompactionFailed,
    CompactionProgress,
    CompactionStart,
    Delta,
    RunEnd,
    RunStart,
    SessionEvent,
    TreePatch,
)
from netaclaw.errors import NotFoundError, SlowSubscriber

REMEMBERED_EVENTS = 500
REMEMBERED_CHARS = 2_000_000
"""Of a session's events together: a page of tool output is one event, too."""
WAITING_EVENTS = 2_000
WAITING_CHARS = 20_000_000


@dataclass(frozen=True, slots=True)
class HubLimits:
    """How much is kept for those who come back, and for those who read slowly."""

    remembered_events: int = REMEMBERED_EVENTS
    remembered_chars: int = REMEMBERED_CHARS
    waiting_events: int = WAITING_EVENTS
    waiting_chars: int = WAITING_CHARS


@dataclass(frozen=True, slots=True)
class _Remembered:
    revision: int
    event: SessionEvent
    chars: int


@dataclass(eq=False, slots=True)
class _Subscriber:
    waiting: deque[tuple[SessionEvent, int]] = field(default_factory=deque)
    waiting_chars: int = 0
    has_news: asyncio.Event = field(default_factory=asyncio.Event)
    is_cut_off: bool = False
    is_forgotten: bool = False


@dataclass(slots=True)
class _Channel:
    """What one session's browsers hear."""

    subscribers: set[_Subscriber] = field(default_factory=set)
    remembered: deque[_Remembered] = field(default_factory=deque)
    remembered_chars: int = 0
    forgotten_revision: int = -1
    """One that comes back with an older revision needs a snapshot: events that it missed are gone."""
    first_revision: int | None = None
    """Of the first tree change that this process published: who stands before it may know of what another process had begun."""
    revision: int = -1
    """Of the newest tree change that was published."""
    in_flight: list[Delta] = field(default_factory=list)
    """Pieces of the reply that is being written."""
    run: RunStart | None = None
    """Of the run that has begun and not ended."""
    compaction: CompactionStart | None = None
    """Of the compaction that has begun and not ended."""
    stage: CompactionProgress | None = None
    """How far it is."""
    summary: list[str] = field(default_factory=list)
    """Pieces of its summary, without those that became void."""


class EventHub:
    """One process's events. `publish` never waits; a subscriber that does not read loses its place."""

    def __init__(self, limits: HubLimits | None = None) -> None:
        self._limits = limits or HubLimits()
        self._channels: dict[int, _Channel] = {}

    def publish(self, session_id: int, event: SessionEvent) -> None:
        """Give an event to every subscriber of a session and remember it."""
        channel = self._channel(session_id)
        chars = _chars_of(event)
        _remember(channel, event, chars)
        self._forget_oldest(channel)
        for subscriber in channel.subscribers:
            self._hand_over(subscriber, event, chars)

    def missed(self, session_id: int, after_revision: int | None, revision: int) -> list[SessionEvent] | None:
        """Return the events after a revision, the reply and the summary in flight as one piece each; None where a snapshot is needed."""
        channel = self._channel(session_id)
        if after_revision is None or after_revision > revision or after_revision < channel.forgotten_revision:
            return None
        if channel.first_revision is not None and after_revision < channel.first_revision - 1:
            return None
        if channel.revision < revision and (after_revision < revision or not channel.remembered):
            return None  # this process has published nothing yet: what was under way in another one has ended, perhaps without a change
        later = [kept.event for kept in channel.remembered if kept.revision > after_revision or _may_be_news(kept, after_revision)]
        return [*later, *_as_one(channel.in_flight), *_progress_so_far(channel)]

    def under_way(self, session_id: int) -> list[SessionEvent]:
        """Return what a snapshot cannot say: the run and the compaction that have begun, reply and summary in flight as one piece each."""
        channel = self._channel(session_id)
        begun: list[SessionEvent | None] = [channel.run, *_as_one(channel.in_flight), channel.compaction, *_progress_so_far(channel)]
        return [event for event in begun if event is not None]

    @contextmanager
    def subscription(self, session_id: int) -> Iterator[AsyncIterator[SessionEvent]]:
        """Hear every event from now on: nothing that is published inside the block is missed."""
        channel = self._channel(session_id)
        subscriber = _Subscriber()
        channel.subscribers.add(subscriber)
        try:
            yield self._events(session_id, subscriber)
        finally:
            channel.subscribers.discard(subscriber)

    async def _events(self, session_id: int, subscriber: _Subscriber) -> AsyncIterator[SessionEvent]:
        """Yield events as they come. Raises SlowSubscriber when too many wait, NotFoundError when the session was deleted."""
        while True:
            await subscriber.has_news.wait()
            subscriber.has_news.clear()
            while subscriber.waiting:
                event, chars = subscriber.waiting.popleft()
                subscriber.waiting_chars -= chars
                yield event
            if subscriber.is_cut_off:
                raise SlowSubscriber(f"session {session_id}: too many events wait unread; reconnect")
            if subscriber.is_forgotten:
                raise NotFoundError(f"Session {session_id} was deleted; choose another one")

    def forget(self, session_id: int) -> None:
        """Drop what is remembered of a deleted session; who still listens is told that it is gone."""
        channel = self._channels.pop(session_id, None)
        for subscriber in channel.subscribers if channel else ():
            subscriber.is_forgotten = True
            subscriber.has_news.set()

    def _hand_over(self, subscriber: _Subscriber, event: SessionEvent, chars: int) -> None:
        """A single event always passes, however large; what counts is what waits unread."""
        is_full = len(subscriber.waiting) >= self._limits.waiting_events
        if subscriber.waiting and (is_full or subscriber.waiting_chars + chars > self._limits.waiting_chars):
            subscriber.is_cut_off = True
            subscriber.waiting.clear()
            subscriber.waiting_chars = 0
        elif not subscriber.is_cut_off:
            subscriber.waiting.append((event, chars))
            subscriber.waiting_chars += chars
        subscriber.has_news.set()

    def _forget_oldest(self, channel: _Channel) -> None:
        limits = self._limits
        while len(channel.remembered) > limits.remembered_events or channel.remembered_chars > limits.remembered_chars:
            gone = channel.remembered.popleft()
            channel.remembered_chars -= gone.chars
            # Whoever stands at the revision of a change has had it; of the other events at that revision one cannot know.
            needed = gone.revision if isinstance(gone.event, TreePatch) else gone.revision + 1
            channel.forgotten_revision = max(channel.forgotten_revision, needed)

    def _channel(self, session_id: int) -> _Channel:
        if session_id not in self._channels:
            self._channels[session_id] = _Channel()
        return self._channels[session_id]


def _note_what_is_under_way(channel: _Channel, event: SessionEvent) -> None:
    match event:
        case RunStart():
            channel.run = event
        case RunEnd():
            channel.run = None
        case CompactionStart():
            channel.compaction = event
        case CompactionProgress():
            _note_progress(channel, event)
        case CompactionDone() | CompactionFailed():
            channel.compaction = channel.stage = None
            channel.summary.clear()


def _note_progress(channel: _Channel, event: CompactionProgress) -> None:
    if event.restart:
        channel.summary.clear()
    if event.text is not None:
        channel.summary.append(event.text)
    elif not event.restart:
        channel.stage = event


def _remember(channel: _Channel, event: SessionEvent, chars: int) -> None:
    _note_what_is_under_way(channel, event)
    if isinstance(event, Delta):
        channel.in_flight.append(event)
        return
    if isinstance(event, CompactionProgress):
        return
    if isinstance(event, TreePatch):
        if channel.first_revision is None:
            _stand_before(channel, event.revision)
        channel.revision = event.revision
        channel.in_flight.clear()
    elif isinstance(event, RunStart | RunEnd):
        channel.in_flight.clear()
    channel.remembered.append(_Remembered(channel.revision, event, chars))
    channel.remembered_chars += chars


def _stand_before(channel: _Channel, first_revision: int) -> None:
    """What was told before the first tree change belongs to those who stand right before it."""
    channel.first_revision = first_revision
    earlier = [_Remembered(first_revision - 1, kept.event, kept.chars) for kept in channel.remembered]
    channel.remembered.clear()
    channel.remembered.extend(earlier)


def _may_be_news(kept: _Remembered, after_revision: int) -> bool:
    """Events that do not change the tree carry no revision of their own; hearing one twice changes nothing."""
    return kept.revision == after_revision and not isinstance(kept.event, TreePatch)


def _chars_of(event: SessionEvent) -> int:
    """Return about how long an event is, without writing it out: its texts and a little for the rest."""
    return sum(_length(getattr(event, name)) for name in type(event).model_fields)


def _length(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(_FRAME_CHARS + _length(item) for item in value.values())
    if isinstance(value, list | tuple):
        return sum(map(_length, value))
    return _FRAME_CHARS


_FRAME_CHARS = 8
"""Of a number, or of a field's name."""


def _progress_so_far(channel: _Channel) -> list[CompactionProgress]:
    """The summary so far, in place of what the browser may have read of it before, then the stage."""
    stage = channel.stage
    if stage is None:
        return []
    whole = CompactionProgress(session_id=stage.session_id, stage=stage.stage, text="".join(channel.summary), restart=True)
    return [whole, stage]


def _as_one(pieces: list[Delta]) -> list[Delta]:
    """Text and thinking in one piece, then each tool call in one."""
    if not pieces:
        return []
    text = "".join(piece.text or "" for piece in pieces)
    thinking = "".join(piece.thinking or "" for piece in pieces)
    last = pieces[-1]
    whole = Delta(session_id=last.session_id, run_id=last.run_id, text=text or None, thinking=thinking or None)
    calls = [Delta(session_id=last.session_id, run_id=last.run_id, tool_call=call) for call in _whole_calls(pieces)]
    return [whole, *calls] if text or thinking else calls


def _whole_calls(pieces: list[Delta]) -> list[dict[str, Any]]:
    calls: dict[int, dict[str, Any]] = {}
    for piece in pieces:
        if piece.tool_call is None:
            continue
        number = piece.tool_call["number"]
        call = calls.setdefault(number, {"number": number, "name": None, "arguments": ""})
        call["name"] = call["name"] or piece.tool_call.get("name")
        call["arguments"] += piece.tool_call.get("arguments") or ""
    return list(calls.values())
