"""Phase 1: what stands for an old tool output, and which outputs go."""

import json

import pytest

from netaclaw.compaction import CompactionSettings, estimate_tokens, message_counter
from netaclaw.compaction.grouping import pair_calls
from netaclaw.compaction.phase1_prune import PruneInput, prune, relieve
from netaclaw.compaction.prompts import wording
from netaclaw.compaction.pruned_text import cleared_result, head_and_tail, shorter_arguments
from netaclaw.domain.messages import Image, Message, Text, ToolCall
from tests.builders import assistant, tool_call, tool_result, user

EN, ZH = wording("en"), wording("zh")


def given(messages: list[Message]) -> PruneInput:
    return PruneInput(messages, [estimate_tokens(m) for m in messages], pair_calls(messages), EN, estimate_tokens, over_chars=200)


def test_the_line_says_tool_argument_outcome_and_size() -> None:
    call = tool_call("c", "run_command", command="make test")
    result = tool_result("c", "collected 3 items\n" * 40 + "Process exited with exit code 2", is_error=True)

    assert cleared_result(result, call, EN) == (
        "[Old tool output cleared to save context] run_command make test · failed · exit code 2 · 41 lines, 751 characters"
    )
    assert cleared_result(result, call, ZH) == "[旧工具输出已清除以节省上下文] run_command make test · 失败 · 退出码 2 · 41 行 751 字符"


@pytest.mark.parametrize("arguments", ["", "[]", "null", '{"a": ' * 9_000, '{"path": 3}', "\ud800", json.dumps({"command": "x\n" * 9_000})])
def test_the_line_never_raises_and_stays_short(arguments: str) -> None:
    line = cleared_result(tool_result("c", "y" * 500), ToolCall("c", "run", arguments), EN)

    assert line.startswith(EN.cleared)
    assert len(line) <= 200
    assert "\n" not in line


def test_of_equal_results_only_the_newest_stays() -> None:
    same = "the same listing\n" * 20
    messages = [user("u")]
    for number in range(3):
        messages += [assistant("", tool_call(f"c{number}", path="a.py")), tool_result(f"c{number}", same)]

    replaced = prune(given(messages), head_end=1, tail_budget_tokens=10_000)

    assert {index: message.text for index, message in replaced.items()} == dict.fromkeys(
        (2, 4), f"{EN.cleared} read_file a.py · same as an output further down · 21 lines, 340 characters"
    )


def test_the_head_is_spared() -> None:
    messages = [
        user("u"),
        assistant("", tool_call("c")),
        tool_result("c", "x" * 900),
        user("v"),
        assistant("", tool_call("d")),
        tool_result("d", "y" * 900),
        user("w"),
    ]

    assert sorted(prune(given(messages), head_end=0, tail_budget_tokens=5)) == [2, 5]
    assert sorted(prune(given(messages), head_end=3, tail_budget_tokens=5)) == [5]


def test_arguments_are_shortened_inside_the_json() -> None:
    content = 'say "hi"\n你好 ' * 60
    arguments = json.dumps({"path": "notes.md", "lines": [1, 2], "content": content, "more": [content]}, ensure_ascii=False)

    shortened = json.loads(shorter_arguments(arguments, EN, over_chars=200))

    assert (shortened["path"], shortened["lines"]) == ("notes.md", [1, 2])
    assert shortened["content"] == f"{content[:120]}[... {len(content) - 120} characters left out ...]"
    assert shortened["more"] == [shortened["content"]]


@pytest.mark.parametrize("arguments", ["no json " * 100, '{"a": "cut' + "y" * 900])
def test_arguments_that_are_no_json_stay_as_they_are(arguments: str) -> None:
    assert shorter_arguments(arguments, EN, over_chars=200) == arguments


def test_a_bare_json_string_stays_json() -> None:
    assert json.loads(shorter_arguments(json.dumps("x" * 900), EN, over_chars=200)) == f"{'x' * 120}[... 780 characters left out ...]"


def test_twins_that_are_both_old_do_not_point_at_each_other() -> None:
    same = "the same listing\n" * 20
    messages = [user("u")]
    for number in range(2):
        messages += [assistant("", tool_call(f"c{number}", path="a.py")), tool_result(f"c{number}", same)]
    messages += [user("v" * 400), user("w")]

    replaced = prune(given(messages), head_end=1, tail_budget_tokens=10)

    assert sorted(replaced) == [2, 4]
    assert not any(EN.cleared_duplicate in message.text for message in replaced.values())


def test_the_pressure_pass_takes_the_oldest_first_and_only_shortens_the_newest() -> None:
    messages = [user("u")]
    for number in range(3):
        messages += [assistant("", tool_call(f"c{number}")), tool_result(f"c{number}", f"{number}" * 8_000)]

    some = relieve(given(messages), {}, start=0, excess_tokens=1)
    every = relieve(given(messages), {}, start=0, excess_tokens=100_000)

    assert sorted(some) == [2]
    assert sorted(every) == [2, 4, 6]
    assert every[6].text == f"{'2' * 2_000}\n[... 5000 characters left out ...]\n{'2' * 1_000}"


def test_a_pruned_result_loses_its_pictures_and_keeps_its_id() -> None:
    shot = Message("tool", (Text("shot"), Image(data="AAAA")), tool_call_id="c")
    messages = [user("u"), assistant("", tool_call("c")), shot, user("v")]
    count = message_counter(CompactionSettings())
    exact = PruneInput(messages, [count(m) for m in messages], pair_calls(messages), EN, count, over_chars=200)

    pruned = relieve(exact, {}, 0, 10)[2]

    assert (pruned.tool_call_id, pruned.images) == ("c", ())
    assert pruned.text.startswith(EN.cleared)


@pytest.mark.parametrize(("head", "tail"), [(10, 0), (0, 10), (10, 5)])
def test_a_long_text_keeps_its_ends(head: int, tail: int) -> None:
    text = "abcdefghij" * 50

    shortened = head_and_tail(text, head, tail, EN)

    assert shortened.startswith(text[:head])
    assert shortened.endswith(text[len(text) - tail :])
    assert len(shortened) < len(text)
    assert head_and_tail("short", 2, 2, EN) == "short"
