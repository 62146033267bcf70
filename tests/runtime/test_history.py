"""What one reads of a session after a long life: every kind of entry is as the schemas say, and the compacted view is the next request."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from netaclaw.domain.entries import CompactionPayload
from netaclaw.domain.events import TreePatch
from netaclaw.domain.messages import ToolCall, Usage
from netaclaw.errors import ProviderRejectedError
from netaclaw.gateway.entry_schemas import EntryFrame, HistoryPage, NextRequest
from netaclaw.providers.scripted import Fails, Says
from tests.runtime.house import SUMMARY, House, open_house

_FRAME: TypeAdapter[EntryFrame] = TypeAdapter(EntryFrame)
_FILE = "notes.txt"


def read(number: int) -> Says:
    return Says("Let me look.", (ToolCall(f"read-{number}", "read_file", json.dumps({"path": _FILE, "offset": number})),), "hm", "signed==")


def plan(number: int) -> Says:
    tasks = [{"text": f"Task {number}.{step}: " + "look into the matter " * 20, "status": "pending"} for step in range(4)]
    return Says("I plan.", (ToolCall(f"plan-{number}", "todo", json.dumps({"items": tasks})),))


async def work(house: House, turns: int, first: int = 0) -> None:
    for number in range(first, first + turns):
        house.chat.steps += [read(number), plan(number), f"Step {number} is done."]
        await house.say(f"{number}: please go on")


async def live(house: House, folder: Path) -> None:
    """Tools, a prune, a failure, a stopped reply, two compactions, one of them taken back."""
    (folder / _FILE).write_text("\n".join(f"Line {number} of the notes says something." for number in range(400)), "utf-8")
    await house.set_agent(tools=("read_file", "todo"), workspace=str(folder))
    house.chat.steps.append(Says("Good morning.", usage=Usage(900, 80)))
    await house.say("Good morning")
    await work(house, 6)
    house.chat.steps.append(Fails(ProviderRejectedError("401")))
    await house.say("and now?")
    house.chat.steps.append(Says("Half of a sentence that is stopped", gate_in_the_middle=asyncio.Event()))
    await house.runtime.chat(house.session_id, "once more", (), None, "stopped")
    while house.types("delta", "run_start")[-1] != "delta":
        await asyncio.sleep(0.01)
    await house.runtime.stop(house.session_id)
    await house.compact("the notes")
    await work(house, 2, first=6)
    await house.compact()
    newest = [entry.id for entry in await house.path() if isinstance(entry.payload, CompactionPayload)][-1]
    await house.runtime.undo_compaction(house.session_id, newest)


def written(frame: EntryFrame) -> dict[str, Any]:
    described: dict[str, Any] = _FRAME.dump_python(frame, by_alias=True, exclude_unset=True)
    return described


async def test_all_that_is_told_of_a_long_life_is_as_the_schemas_say(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY, f"{SUMMARY}\n2"], window_tokens=60_000) as house:
        await live(house, tmp_path)
        pages = [await house.runtime.history(house.session_id, view, None, 500) for view in ("full", "compacted")]
        patches = [event.appended for event in house.events if isinstance(event, TreePatch)]
        async with aclosing(house.runtime.subscribe(house.session_id, None)) as events:
            snapshot = (await anext(events)).wire()
        frames = [
            *pages[0]["messages"],
            *pages[1]["messages"],
            *snapshot["visibleEntries"],
            *(entry for patch in patches for entry in patch),
        ]

        assert [written(_FRAME.validate_python(frame)) for frame in frames] == frames
        assert {frame["type"] for frame in frames} == {"message", "compaction", "compaction_undo", "notice", "todo"}
        assert any(frame["payload"].get("isInterrupted") for frame in frames)
        for page in pages:
            assert HistoryPage.model_validate(page).model_dump(by_alias=True, exclude_unset=True) == page
        request = await house.runtime.next_request(house.session_id)
        assert NextRequest.model_validate(request).model_dump(by_alias=True, exclude_unset=True, mode="json") == request


async def test_a_compaction_keeps_its_figures_for_the_page_in_both_views(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY], window_tokens=60_000) as house:
        (tmp_path / _FILE).write_text("Line\n" * 400, "utf-8")
        await house.set_agent(tools=("read_file", "todo"), workspace=str(tmp_path))
        await work(house, 8)
        await house.compact("the notes")
        for view in ("full", "compacted"):
            page = await house.runtime.history(house.session_id, view, None, 500)
            [frame] = [frame for frame in page["messages"] if frame["type"] == "compaction"]
            payload, details = frame["payload"], frame["payload"]["details"]
            assert payload["tokensBefore"] > payload["tokensAfter"] > 0
            assert payload["firstKeptEntryId"] in [entry["id"] for entry in page["messages"]]
            assert details["trigger"] == "manual"
            assert (details["channel"], details["model"], details["focus"]) == ("auxiliary", "scripted", "the notes")
            assert details["settings"]["fallbackUsed"] is False
            assert details["removedCount"] > 0
            assert details["durationMs"] >= 0
            assert details["audit"].keys() == {"checked", "missing", "repaired"}


def shown_by_page(frames: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield results and arguments as the page shows them in the compacted view."""
    for frame in frames:
        if frame["type"] != "message":
            continue
        message = frame["payload"]["message"]
        if message["role"] == "tool":
            yield message["toolCallId"], frame.get("replacement") or "".join(part["text"] for part in message["parts"])
        calls = [part for part in message["parts"] if part["type"] == "tool_call"]
        for number, call in enumerate(calls):
            yield f"arguments of {call['id']}", frame.get("shortenedArguments", {}).get(str(number), call["arguments"])


def sent_to_model(messages: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for message in messages:
        if message["role"] == "tool":
            yield message["tool_call_id"], message["content"]
        for call in message.get("tool_calls") or ():
            yield f"arguments of {call['id']}", call["arguments"]


async def test_the_compacted_view_shows_tools_as_the_next_request_carries_them(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY] * 3, window_tokens=20_000) as house:
        (tmp_path / _FILE).write_text("\n".join(f"Line {number} of the notes says something." for number in range(300)), "utf-8")
        await house.set_agent(tools=("read_file", "todo"), workspace=str(tmp_path))
        for turns in range(1, 12):
            await work(house, 1, first=turns)
            page = await house.runtime.history(house.session_id, "compacted", None, 500)
            snapshot = await house.runtime.snapshot(house.session_id)
            request = await house.runtime.next_request(house.session_id)
            assert list(shown_by_page(page["messages"])) == list(sent_to_model(request["messages"]))
            assert snapshot.visible_entries == page["messages"]
        full = await house.runtime.history(house.session_id, "full", None, 500)
        assert any("replacement" in frame for frame in page["messages"])
        assert any("shortenedArguments" in frame for frame in page["messages"])
        assert not any("replacement" in frame or "shortenedArguments" in frame for frame in full["messages"])
