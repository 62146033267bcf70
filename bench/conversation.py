"""A long conversation of ordinary agent work, made up, of any number of messages."""

import json

from netaclaw.domain.messages import Message, Text, ToolCall, text_message

_STEPS = 4


def conversation(size: int) -> list[Message]:
    """Return `size` messages: requests in Chinese and English, reasoning aloud, file reads, edits and commands with their output."""
    messages = [text_message("system", "You are a careful engineer. Keep the public interface stable. " * 8)]
    turn = 0
    while len(messages) < size:
        messages += _turn(turn)
        turn += 1
    return messages[:size]


def _turn(turn: int) -> list[Message]:
    asked = f"请修改 src/billing/part_{turn}.py，让测试 {turn} 通过，不要改公共接口。Ticket NC-{4_000 + turn}; keep it under 200 lines."
    messages = [text_message("user", asked)]
    for step in range(_STEPS):
        call_id = f"call_{turn}_{step}"
        name, arguments = _call(turn, step)
        said = f"Step {step}: I look at part {turn}, then I run its tests again."
        messages.append(Message("assistant", (Text(said), ToolCall(call_id, name, json.dumps(arguments, ensure_ascii=False)))))
        messages.append(text_message("tool", _output(turn, step), tool_call_id=call_id, name=name))
    done = f"第 {turn} 步完成：测试 {turn} 通过，改动在 src/billing/part_{turn}.py。Released as 1.{turn % 90}.0."
    return [*messages, text_message("assistant", done)]


def _call(turn: int, step: int) -> tuple[str, dict[str, str]]:
    if step % 2:
        return "run_command", {"command": f"pytest tests/billing/test_part_{turn}.py -k case_{step}"}
    return "read_file", {"path": f"src/billing/part_{turn}_{step}.py"}


def _output(turn: int, step: int) -> str:
    lines = [f"def total_{turn}_{line}(rows): return sum(row.amount * {line + step} for row in rows)" for line in range(8)]
    return "\n".join([*lines, f"{turn % 7} failed, {turn % 90} passed in {step}.{turn % 100:02d}s"])
