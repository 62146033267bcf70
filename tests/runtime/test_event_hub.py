"""Events reach everyone, late ones get what they missed, slow ones are cut off."""

import pytest

from netaclaw.domain.events import (
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
from netaclaw.runtime.event_hub import EventHub, HubLimits


def patch(revision: int) -> TreePatch:
    return TreePatch(session_id=1, revision=revision, appended=[], active_leaf_id=None)


def delta(text: str) -> Delta:
    return Delta(session_id=1, run_id=1, text=text)


def progress(stage: str = "summarise", done: int = 0, text: str | None = None, restart: bool | None = None) -> CompactionProgress:
    return CompactionProgress(session_id=1, stage=stage, done=done, text=text, restart=restart)


async def test_two_browsers_hear_the_same_and_another_session_does_not() -> None:
    hub = EventHub()
    with hub.subscription(1) as first, hub.subscription(1) as second, hub.subscription(2) as other:
        for event in (patch(1), delta("a"), patch(2)):
            hub.publish(1, event)
        hub.publish(2, TreePatch(session_id=2, revision=1, appended=[], active_leaf_id=None))

        heard = [[await anext(one) for _ in range(3)] for one in (first, second)]
        assert heard[0] == heard[1] == [patch(1), delta("a"), patch(2)]
        assert (await anext(other)).session_id == 2


def test_one_that_comes_back_gets_what_came_after_its_revision_and_the_reply_in_flight_as_one() -> None:
    hub = EventHub()
    start = RunStart(session_id=1, run_id=1)
    for event in (patch(1), patch(2), start, delta("half "), delta("a reply")):
        hub.publish(1, event)

    assert hub.missed(1, 1, 2) == [patch(2), start, delta("half a reply")]
    assert hub.missed(1, 2, 2) == [start, delta("half a reply")]


def test_one_that_comes_during_a_compaction_gets_its_stage_and_the_summary_so_far() -> None:
    hub = EventHub()
    start = CompactionStart(session_id=1, reason="manual", trigger="manual")
    summarising = progress(done=40)
    for event in (patch(1), start, progress("read", 40), summarising, progress(text="void"), progress(restart=True), progress(text="Goal")):
        hub.publish(1, event)
    so_far = [progress(text="Goal", restart=True), summarising]

    assert hub.missed(1, 1, 1) == [start, *so_far]
    assert hub.under_way(1) == [start, *so_far]
    hub.publish(1, progress("audit"))
    assert hub.under_way(1)[1:] == [progress("audit", text="Goal", restart=True), progress("audit")]
    hub.publish(1, CompactionFailed(session_id=1, error="no", reason="short_summary"))
    assert hub.under_way(1) == []
    hub.publish(1, start)
    assert hub.under_way(1) == [start]


def test_what_is_forgotten_or_unknown_needs_a_snapshot() -> None:
    hub = EventHub(HubLimits(remembered_events=2))
    for revision in range(1, 6):
        hub.publish(1, patch(revision))

    assert hub.missed(1, 4, 5) == [patch(5)]
    assert hub.missed(1, 1, 5) is None
    assert hub.missed(1, None, 5) is None
    assert hub.missed(1, 9, 5) is None
    assert EventHub().missed(1, 3, 5) is None


def test_the_end_of_a_run_is_given_to_one_that_missed_it() -> None:
    hub = EventHub()
    end = RunEnd(session_id=1, run_id=1, state="done")
    for event in (patch(1), RunStart(session_id=1, run_id=1), patch(2), end):
        hub.publish(1, event)

    missed = hub.missed(1, 2, 2)
    assert missed is not None
    assert missed[-1] == end


async def test_a_slow_browser_is_cut_off_and_the_others_are_not() -> None:
    hub = EventHub(HubLimits(waiting_events=3))
    with hub.subscription(1) as slow, hub.subscription(1) as quick:
        heard: list[SessionEvent] = []
        for number in range(5):
            hub.publish(1, delta(str(number)))
            heard.append(await anext(quick))
        assert len(heard) == 5
        with pytest.raises(SlowSubscriber):
            async for _ in slow:
                pass


def test_large_events_are_remembered_up_to_a_number_of_characters() -> None:
    hub = EventHub(HubLimits(remembered_chars=10_000))
    for revision in range(1, 6):
        hub.publish(1, TreePatch(session_id=1, revision=revision, appended=[{"payload": {"text": "x" * 4_000}}], active_leaf_id=None))

    missed = hub.missed(1, 3, 5)
    assert missed is not None
    assert [event.revision for event in missed if isinstance(event, TreePatch)] == [4, 5]
    assert hub.missed(1, 2, 5) is None


def test_one_event_larger_than_all_that_is_remembered_leaves_a_snapshot() -> None:
    hub = EventHub(HubLimits(remembered_chars=1_000))
    hub.publish(1, patch(1))
    hub.publish(1, TreePatch(session_id=1, revision=2, appended=[{"text": "x" * 2_000}], active_leaf_id=None))

    assert hub.missed(1, 1, 2) is None
    assert hub.missed(1, 2, 2) == []


def test_a_forgotten_end_of_a_run_leaves_a_snapshot() -> None:
    hub = EventHub(HubLimits(remembered_events=1))
    for event in (patch(1), RunEnd(session_id=1, run_id=1, state="done"), RunStart(session_id=1, run_id=2)):
        hub.publish(1, event)

    assert hub.missed(1, 1, 1) is None


async def test_a_browser_that_leaves_large_events_unread_is_cut_off_but_one_large_event_passes() -> None:
    hub = EventHub(HubLimits(waiting_chars=1_000))
    large = TreePatch(session_id=1, revision=1, appended=[{"text": "x" * 2_000}], active_leaf_id=None)
    with hub.subscription(1) as events:
        hub.publish(1, large)
        assert await anext(events) == large
        hub.publish(1, large)
        hub.publish(1, large)
        with pytest.raises(SlowSubscriber):
            await anext(events)


async def test_who_listens_to_a_deleted_session_is_told() -> None:
    hub = EventHub()
    with hub.subscription(1) as events:
        hub.publish(1, patch(1))
        hub.forget(1)
        assert await anext(events) == patch(1)
        with pytest.raises(NotFoundError, match="was deleted"):
            await anext(events)
