"""The summariser without a model: every section, the budget, nothing invented, nothing lost over several rounds."""

import asyncio
import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netaclaw.compaction.ledger import collect_facts
from netaclaw.compaction.offline import offline_summarizer
from netaclaw.compaction.plan import SummaryRequest
from netaclaw.compaction.settings import Language
from netaclaw.compaction.size_estimate import estimated_tokens
from netaclaw.compaction.summary_sections import PROGRESS_TITLES, SECTIONS, TITLES, read_sections
from netaclaw.compaction.tokens import count_o200k
from netaclaw.domain.messages import Message, Text, ToolCall
from tests.builders import assistant, tool_call, tool_result, user
from tests.shared_data import DATA, needs_data


def serialized(messages: list[Message]) -> str:
    blocks = []
    for message in messages:
        mark = f"[TOOL {message.name or 'tool'}]" if message.role == "tool" else f"[{message.role.upper()}]"
        calls = "".join(f"\n[CALL {call.name}] {call.arguments}" for call in message.tool_calls)
        blocks.append(f"{mark} {message.text}{calls}")
    return "\n\n".join(blocks)


def summarize(
    messages: list[Message] | str, budget: int = 2_000, language: Language = "en", previous: str | None = None, focus: str | None = None
) -> str:
    turns = messages if isinstance(messages, str) else serialized(messages)
    facts = () if isinstance(messages, str) else collect_facts(messages)
    request = SummaryRequest("", turns, previous, budget, language, focus, facts=facts)
    return asyncio.run(offline_summarizer(request)).text


WORK = [
    user("Port the selector to the theme system. Never touch the lock file."),
    assistant("I will read the selector first.", tool_call("1", "Read", file_path="src/selector.ts")),
    tool_result("1", "import chalk from 'chalk';"),
    assistant("The problem is that `chalk` is used directly. Next I will replace it.", tool_call("2", "Edit", file_path="src/selector.ts")),
    tool_result("2", "updated"),
    assistant("", tool_call("3", "bash", command="npm run check")),
    tool_result("3", "src/selector.ts(28,2): error TS2739: missing selectedPrefix\n\nCommand exited with code 2", is_error=True),
    assistant("", tool_call("5", "bash", command="cd web && npm run build")),
    tool_result("5", "built in 3 s"),
    assistant(
        "",
        tool_call(
            "4", "TodoWrite", todos=[{"content": "fix the types", "status": "in_progress"}, {"content": "write tests", "status": "pending"}]
        ),
    ),
    tool_result("4", "ok"),
    assistant("Replaced chalk with the theme in `renderSelector`; the border uses getThinkingBorderColor."),
    user("Now make the border dimmer, 不要改颜色表。"),
]


def test_the_sections_are_filled_from_what_was_said_and_done() -> None:
    sections = read_sections(summarize(WORK))
    assert sections["constraints"] == ["Never touch the lock file."]
    assert sections["doing"] == [
        "fix the types",
        "Now make the border dimmer, 不要改颜色表。",
    ]
    assert any("npm run check → src/selector.ts(28,2): error TS2739" in line for line in sections["blocked"])
    assert any("`chalk` is used directly" in line for line in sections["decisions"])
    assert sections["goal"] == ["Port the selector to the theme system. Never touch the lock file."]
    assert sections["done"] == [
        "Port the selector to the theme system. Never touch the lock file. → "
        "Replaced chalk with the theme in `renderSelector`; the border uses getThinkingBorderColor."
    ]
    assert sections["files"] == ["edited: src/selector.ts"]
    assert "write tests" in sections["next"]
    assert sections["tools"] == ["commands: npm run build"]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    "turns", [WORK, [], "", "x", "x" * 100_000, "\x00\x07 [USER", "[USER] \n\n[TOOL a]"], ids=lambda turns: str(turns)[:12]
)
@pytest.mark.parametrize("budget", [1, 120, 2_000])
def test_every_title_of_the_template_stands_once_in_order_and_the_text_is_long_enough(
    turns: list[Message] | str, language: Language, budget: int
) -> None:
    summary = summarize(turns, budget, language)
    titles = [line for line in summary.split("\n") if line.startswith("#")]
    expected = list(TITLES[language].values())
    expected.insert(SECTIONS.index("done"), PROGRESS_TITLES[language])
    assert titles == expected
    assert len(summary) >= 200


def test_every_line_is_taken_from_the_input() -> None:
    source = " ".join(serialized(WORK).split())
    for lines in read_sections(summarize(WORK)).values():
        for line in lines:
            text = re.sub(r"^(?:edited|read|mentioned|values|commands): ", "", line)
            for piece in re.split(r", | ; |; | → | \| | … ", text):
                assert piece in source, line


def test_the_same_request_gives_the_same_bytes_in_every_process() -> None:
    program = "from tests.compaction.test_offline import WORK, summarize; import os; os.write(1, summarize(WORK, 300).encode())"
    seeds = [{**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)} for seed in ("1", "2")]
    outputs = [subprocess.run([sys.executable, "-c", program], env=seed, capture_output=True, check=True).stdout for seed in seeds]
    assert outputs[0] == outputs[1] == summarize(WORK, 300).encode()


FIRST = [user("Always answer in JSON. My order is W2378156."), assistant("Noted: order W2378156, deployed to https://x.example/app7.")]


def test_earlier_facts_survive_five_rounds_while_they_fit() -> None:
    summary = summarize(FIRST)
    for number in range(5):
        turns = [user(f"Look at module number{number}_x please."), assistant(f"The cause is flag_{number}_y in src/mod{number}.py.")]
        summary = summarize(turns, previous=summary)
    for fact in ("Always answer in JSON.", "W2378156", "https://x.example/app7", *[f"flag_{number}_y" for number in range(5)]):
        assert fact in summary


def test_a_rule_that_changed_its_number_stands_only_in_its_new_form() -> None:
    earlier = summarize([user("Always use port 8080 for the server.")])
    later = summarize([user("Always use port 9090 for the server.")], previous=earlier)
    assert "port 9090" in later
    assert "port 8080" not in later


def test_what_was_in_progress_is_not_in_progress_any_more_after_a_new_request() -> None:
    later = read_sections(summarize([user("Write the changelog.")], previous=summarize([user("Fix the login page.")])))
    assert later["doing"] == ["Write the changelog."]
    assert "Fix the login page." in later["done"]


def test_what_is_in_progress_stays_so_while_nobody_asks_for_anything_else() -> None:
    work = [assistant("", tool_call("1", "Edit", file_path="a.py")), tool_result("1", "ok")]
    assert read_sections(summarize(work, previous=summarize([user("Fix the login page.")])))["doing"] == ["Fix the login page."]


def repair(thing: str, ask: str = "Now repair {}.", answer: str = "Repaired {}; it works again.") -> list[Message]:
    call = tool_call(thing, "run", target=thing)
    return [user(ask.format(thing)), assistant("", call), tool_result(thing, "x " * 400), assistant(answer.format(thing))]


THINGS = ["Alice's invoice 8812", "the Zurich server", "the tax table", "the login page", "the nightly backup", "the price list"]


@pytest.mark.parametrize(
    ("language", "ask", "answer"),
    [("en", "Now repair {}.", "Repaired {}; it works again."), ("zh", "现在修复{}。", "{}已经修好了，可以用了。")],
)
def test_every_answered_request_is_done_with_its_outcome(language: Language, ask: str, answer: str) -> None:
    turns = [message for thing in THINGS for message in repair(thing, ask, answer)]
    sections = read_sections(summarize([*turns, user(ask.format("X9"))], 1_000, language))
    assert sections["done"] == [f"{ask.format(thing)} → {answer.format(thing)}" for thing in THINGS]
    assert sections["doing"] == [ask.format("X9")]
    assert sections["goal"] == [ask.format(THINGS[0])]


def test_the_overall_aim_stands_beside_the_first_request() -> None:
    turns = [*repair("A1"), *repair("B2"), user("The overall goal is a shop that never sleeps."), assistant("I see.")]
    assert read_sections(summarize(turns))["goal"][0] == "Now repair A1."
    assert "The overall goal is a shop" in summarize(turns)


def test_an_open_call_or_a_question_back_leaves_the_request_in_progress() -> None:
    for end in (repair("B2")[:2], repair("B2")[:3], [user("Now repair B2."), assistant("Shall I restart it?")]):
        sections = read_sections(summarize([*repair("A1"), *end]))
        assert sections["doing"] == ["Now repair B2."]
        assert sections["done"] == ["Now repair A1. → Repaired A1; it works again."]


def test_what_was_in_progress_is_done_once_the_new_turns_answer_it() -> None:
    earlier = summarize(repair("the pump")[:2])
    assert read_sections(earlier)["doing"] == ["Now repair the pump."]
    sections = read_sections(summarize(repair("the pump")[2:], previous=earlier))
    assert sections["done"] == ["Now repair the pump. → Repaired the pump; it works again."]
    assert sections["doing"] == []
    assert sections["goal"] == ["Now repair the pump."]


@pytest.mark.parametrize("mark", ["[... 12500 characters left out ...]", "[... 此处省略 12500 字符 ...]"])
def test_our_own_mark_of_a_cut_is_no_fact(mark: str) -> None:
    turns = serialized([user("Look."), assistant(f"A long story.\n{mark}\nIt ends."), tool_result("1", f"some output line\n{mark}\nrest")])
    assert "12500" not in summarize(turns, previous=f"## Critical Context\n- {mark}")


def test_a_word_alone_and_listed_code_are_no_context() -> None:
    turns = [user("Look at it."), assistant("Fixed.", tool_call("1", "read", path="a.py"))]
    turns += [tool_result("1", "27      raise AssertionError(problem)\n28  import httpx_and_more")]
    summary = summarize(turns)
    assert "Fixed." not in summary
    assert "raise" not in summary


def test_the_newest_wins_where_room_is_tight() -> None:
    old = summarize([user(f"Never rename the function oldName{number}Thing in this project.") for number in range(60)], 1_500)
    new = summarize([user("Never rename the table newTable77 in this project.")], 300, previous=old)
    assert "newTable77" in new
    assert count_o200k(new) <= 320


MODULES = (
    "audio video disk mouse printer network screen keyboard camera battery modem sensor clock fan radio scanner plotter router".split()
)


def test_what_the_user_asked_to_keep_comes_before_all_else() -> None:
    talk = [assistant(f"The {word} module is slow because its driver polls much too often.") for word in MODULES]
    assert "printer" not in summarize(talk, 120)
    assert "printer" in summarize(talk, 120, focus="everything about the printer")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400), st.text(max_size=200), st.integers(1, 600), st.sampled_from(["zh", "en"]))
def test_no_text_makes_it_fail(turns: str, previous: str, budget: int, language: str) -> None:
    chosen: Language = "zh" if language == "zh" else "en"
    assert len(summarize(f"[USER] {turns}\n\n[TOOL x] {previous}", budget, chosen, previous, focus=turns[:20])) >= 200


def _read(path: Path) -> list[Message]:
    opener = gzip.open if path.suffix == ".gz" else open
    messages = []
    with opener(path, "rt", encoding="utf8") as file:
        for line in file:
            raw = json.loads(line)
            parts = [Text(raw["content"])] if raw["content"] else []
            calls = [ToolCall(call["id"], call["name"], call["arguments"]) for call in raw["tool_calls"] or []]
            messages.append(Message(raw["role"], (*parts, *calls), tool_call_id=raw["tool_call_id"], name=raw["name"]))
    return messages


REAL: list[tuple[str, Language]] = [
    ("crosswoz/desk-020.jsonl", "zh"),
    ("tau-bench/airline-t02-trial1.jsonl", "en"),
    ("pi-mono/large-session.repaired.jsonl", "en"),
    ("claude-code-entire/1c-127425ed32-0.jsonl", "en"),
    ("memorybank/cn-all-users-concatenated.jsonl", "zh"),
    ("memorybank/en-13.jsonl", "en"),
    ("deer-flow/replay-nanjing-traditional-dishes.repaired.jsonl", "en"),
]


@needs_data
@pytest.mark.parametrize(("name", "language"), REAL)
@pytest.mark.parametrize("budget", [1_000, 2_000, 3_600])
def test_a_budget_is_filled_and_hardly_exceeded_by_the_count_of_the_real_tokenizer(name: str, language: Language, budget: int) -> None:
    messages = _read(DATA / "neutral" / name)
    budget = min(budget, 2_000) if "memorybank/en" in name else budget  # there is no more to say
    tokens = count_o200k(summarize(messages[: len(messages) * 4 // 5], budget, language))
    assert 0.85 * budget <= tokens <= 1.03 * budget


@needs_data
@pytest.mark.parametrize(("name", "language"), REAL)
def test_the_estimate_of_tokens_is_near_the_real_count(name: str, language: Language) -> None:
    summary = summarize(_read(DATA / "neutral" / name), 3_600, language)
    assert 0.94 <= estimated_tokens(summary) / count_o200k(summary) <= 1.12


@needs_data
def test_most_hand_written_facts_of_the_shared_probes_survive_one_summary() -> None:
    kept = asked = 0
    for path in sorted((DATA / "probes").glob("*.json")):
        probe_set = json.loads(path.read_text("utf8"))
        messages = _read(DATA / probe_set["file"])
        summary = summarize(
            messages[: len(messages) * 4 // 5], 3_600, "zh" if "memorybank" in path.name or "crosswoz" in path.name else "en"
        )
        asked += len(probe_set["probes"])
        kept += sum(any(answer in summary for answer in probe["answer_strings"]) for probe in probe_set["probes"])
    assert kept / asked >= 0.85
