"""The unit tests that the spec names in its section 11 (1, 2, 4 and 5; number 3 belongs to the channels of the server)."""

import asyncio

import pytest

from netaclaw.compaction import CompactionSettings, SummaryReply, SummaryRequest, broken_rules, compact, estimate_tokens, plan_compaction
from netaclaw.domain.messages import Message, ToolCall
from tests.builders import assistant, system, tool_call, tool_result, user

SETTINGS = CompactionSettings(window_tokens=10_000)
SUMMARY = "## 目标\n" + "把结算服务迁移到新的数据库，保留旧接口。" * 12


async def summarize(request: SummaryRequest) -> SummaryReply:
    return SummaryReply(SUMMARY)


def work(turns: int, size: int = 1_000) -> list[Message]:
    """Return a system prompt and turns of request, call, result and reply, about `size` characters each."""
    messages = [system("You are a careful engineer.")]
    for number in range(turns):
        messages += [
            user(f"第 {number} 步：" + "请检查模块。" * (size // 6)),
            assistant("", tool_call(f"c{number}", path=f"src/part_{number}.py")),
            tool_result(f"c{number}", f"line {number}\n" * (size // 7)),
            assistant(f"Step {number} is done. " * (size // 16)),
        ]
    return messages


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        (user(""), 10),
        (user("abc"), 10),
        (user("abcd"), 11),
        (user("你好世界"), 11),
        (user("x" * 4_003), 1_010),
        (assistant("", ToolCall("c", "run", "")), 10),
        (assistant("", ToolCall("c", "run", "1234567")), 11),
        (assistant("abcd", ToolCall("c", "run", "12345678"), ToolCall("d", "run", "1234")), 14),
        (tool_result("c", "y" * 199), 59),
    ],
)
def test_unit_1_estimate_tokens_equals_the_formula(message: Message, tokens: int) -> None:
    assert estimate_tokens(message) == tokens


def test_unit_2_compress_keeps_head_and_tail_and_puts_the_summary_between() -> None:
    messages = work(12)

    result = asyncio.run(compact(messages, SETTINGS, summarize))

    assert result.status == "compacted"
    assert result.messages[:3] == tuple(messages[:3])
    summary = next(
        message for message in result.messages if message.text.startswith("[CONTEXT COMPACTION] 此前若干轮对话已被压缩以节省上下文空间...")
    )
    assert summary.role == "user"
    assert SUMMARY in summary.text
    assert result.messages[-1] == messages[-1]
    assert result.tokens_after < result.tokens_before
    assert broken_rules(result.messages) == []


def test_unit_2_compress_does_nothing_below_the_threshold() -> None:
    messages = work(2)

    result = asyncio.run(compact(messages, SETTINGS, summarize))

    assert (result.status, result.reason, result.messages) == ("not_needed", None, tuple(messages))


def test_unit_2_compress_drops_orphan_results_and_fills_orphan_calls() -> None:
    messages = [
        *work(12),
        tool_result("gone", "no call before this"),
        user("继续"),
        assistant("", tool_call("open", path="a.py")),
        user("还在吗？"),
    ]

    result = asyncio.run(compact(messages, SETTINGS, summarize))

    assert result.status == "compacted"
    assert not any(message.tool_call_id == "gone" for message in result.messages)
    filled = [message.text for message in result.messages if message.tool_call_id == "open"]
    assert filled == ["[结果来自已压缩的历史 -- 见上方摘要]"]


def test_unit_2_compress_gives_the_second_summary_the_first_one() -> None:
    requests: list[SummaryRequest] = []

    async def remember(request: SummaryRequest) -> SummaryReply:
        requests.append(request)
        return SummaryReply(f"{SUMMARY}\n第 {len(requests)} 版")

    first = asyncio.run(compact(work(12), SETTINGS, remember, audit=False))
    second = asyncio.run(compact([*first.messages, *work(12)[1:]], SETTINGS, remember, audit=False))

    assert [request.previous_summary for request in requests] == [None, f"{SUMMARY}\n第 1 版"]
    assert requests[1].prompt.startswith("你正在更新一份上下文压缩摘要。")
    assert f"之前的摘要：\n{SUMMARY}\n第 1 版" in requests[1].prompt
    assert "[CONTEXT COMPACTION]" not in requests[1].prompt
    assert second.summary == f"{SUMMARY}\n第 2 版"
    assert sum(message.text.count("[CONTEXT COMPACTION]") for message in second.messages) == 1


def test_unit_4_phase_1_prunes_long_results_beyond_the_tail_budget_only() -> None:
    short, long = "ok", "z" * 201
    messages = [system("s"), user("u"), assistant("a"), user("start")]
    for number in range(60):
        messages += [assistant("", tool_call(f"c{number}")), tool_result(f"c{number}", f"{number} {long}" if number % 3 else short)]
    messages.append(user("go on"))
    settings = CompactionSettings(window_tokens=2_500, threshold_percent=80)

    plan = plan_compaction(messages, settings)

    pruned = sorted(plan.replacements)
    assert pruned
    budget, newest, size = plan.tail_budget_tokens, len(messages), 0
    while size + estimate_tokens(messages[newest - 1]) <= budget:
        newest -= 1
        size += estimate_tokens(messages[newest])
    assert pruned == [index for index in range(3, newest - 1) if messages[index].role == "tool" and len(messages[index].text) > 200]
    assert all(message.text.startswith("[Old tool output cleared to save context] read_file") for message in plan.replacements.values())
    assert all(len(message.text) <= 200 for message in plan.replacements.values())


def test_unit_4_phase_1_alone_is_enough_when_it_brings_the_size_under_the_threshold() -> None:
    messages = [system("s"), user("读文件"), assistant("好"), user("开始")]
    for number in range(20):
        messages += [assistant("", tool_call(f"c{number}")), tool_result(f"c{number}", f"{number}" * 2_000)]
    messages += [assistant("读完了"), user("继续")]

    async def never(request: SummaryRequest) -> str:
        raise AssertionError("phase 3 must not run")

    result = asyncio.run(compact(messages, SETTINGS, never))

    assert (result.status, result.reason) == ("pruned", None)
    assert result.tokens_after < result.threshold_tokens
    assert [message.tool_call_id for message in result.messages] == [message.tool_call_id for message in messages]
    assert any(message.text.startswith("[旧工具输出已清除以节省上下文] read_file") for message in result.messages)


@pytest.mark.parametrize("tail_ratio", [number / 100 for number in range(1, 60, 3)])
def test_unit_5_phase_2_never_cuts_between_a_call_and_its_result(tail_ratio: float) -> None:
    messages = work(10)
    messages += [assistant("both", tool_call("p1"), tool_call("p2")), tool_result("p1", "x" * 900), tool_result("p2", "y" * 900)]
    settings = CompactionSettings(window_tokens=10_000, tail_token_budget_ratio=tail_ratio)

    plan = plan_compaction(messages, settings, force=True)

    assert plan.action == "summarize"
    assert messages[plan.tail_start].role != "tool"
    assert len(messages) - plan.tail_start >= 3


def test_unit_5_phase_2_moves_the_start_of_the_middle_behind_the_results_of_the_head() -> None:
    messages = [system("s"), user("u"), assistant("", tool_call("c1"), tool_call("c2")), tool_result("c1", "1"), tool_result("c2", "2")]
    messages += work(10)[1:]

    plan = plan_compaction(messages, SETTINGS, force=True)

    assert plan.head == (0, 1, 2, 3, 4)
