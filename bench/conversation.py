"""A long conversation of ordinary agent work, made up, of any number of messages.

Its turns hold what the ledger looks for: rules in the user's words, decisions with their reasons, commands that fail.
"""

import json

from netaclaw.domain.messages import Message, Text, ToolCall, text_message

_STEPS = 4
_RULES = (
    "Never change the public interface, and use at most 3 retries in worker {turn}.",
    "不要删除第{turn}号迁移，金额必须用整数分保存，预算不超过 {turn}00 元。",
    "From now on only deploy after the tests of part {turn} pass; I prefer small commits.",
    "以后都用 UTC 时间，不能改动 ledger_{turn} 表。",
)
_DECISIONS = (
    "I decided to round in part_{turn}.py because the invoice sums twice; the root cause is a float in total_{turn}.",
    "决定采用批量写入，因为逐行提交在第 {turn} 批超时；根本原因是缺少索引 idx_{turn}。",
    "It turns out that the cache of part {turn} is unused, so I will use the row lock instead of a retry.",
    "结论：第 {turn} 号任务的重试会重复扣款，因此改用幂等键 key-{turn}。",
)


def conversation(size: int) -> list[Message]:
    """Return `size` messages: requests in Chinese and English, reasoning aloud, file reads, edits and commands with their output."""
    messages = [text_message("system", "You are a careful engineer. Keep the public interface stable. " * 8)]
    turn = 0
    while len(messages) < size:
        messages += _turn(turn)
        turn += 1
    return messages[:size]


def _turn(turn: int) -> list[Message]:
    rule = _RULES[turn % len(_RULES)].format(turn=turn)
    asked = (
        f"请修改 src/billing/part_{turn}.py，让测试 {turn} 通过，不要改公共接口。Ticket NC-{4_000 + turn}; keep it under 200 lines. {rule}"
    )
    messages = [text_message("user", asked)]
    for step in range(_STEPS):
        call_id = f"call_{turn}_{step}"
        name, arguments = _call(turn, step)
        said = f"Step {step}: I look at part {turn}, then I run its tests again. {_decision(turn, step)}".rstrip()
        messages.append(Message("assistant", (Text(said), ToolCall(call_id, name, json.dumps(arguments, ensure_ascii=False)))))
        is_error = name == "run_command" and turn % 7 > 0
        messages.append(text_message("tool", _output(turn, step), tool_call_id=call_id, name=name, is_error=is_error))
    done = f"第 {turn} 步完成：测试 {turn} 通过，改动在 src/billing/part_{turn}.py。Released as 1.{turn % 90}.0."
    return [*messages, text_message("assistant", done)]


def _decision(turn: int, step: int) -> str:
    """Every other step decides something."""
    return _DECISIONS[(turn + step) % len(_DECISIONS)].format(turn=turn) if step % 2 else ""


def _call(turn: int, step: int) -> tuple[str, dict[str, str]]:
    if step % 2:
        return "run_command", {"command": f"pytest tests/billing/test_part_{turn}.py -k case_{step}"}
    return "read_file", {"path": f"src/billing/part_{turn}_{step}.py"}


def _output(turn: int, step: int) -> str:
    if step % 2 and turn % 7:
        fault = (
            f"E   AssertionError: total_{turn} is {turn}.10, expected {turn}.01\nFAILED tests/billing/test_part_{turn}.py::test_case_{step}"
        )
        return f"{fault}\n{turn % 7} failed, {turn % 90} passed in {step}.{turn % 100:02d}s\nexit code 1"
    lines = [f"def total_{turn}_{line}(rows): return sum(row.amount * {line + step} for row in rows)" for line in range(8)]
    return "\n".join([*lines, f"{turn % 90} passed in {step}.{turn % 100:02d}s"])
