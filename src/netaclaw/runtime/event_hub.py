"""Events to every browser on a session: live, and what one missed since its last revision.

A revision counts the changes of a session's tree. A browser that comes back with its last revision is given the events since
then if they are still remembered; pieces of a reply in flight are given as one. A slow browser is cut off, never the run.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from netaclaw.domain.events import CompactionProgress, Delta, RunEnd, RunStart, SessionEvent, TreePatch
from netaclaw.errors import SlowSubscriber

REMEMBERED_EVENTS = 500
WAITING_EVENTS = 2_000


@dataclass(eq=False, slots=True)
class _Subscriber:
    waiting: deque[SessionEvent] = field(default_factory=deque)
    has_news: asyncio.Event = field(default_factory=asyncio.Event)
    is_cut_off: bool = False


@dataclass(slots=True)
class _Channel:
    """What one session's browsers hear."""

    subscribers: set[_Subscriber] = field(default_factory=set)
    remembered: deque[tuple[int, SessionEvent]] = field(default_factory=lambda: deque(maxlen=REMEMBERED_EVENTS))
    forgotten_revision: int = -1
    """Events up to this revision may be gone."""
    revision: int = -1
    """Of the newest tree change that was published."""
    in_flight: list[Delta] = field(default_factory=list)
    """Pieces of the reply that is being written."""


class EventHub:
    """One process's events. `publish` never waits; a subscriber that does not read loses its place."""

    def __init__(self, remembered_events: int = REMEMBERED_EVENTS, waiting_events: int = WAITING_EVENTS) -> None:
        self._remembered_events = remembered_events
        self._waiting_events = waiting_events
        self._channels: dict[int, _Channel] = {}

    def publish(self, session_id: int, event: SessionEvent) -> None:
        """Give an event to every subscriber of a session and remember it."""
        channel = self._channel(session_id)
        _remember(channel, event)
        for subscriber in channel.subscribers:
            if len(subscriber.waiting) >= self._waiting_events:
                subscriber.is_cut_off = True
                subscriber.waiting.clear()
            else:
                subscriber.waiting.append(event)
            subscriber.has_news.set()

    def missed(self, session_id: int, after_revision: int | None, revision: int) -> list[SessionEvent] | None:
        """Return the events after a revision, the reply in flight as one piece; None where a snapshot is needed instead."""
        channel = self._channel(session_id)
        if after_revision is None or after_revision > revision or after_revision < channel.forgotten_revision:
            return None
        if after_revision < revision and channel.revision < revision:
            return None  # changes were made before this process published anything
        later = [event for stamp, event in channel.remembered if stamp > after_revision or _may_be_news(stamp, event, after_revision)]
        return [*later, *_as_one(channel.in_flight)]

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
        """Yield events as they come. Raises SlowSubscriber when too many wait."""
        while True:
            await subscriber.has_news.wait()
            subscriber.has_news.clear()
            while subscriber.waiting:
                yield subscriber.waiting.popleft()
            if subscriber.is_cut_off:
                raise SlowSubscriber(f"session {session_id}: {self._waiting_events} events wait unread; reconnect")

    def forget(self, session_id: int) -> None:
        """Drop what is remembered of a deleted session."""
        self._channels.pop(session_id, None)

    def _channel(self, session_id: int) -> _Channel:
        if session_id not in self._channels:
            self._channels[session_id] = _Channel(remembered=deque(maxlen=self._remembered_events))
        return self._channels[session_id]


def _remember(channel: _Channel, event: SessionEvent) -> None:
    if isinstance(event, Delta):
        channel.in_flight.append(event)
        return
    if isinstance(event, CompactionProgress):
        return
    if isinstance(event, TreePatch):
        channel.revision = event.revision
        channel.in_flight.clear()
    elif isinstance(event, RunStart | RunEnd):
        channel.in_flight.clear()
    if len(channel.remembered) == channel.remembered.maxlen:
        channel.forgotten_revision = channel.remembered[0][0]
    channel.remembered.append((channel.revision, event))


def _may_be_news(stamp: int, event: SessionEvent, after_revision: int) -> bool:
    """Events that do not change the tree carry no revision of their own; hearing one twice changes nothing."""
    return stamp == after_revision and not isinstance(event, TreePatch)


def _as_one(pieces: list[Delta]) -> list[Delta]:
    if not pieces:
        return []
    text = "".join(piece.text or "" for piece in pieces)
    thinking = "".join(piece.thinking or "" for piece in pieces)
    last = pieces[-1]
    return [Delta(session_id=last.session_id, run_id=last.run_id, text=text or None, thinking=thinking or None)]
