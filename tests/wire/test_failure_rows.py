"""The rows of the failure table (DESIGN section 5) and of the first spec's sections 9 and 10 that need a model that behaves as told."""

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from netaclaw.domain.entries import CompactionPayload, MessagePayload, ModelChangePayload, NoticePayload
from netaclaw.domain.events import CompactionDone, CompactionFailed, CompactionStart, RunEnd, TokenUpdate
from netaclaw.domain.messages import ToolCall, Usage
from netaclaw.errors import NotFoundError, ProviderAuthError, StoreError
from netaclaw.providers.scripted import Fails, Says
from tests.runtime.house import SUMMARY, House, open_house
from tests.runtime.test_compaction_rules import reasons
from tests.runtime.test_conversation import LONG, grow


def assert_starts_and_ends_match(house: House) -> None:
    for start, *ends in (("run_start", "run_end"), ("compaction_start", "compaction_done", "compaction_failed")):
        kinds = house.types(start, *ends)
        assert kinds[::2] == [start] * (len(kinds) // 2)
        assert len(kinds) % 2 == 0
        assert start not in kinds[1::2]
    metrics = house.parts.metrics.text().decode()
    assert "netaclaw_active_runs 0.0" in metrics


def run_ends(house: House) -> list[tuple[str, str | None]]:
    return [(event.state, event.reason) for event in house.events if isinstance(event, RunEnd)]


async def said(house: House) -> list[str]:
    return [entry.payload.message.text for entry in await house.path() if isinstance(entry.payload, MessagePayload)]


@contextmanager
def refusing(folder: Path, what: str) -> Iterator[None]:
    """Let the database refuse inserts that fit `what`, as a full disk would."""
    with closing(sqlite3.connect(folder / "netaclaw.db", isolation_level=None, timeout=10)) as database:
        database.execute(f"CREATE TRIGGER refused BEFORE INSERT ON {what} BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
        try:
            yield
        finally:
            database.execute("DROP TRIGGER refused")


async def test_an_auxiliary_model_that_is_silent_is_a_timeout_after_three_tries(tmp_path: Path) -> None:
    silent = Says(SUMMARY, gate=asyncio.Event())
    async with open_house(tmp_path, [], [silent] * 3, window_tokens=200_000, summary_seconds=0.05) as house:
        await grow(house, 8)
        await house.compact()

        assert reasons(house) == ["auxiliary_timeout"]
        assert len(house.auxiliary.requests) == 3
        assert house.auxiliary.cancelled_count == 3
        await grow(house, 1)
        assert_starts_and_ends_match(house)


async def test_the_main_model_steps_in_where_the_agent_allows_it_and_the_entry_says_so(tmp_path: Path) -> None:
    refused = Fails(ProviderAuthError("401; check the key", status=401))
    async with open_house(tmp_path, [], [refused, refused], window_tokens=200_000) as house:
        await grow(house, 8)
        await house.compact()
        assert reasons(house) == ["auxiliary_auth"]
        await house.set_agent(use_main_model_when_auxiliary_fails=True)
        house.chat.steps.append(SUMMARY)
        await house.compact()

        [entry] = [entry.payload for entry in await house.path() if isinstance(entry.payload, CompactionPayload)]
        assert (entry.channel, entry.settings["fallbackUsed"]) == ("chat", True)
        assert_starts_and_ends_match(house)


async def test_a_main_model_that_fails_too_is_one_failure(tmp_path: Path) -> None:
    refused = Fails(ProviderAuthError("401; check the key", status=401))
    async with open_house(tmp_path, [], [refused], window_tokens=200_000) as house:
        await grow(house, 8)
        await house.set_agent(use_main_model_when_auxiliary_fails=True)
        house.chat.steps.append(refused)
        await house.compact()

        assert reasons(house) == ["auxiliary_auth"]
        assert_starts_and_ends_match(house)


async def test_a_compaction_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY, SUMMARY], window_tokens=200_000) as house:
        await grow(house, 8)
        before = await house.path()
        with refusing(tmp_path, "entry WHEN NEW.type = 'compaction'"):
            await house.compact()

        assert reasons(house) == ["storage_error"]
        path = await house.path()
        assert path[:-1] == before
        assert isinstance(path[-1].payload, NoticePayload)
        await house.compact()
        assert house.types("compaction_done") == ["compaction_done"]
        assert_starts_and_ends_match(house)


async def test_a_failure_that_cannot_even_be_noted_is_told_once(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY, "too short", "too short"], window_tokens=200_000) as house:
        await grow(house, 8)
        before = await house.path()
        with refusing(tmp_path, "entry"):
            await house.compact()
            await house.compact()
        assert reasons(house) == ["storage_error", "short_summary"]
        assert await house.path() == before
        with refusing(tmp_path, "run"):
            await house.compact()
        assert reasons(house)[2:] == ["storage_error"]
        await grow(house, 1)
        assert_starts_and_ends_match(house)


async def test_an_automatic_compaction_that_cannot_be_written_does_not_end_the_conversation(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY] * 3, window_tokens=12_000) as house:
        with refusing(tmp_path, "entry WHEN NEW.type = 'compaction'"):
            await grow(house, 12)

        assert reasons(house) == ["storage_error"]
        assert run_ends(house) == [("done", "stop")] * 12
        assert_starts_and_ends_match(house)


async def test_a_message_that_cannot_be_stored_waits_and_is_sent_once_the_database_writes_again(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["eins", "zwei"]) as house:
        with refusing(tmp_path, "entry"):
            await house.say("erste Nachricht")
        assert run_ends(house) == [("failed", "storage_error")]
        assert [message.text for message in (await house.runtime.snapshot(house.session_id)).queue] == ["erste Nachricht"]
        await house.say("zweite Nachricht")

        assert await said(house) == ["erste Nachricht", "eins", "zweite Nachricht", "zwei"]
        assert_starts_and_ends_match(house)


async def test_a_message_under_an_entry_that_does_not_exist_fails_and_blocks_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["da"]) as house:
        await house.runtime.chat(house.session_id, "ins Leere", (), 999, "x")
        await house.idle()
        await house.say("hallo")

        assert run_ends(house) == [("failed", "not_found"), ("done", "stop")]
        assert await said(house) == ["hallo", "da"]
        assert_starts_and_ends_match(house)


async def test_a_leaf_that_moved_to_another_branch_makes_the_compaction_stale(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with open_house(tmp_path, [], [Says(SUMMARY, gate=gate)], window_tokens=200_000) as house:
        await grow(house, 8)
        path = await house.path()
        await house.runtime.compact(house.session_id, None, None, "c")
        await asyncio.sleep(0.1)
        await house.parts.sessions.set_active_leaf(house.session_id, path[-1].id, path[3].id)  # as another process would
        gate.set()
        await house.idle()

        assert reasons(house) == ["stale"]
        assert not any(isinstance(entry.payload, CompactionPayload) for entry in await house.path())
        await grow(house, 1)
        assert_starts_and_ends_match(house)


async def test_what_is_appended_meanwhile_stays_in_the_tail_and_the_compaction_is_committed(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with open_house(tmp_path, [], [Says(SUMMARY, gate=gate)], window_tokens=200_000) as house:
        await grow(house, 8)
        leaf = (await house.path())[-1].id
        await house.runtime.compact(house.session_id, None, None, "c")
        await asyncio.sleep(0.1)
        await house.parts.sessions.append(house.session_id, leaf, NoticePayload("note", "a note"))
        gate.set()
        await house.idle()

        assert house.types("compaction_done") == ["compaction_done"]
        assert [entry.payload.type for entry in (await house.path())[-2:]] == ["notice", "compaction"]


async def test_a_run_that_is_stopped_during_its_compaction_cancels_both(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with open_house(tmp_path, [], [Says(SUMMARY, gate=gate)], window_tokens=12_000) as house:
        for number in range(20):
            house.chat.steps.append(f"第 {number} 步已完成。" * 40)
            await house.runtime.chat(house.session_id, f"{number}: {LONG}", (), None, f"n{number}")
            while (state := (await house.runtime.snapshot(house.session_id)).state) == "running":
                await asyncio.sleep(0.01)
            if state == "compacting":
                break
        while not house.auxiliary.requests:
            await asyncio.sleep(0.01)
        assert (await house.runtime.stop(house.session_id))["stopped"]
        await house.idle()

        assert reasons(house) == ["cancelled"]
        assert run_ends(house)[-1] == ("cancelled", "stopped")
        assert house.auxiliary.cancelled_count == 1
        assert not any(isinstance(entry.payload, CompactionPayload) for entry in await house.path())
        house.auxiliary.steps.append(SUMMARY)
        await house.say("weiter")
        assert run_ends(house)[-1] == ("done", "stop")
        assert house.types("compaction_done") == ["compaction_done"]
        assert_starts_and_ends_match(house)


async def test_a_cancellation_at_any_moment_of_a_compaction_has_one_end_that_is_true(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [Says(SUMMARY, delay_seconds=0.0005) for _ in range(40)], window_tokens=200_000) as house:
        await grow(house, 8)
        for number in range(12):
            await house.runtime.compact(house.session_id, None, None, f"c{number}")
            await asyncio.sleep(0.012 * number)
            await house.runtime.cancel_compaction(house.session_id)
            await house.idle()
            await grow(house, 1)

        done = {event.summary_message_id for event in house.events if isinstance(event, CompactionDone)}
        stored = {entry.id for entry in await house.path() if isinstance(entry.payload, CompactionPayload)}
        assert done == stored
        assert_starts_and_ends_match(house)
        assert await house.runtime_parts.runs.running(house.session_id) == ()


async def test_one_huge_message_is_said_to_be_too_large_without_a_summary_call_and_still_sent(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["gelesen", "gern"], window_tokens=20_000) as house:
        await house.say("wort und noch ein wort, bitte prüfen. " * 1_700)

        assert reasons(house) == ["message_too_large"]
        assert "split" in next(event.error for event in house.events if isinstance(event, CompactionFailed))
        assert house.auxiliary.requests == []
        assert run_ends(house) == [("done", "stop")]
        assert_starts_and_ends_match(house)


async def test_what_does_not_fit_the_window_after_all_ends_the_run_with_the_choices_and_a_branch_goes_on(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["da", "kurz"], window_tokens=8_000) as house:
        await house.say("hallo")
        last_good = (await house.path())[-1].id
        await house.say("wort und noch ein wort, bitte prüfen. " * 1_500)

        end = [event for event in house.events if isinstance(event, RunEnd)][-1]
        assert (end.state, end.reason) == ("failed", "message_too_large")
        assert all(choice in (end.error or "") for choice in ("larger model", "new session", "earlier point"))
        assert len(house.chat.requests) == 1
        await house.runtime.chat(house.session_id, "kürzer", (), last_good, "branch")
        await house.idle()
        assert run_ends(house)[-1] == ("done", "stop")
        assert await said(house) == ["hallo", "da", "kürzer", "kurz"]
        assert_starts_and_ends_match(house)


async def test_a_system_prompt_that_is_too_large_says_by_how_much_and_a_shorter_one_goes_on(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["da"], window_tokens=8_000) as house:
        await house.set_agent(prompt="Regel. " * 9_000)
        await house.say("hallo")
        end = next(event for event in house.events if isinstance(event, RunEnd))
        assert (end.state, end.reason) == ("failed", "system_prompt_too_large")
        assert any(word.isdigit() for word in (end.error or "").split())
        assert house.types("compaction_start") == []

        await house.set_agent(prompt="Regel.")
        await house.say("noch da?")
        assert run_ends(house)[-1] == ("done", "stop")


async def test_a_smaller_window_is_compacted_before_the_first_request_to_it(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY], window_tokens=200_000) as house:
        for number in range(10):
            house.chat.steps.append(Says(f"第 {number} 步已完成。" * 40, usage=Usage(1_200 * (number + 1), 300)))
            await house.say(f"{number}: {LONG}")
        state = await house.runtime_parts.states.get(house.session_id)
        await house.runtime_parts.states.put(replace(state, strikes=2, blocked_reason="ineffective"))
        smaller = replace(house.chat_channel, id=0, name="small", model="small", window_tokens=10_000)
        added = await house.parts.configuration.add_channel(smaller)
        await house.set_agent(channel_id=added.id)
        sent = len(house.chat.requests)
        house.chat.steps.append("passt")
        await house.say("weiter")

        starts = [event for event in house.events if isinstance(event, CompactionStart)]
        assert [(event.reason, event.trigger) for event in starts] == [("auto", "model_switch")]
        assert house.types("compaction_done") == ["compaction_done"]
        assert len(house.chat.requests) == sent + 1
        assert "[CONTEXT COMPACTION]" in " ".join(message.text for message in house.chat.requests[-1].messages)
        changes = [entry.payload for entry in await house.path() if isinstance(entry.payload, ModelChangePayload)]
        assert changes == [ModelChangePayload(added.id, "small")]
        house.chat.steps.append("noch da")
        await house.say("und weiter")
        assert len([entry for entry in await house.path() if isinstance(entry.payload, ModelChangePayload)]) == 1
        assert_starts_and_ends_match(house)


async def test_a_key_that_cannot_be_opened_fails_the_run_and_a_new_key_goes_on(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["da"]) as house:
        other_key = os.urandom(60)
        await house.parts.store.channels.set_encrypted_key(house.chat_channel.id, b"\x01" + other_key)
        await house.say("hallo")

        end = next(event for event in house.events if isinstance(event, RunEnd))
        assert (end.state, end.reason) == ("failed", "no_channel")
        assert "master key" in (end.error or "")
        assert await said(house) == ["hallo"]
        assert (await house.runtime.snapshot(house.session_id)).state == "idle"
        await house.parts.configuration.set_key(house.chat_channel.id, "sk-new")
        await house.say("und jetzt")
        assert await said(house) == ["hallo", "und jetzt", "da"]
        assert_starts_and_ends_match(house)


async def test_an_auxiliary_key_that_cannot_be_opened_fails_the_compaction_only(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], window_tokens=200_000) as house:
        await grow(house, 8)
        await house.parts.store.channels.set_encrypted_key(house.auxiliary_channel.id, b"\x01" + os.urandom(60))
        await house.compact()

        assert reasons(house) == ["auxiliary_unavailable"]
        await grow(house, 1)
        assert_starts_and_ends_match(house)


async def test_a_fault_of_ours_in_a_run_ends_it_and_the_next_message_works(tmp_path: Path) -> None:
    async with open_house(tmp_path, []) as house:
        await house.say("das Skript ist leer")  # the scripted provider raises an AssertionError
        house.chat.steps.append("da")
        await house.say("und jetzt")

        assert run_ends(house) == [("failed", "internal_error"), ("done", "stop")]
        assert_starts_and_ends_match(house)


async def test_what_a_dead_process_left_running_gets_its_end_and_a_notice(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["da"]) as house:
        await house.say("hello")
        await house.runtime_parts.runs.start(house.session_id, "agent", {"commandId": 1})
        await house.runtime_parts.runs.start(house.session_id, "compaction", {"trigger": "auto"})
        revision = (await house.parts.sessions.get_session(house.session_id)).revision

    async with open_house(tmp_path, ["wieder da"]) as house:
        assert await house.runtime_parts.runs.running(house.session_id) == ()
        notices = [
            (entry.payload.system_type, entry.payload.reason) for entry in await house.path() if isinstance(entry.payload, NoticePayload)
        ]
        assert notices == [("run_event", "interrupted"), ("compaction_event", "cancelled")]
        events = house.runtime.subscribe(house.session_id, revision)
        first = await anext(events)
        await events.aclose()
        assert (first.type, getattr(first, "state", None)) == ("session_snapshot", "idle")
        await house.say("weiter")
        assert run_ends(house) == [("done", "stop")]
    async with open_house(tmp_path, []) as house:
        assert len([entry for entry in await house.path() if isinstance(entry.payload, NoticePayload)]) == 2


async def test_usage_of_the_provider_is_in_every_size_after_a_reply(tmp_path: Path) -> None:
    call = ToolCall("c1", "todo", "{}")
    async with open_house(tmp_path, [Says("", calls=(call,), usage=Usage(900, 20)), Says("fertig", usage=Usage(950, 10))]) as house:
        await house.set_agent(tools=("todo",))
        await house.say("los")

        last = [event for event in house.events if isinstance(event, TokenUpdate)][-1]
        assert (last.current.api_calls, last.context.source, last.context.used_tokens) == (2, "provider", 960)


async def test_a_session_that_is_deleted_while_it_answers_is_gone_with_its_queue(tmp_path: Path) -> None:
    async with open_house(tmp_path, [Says("eine lange Antwort", gate_in_the_middle=asyncio.Event()), "nie"]) as house:
        await house.runtime.chat(house.session_id, "eins", (), None, "a")
        await asyncio.sleep(0.1)
        await house.runtime.chat(house.session_id, "zwei", (), None, "b")
        await house.runtime.delete(house.session_id)

        assert len(house.chat.requests) == 1
        assert house.chat.cancelled_count == 1
        with pytest.raises(NotFoundError):
            await house.runtime.chat(house.session_id, "drei", (), None, "c")
        with pytest.raises(NotFoundError):
            await house.runtime.delete(house.session_id)
        assert_starts_and_ends_match(house)


async def test_a_session_that_cannot_be_deleted_goes_on(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["eins", "zwei"]) as house:
        await house.say("erste")
        with closing(sqlite3.connect(tmp_path / "netaclaw.db", isolation_level=None, timeout=10)) as database:
            database.execute("CREATE TRIGGER kept BEFORE UPDATE OF deleting_at ON session BEGIN SELECT RAISE(ABORT, 'no'); END")
            with pytest.raises(StoreError):
                await house.runtime.delete(house.session_id)
            database.execute("DROP TRIGGER kept")
        await house.say("zweite")

        assert await said(house) == ["erste", "eins", "zweite", "zwei"]
