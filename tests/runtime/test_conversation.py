"""A conversation from the first message over its compactions, on the real database."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from netaclaw.compaction import broken_rules
from netaclaw.domain.entries import CompactionPayload, MessagePayload, NoticePayload
from netaclaw.domain.events import CompactionDone, CompactionFailed, RunEnd
from netaclaw.domain.messages import ToolCall, Usage
from netaclaw.errors import CommandRefused, ContextOverflowError, ProviderBusyError
from netaclaw.providers.scripted import Fails, Says
from tests.runtime.house import SUMMARY, House, open_house

LONG = "请检查模块并说明原因。" * 60


async def grow(house: House, turns: int) -> None:
    for number in range(turns):
        house.chat.steps.append(f"第 {number} 步已完成。" * 40)
        await house.say(f"{number}: {LONG}")


async def test_a_message_is_answered_and_stored(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["你好，我在。"]) as house:
        await house.say("你好")

        said = [entry.payload.message.text for entry in await house.path() if isinstance(entry.payload, MessagePayload)]
        assert said == ["你好", "你好，我在。"]
        assert house.types("run_start", "run_end") == ["run_start", "run_end"]
        assert house.chat.requests[0].messages[0].text.startswith("你好\n<state>")


async def test_the_threshold_compacts_before_the_next_request_and_the_conversation_goes_on(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY, SUMMARY, SUMMARY]) as house:
        await grow(house, 16)

        kinds = house.types("compaction_start", "compaction_done", "compaction_failed")
        assert kinds[:2] == ["compaction_start", "compaction_done"]
        assert kinds.count("compaction_start") == kinds.count("compaction_done")
        assert house.types("run_end").count("run_end") == 16
        compactions = [entry for entry in await house.path() if isinstance(entry.payload, CompactionPayload)]
        assert compactions
        assert all(broken_rules(request.messages) == [] for request in house.chat.requests)
        carried = " ".join(message.text for message in house.chat.requests[-1].messages)
        assert carried.count("[CONTEXT COMPACTION]") == 1


async def test_forty_messages_compact_by_hand_and_the_compacted_view_is_shorter(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY], window_tokens=200_000) as house:
        await grow(house, 20)
        before = await house.runtime.history(house.session_id, "compacted", None, 500)

        await house.compact("订单号")

        after = await house.runtime.history(house.session_id, "compacted", None, 500)
        full = await house.runtime.history(house.session_id, "full", None, 500)
        assert len(before["messages"]) == 40
        assert len(after["messages"]) < 20
        assert len(full["messages"]) == 41
        assert sum(message["isCompactionSummary"] for message in full["messages"]) == 1
        assert sum(message["compactedIntoId"] is not None for message in full["messages"]) == 41 - len(after["messages"])
        done = next(event for event in house.events if isinstance(event, CompactionDone))
        assert done.removed_count == 41 - len(after["messages"])
        assert done.tokens_after < done.tokens_before
        assert "订单号" in house.auxiliary.requests[0].messages[0].text


async def test_the_second_compaction_is_given_the_first_summary(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [f"{SUMMARY}\n第一版", f"{SUMMARY}\n第二版"], window_tokens=200_000) as house:
        await grow(house, 8)
        await house.compact()
        await grow(house, 8)
        await house.compact()

        prompts = [request.messages[0].text for request in house.auxiliary.requests]
        assert prompts[0].startswith("为后续助手创建")
        assert prompts[1].startswith("你正在更新")
        assert "第一版" in prompts[1]
        governing = [entry.payload for entry in await house.path() if isinstance(entry.payload, CompactionPayload)]
        assert [payload.summary is not None and payload.summary.startswith("## 目标") for payload in governing] == [True, True]
        assert governing[1].previous_compaction_id is not None


async def test_the_compacted_view_is_what_the_next_request_carries_also_after_a_restart(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY], window_tokens=200_000) as house:
        await grow(house, 10)
        await house.compact()
        before = await house.runtime.next_request(house.session_id)

    async with open_house(tmp_path, ["weiter"], window_tokens=200_000) as house:
        assert await house.runtime.next_request(house.session_id) == before
        await house.say("继续")
        assert house.chat.requests[0].messages[: len(before["messages"]) - 1][0].text == before["messages"][0]["content"]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [("", "empty_summary"), ("zu kurz", "short_summary"), (Fails(ProviderBusyError("503")), "auxiliary_error")],
)
async def test_a_failed_compaction_changes_nothing_and_says_why(tmp_path: Path, reply: str | Fails, reason: str) -> None:
    async with open_house(tmp_path, [], [reply, reply, reply], window_tokens=200_000) as house:
        await grow(house, 8)
        request = await house.runtime.next_request(house.session_id)

        await house.compact()

        failed = [event for event in house.events if isinstance(event, CompactionFailed)]
        assert [event.reason for event in failed] == [reason]
        assert await house.runtime.next_request(house.session_id) | {"context": None} == request | {"context": None}
        notices = [entry.payload.reason for entry in await house.path() if isinstance(entry.payload, NoticePayload)]
        assert notices == [reason]
        await grow(house, 1)
        assert house.types("run_end")[-1] == "run_end"


async def test_without_an_auxiliary_channel_the_failure_says_where_to_set_it_in_the_language_of_the_conversation(tmp_path: Path) -> None:
    async with open_house(tmp_path, ["Yes."] * 4, window_tokens=200_000) as house:
        await house.set_agent(auxiliary_mode="inherit", auxiliary_model_channel_id=None)
        await house.parts.store.dictionary.set("netaclaw", "default_auxiliary_channel_id", str(house.auxiliary_channel.id))
        await house.parts.store.channels.update(replace(house.auxiliary_channel, is_auxiliary=False))
        for number in range(4):
            await house.say(f"Question {number}?")
        await house.compact()
        await house.parts.store.dictionary.set("netaclaw", "default_auxiliary_channel_id", None)
        await house.compact()
        house.session_id = (await house.parts.sessions.create_session("", house.agent.id)).id
        await grow(house, 4)
        await house.compact()

        english = [(event.reason, event.error) for event in house.events if isinstance(event, CompactionFailed)]
        chinese = [(entry.payload.reason, entry.payload.text) for entry in await house.path() if isinstance(entry.payload, NoticePayload)]
        assert english == [
            (
                "auxiliary_unavailable",
                "the channel 'auxiliary' may not write summaries; tick it as auxiliary, or choose another one in the system settings",
            ),
            ("no_auxiliary_model", "no auxiliary model is configured; set the default one in the system settings"),
        ]
        assert chinese == [("no_auxiliary_model", "未配置辅助模型：请在系统设置中选择默认辅助模型")]


async def test_an_overflow_answer_is_compacted_once_and_asked_again(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY], window_tokens=100_000) as house:
        await grow(house, 8)
        house.chat.steps += [Fails(ContextOverflowError("too long", status=400, limit_tokens=9_000)), "geschafft"]
        await house.say("noch etwas")

        assert house.types("compaction_start", "compaction_done") == ["compaction_start", "compaction_done"]
        ends = [event.state for event in house.events if isinstance(event, RunEnd)]
        assert ends[-1] == "done"


async def test_a_compaction_between_two_requests_of_one_run(tmp_path: Path) -> None:
    call = ToolCall("c1", "todo", "{}")
    async with open_house(tmp_path, [], [SUMMARY, SUMMARY], window_tokens=8_000) as house:
        await house.set_agent(tools=("todo",))
        await grow(house, 2)
        house.chat.steps += [Says("ich plane " * 900, calls=(call,), usage=Usage(3_000, 3_000)), "fertig"]
        await house.say("los")

        ends = [event.state for event in house.events if isinstance(event, RunEnd)]
        assert ends[-1] == "done"
        last_run = house.types("run_start", "compaction_start", "compaction_done", "compaction_failed", "run_end")
        assert last_run[-4:-1] != ["run_start"]
        assert all(broken_rules(request.messages) == [] for request in house.chat.requests)


async def test_a_queued_message_waits_is_edited_and_is_sent_after(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with open_house(tmp_path, [Says("erste", gate=gate), "zweite"]) as house:
        await house.runtime.chat(house.session_id, "eins", (), None, "a")
        await asyncio.sleep(0.05)
        taken = await house.runtime.chat(house.session_id, "zwei", (), None, "b")
        assert taken["queued"]
        assert await house.runtime.chat(house.session_id, "zwei", (), None, "b") == taken
        await house.runtime.edit_queued(house.session_id, taken["queueId"], "zwei, geändert")
        gate.set()
        await house.idle()

        said = [entry.payload.message.text for entry in await house.path() if isinstance(entry.payload, MessagePayload)]
        assert said == ["eins", "erste", "zwei, geändert", "zweite"]


async def test_stop_ends_the_run_and_keeps_what_arrived(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with open_house(tmp_path, [Says("ein langer Satz, der nie endet", gate_in_the_middle=gate), "weiter"]) as house:
        await house.runtime.chat(house.session_id, "los", (), None, "a")
        await asyncio.sleep(0.1)
        with pytest.raises(CommandRefused, match="busy"):
            await house.runtime.switch_branch(house.session_id, 1)
        assert (await house.runtime.stop(house.session_id))["stopped"]
        await house.idle()

        ends = [event.state for event in house.events if isinstance(event, RunEnd)]
        assert ends == ["cancelled"]
        said = [entry.payload for entry in await house.path() if isinstance(entry.payload, MessagePayload)]
        assert said[-1].is_interrupted
        await house.say("und jetzt")
        assert house.types("run_end").count("run_end") == 2


async def test_a_compaction_can_be_undone_once(tmp_path: Path) -> None:
    async with open_house(tmp_path, [], [SUMMARY], window_tokens=200_000) as house:
        await grow(house, 8)
        before = await house.runtime.next_request(house.session_id)
        await house.compact()
        compaction = next(entry for entry in await house.path() if isinstance(entry.payload, CompactionPayload))

        await house.runtime.undo_compaction(house.session_id, compaction.id)

        assert (await house.runtime.next_request(house.session_id))["messages"] == before["messages"]
        with pytest.raises(CommandRefused):
            await house.runtime.undo_compaction(house.session_id, compaction.id)
