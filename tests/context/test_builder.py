"""The context of the next request, computed from the path."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from netaclaw.compaction import broken_rules
from netaclaw.compaction.summary_message import summary_message
from netaclaw.context.builder import Context, build_context
from netaclaw.domain.entries import (
    BranchSummaryPayload,
    CompactionPayload,
    CompactionUndoPayload,
    MessagePayload,
    ModelChangePayload,
    NoticePayload,
    Payload,
    PinPayload,
    TodoPayload,
)
from netaclaw.domain.messages import Message, Text, Usage
from netaclaw.sessions.tree import ContextRead
from tests import strategies
from tests.builders import assistant, system, tool_call, tool_result, user
from tests.context.paths import read_of


def summary(
    first_kept: int | None, *, head: tuple[int, ...] = (), kept: tuple[int, ...] = (), body: str = "what happened", **more: object
) -> Payload:
    made = CompactionPayload("summary", body, first_kept, 100, 50, "manual", head_entry_ids=head, kept_entry_ids=kept)
    return replace(made, **more)  # type: ignore[arg-type]


def prune(**more: object) -> Payload:
    return replace(CompactionPayload("prune", None, None, 100, 50, "auto"), **more)  # type: ignore[arg-type]


def shown(context: Context) -> list[tuple[int | None, str]]:
    return [(message.entry_id, message.text) for message in context.messages]


SUMMARY = summary_message("what happened", "en", has_recall=True).text


def test_a_path_without_compaction_is_shown_whole_and_in_order() -> None:
    context = build_context(read_of(user("one"), assistant("two"), user("three")), language="en")
    assert context.request == tuple(replace(m, entry_id=i) for i, m in enumerate((user("one"), assistant("two"), user("three")), start=1))
    assert context.entry_ids == (1, 2, 3)


def test_head_then_summary_then_kept_then_tail_then_what_came_after_the_compaction() -> None:
    read = read_of(
        user("head"), assistant("reply"), user("middle"), user("kept"), assistant("tail"), summary(5, head=(1, 2), kept=(4,)), user("after")
    )
    context = build_context(read, language="en")
    assert shown(context) == [(1, "head"), (2, "reply"), (6, SUMMARY), (4, "kept"), (5, "tail"), (7, "after")]
    assert [message.role for message in context.request] == ["user", "assistant", "user", "assistant", "user"]
    assert context.request[2].text == f"{SUMMARY}\n\nkept"


def test_a_kept_message_shows_its_words_and_not_its_calls() -> None:
    read = read_of(user("go"), assistant("I look", tool_call("c1")), tool_result("c1", "x"), user("next"), summary(4, kept=(2,)))
    assert build_context(read, language="en").messages[1].parts == (Text("I look"),)


def test_head_entries_that_lie_in_the_tail_are_shown_once() -> None:
    read = read_of(user("one"), assistant("two"), user("three"), summary(2, head=(1, 2), kept=(3,)))
    assert [entry_id for entry_id, _ in shown(build_context(read, language="en"))] == [1, 4, 2, 3]


def test_an_undone_compaction_shows_the_originals_again() -> None:
    contents: list[Message | Payload] = [user("one"), assistant("two"), user("three"), summary(3, pruned={3: "short"})]
    before = build_context(read_of(*contents[:3]), language="en")
    undone = build_context(read_of(*contents, CompactionUndoPayload(4)), language="en")
    assert undone.request == before.request


def test_replacements_of_every_compaction_in_force_apply_and_the_newest_wins() -> None:
    call = tool_call("c1", path="a", content="long" * 100)
    read = read_of(
        user("go"),
        assistant("", call),
        tool_result("c1", "long output"),
        prune(pruned={3: "first"}, pruned_arguments={2: {0: '{"path": "a"}'}}),
        assistant("done"),
        prune(pruned={3: "second"}),
    )
    messages = build_context(read, language="en").messages
    assert messages[2].text == "second"
    assert messages[1].tool_calls == (replace(call, arguments='{"path": "a"}'),)


def test_a_replaced_result_keeps_its_place_its_id_and_its_error_mark() -> None:
    read = read_of(
        user("go"), assistant("", tool_call("c1")), tool_result("c1", "long", is_error=True), prune(pruned={3: "line"}), tokens=7
    )
    assert build_context(read, language="en").messages[2] == replace(tool_result("c1", "line", is_error=True), entry_id=3)


def test_an_unchanged_message_carries_the_count_it_was_written_with() -> None:
    messages = build_context(read_of(user("one"), prune(pruned={1: "1"}), user("two"), tokens=7), language="en").messages
    assert [message.tokens for message in messages] == [None, 7]


def test_what_was_attached_to_a_user_message_is_rendered_behind_its_text() -> None:
    read = read_of(MessagePayload(user("hello"), attached="<state>\nDate: 2026-04-23\n</state>"))
    assert build_context(read, language="en").messages[0].parts == (Text("hello"), Text("<state>\nDate: 2026-04-23\n</state>"))


def test_an_interrupted_reply_says_so_and_its_open_call_points_to_the_interruption() -> None:
    read = read_of(
        user("one"),
        summary(None, head=(1,)),
        user("two"),
        MessagePayload(assistant("I was", tool_call("c1")), is_interrupted=True),
        user("three"),
    )
    request = build_context(read, language="zh").request
    assert [message.stop_reason for message in request] == [None, "interrupted", None, None]
    assert request[2].text == "[工具调用被中断，可能已执行，没有结果]"


def test_a_gap_after_a_compaction_points_to_the_summary() -> None:
    read = read_of(user("one"), assistant("", tool_call("c1")), tool_result("c1", "x"), user("two"), summary(4, head=(1, 2)))
    assert build_context(read, language="en").request[2].text == "[Result is in compacted history -- see the summary above]"


def test_notices_changes_pins_and_todo_are_no_messages_and_a_branch_summary_is_user_text() -> None:
    read = read_of(
        user("one"),
        NoticePayload("note", "for people"),
        ModelChangePayload(2, "other"),
        PinPayload(1, True),
        TodoPayload(({"text": "x", "status": "done"},)),
        BranchSummaryPayload("tried B", 9),
    )
    context = build_context(read, language="en")
    assert context.entry_ids == (1, 6)
    assert (context.messages[1].role, context.messages[1].text.endswith("\n\ntried B")) == ("user", True)


def test_a_notice_between_call_and_result_does_not_part_them() -> None:
    read = read_of(user("go"), assistant("", tool_call("c1")), NoticePayload("note", "!"), tool_result("c1", "x"))
    assert [message.role for message in build_context(read, language="en").request] == ["user", "assistant", "tool"]


def test_a_compaction_inside_the_tail_of_a_later_one_adds_replacements_but_no_second_summary() -> None:
    read = read_of(
        user("one"),
        assistant("two"),
        user("three"),
        summary(3, body="old", pruned={4: "never", 3: "3"}),
        assistant("four"),
        summary(3, body="what happened"),
    )
    assert shown(build_context(read, language="en")) == [(6, SUMMARY), (3, "3"), (5, "four")]


def test_the_newest_usage_holds_until_the_context_changes_in_another_way_than_by_growing() -> None:
    said = replace(assistant("two"), usage=Usage(100, 5))
    grown = build_context(read_of(user("one"), said, user("three")), language="en").reported
    assert grown is not None
    assert (grown.usage, [message.text for message in grown.later]) == (Usage(100, 5), ["three"])
    for change in (prune(), ModelChangePayload(2, "other"), CompactionUndoPayload(9)):
        assert build_context(read_of(user("one"), said, change, user("three")), language="en").reported is None


def _payloads(message: Message) -> st.SearchStrategy[Payload]:
    return st.builds(MessagePayload, st.just(message), st.sampled_from([None, "<state>x</state>"]), st.booleans())


@st.composite
def reads(draw: st.DrawFn) -> ContextRead:
    """Draw a path of faulty messages with notices, prunes, summaries at any place, and undos."""
    contents: list[Payload] = []
    governing: list[int] = []
    for message in draw(strategies.conversations):
        contents.append(draw(_payloads(message)))
        ids = st.integers(1, len(contents))
        match draw(st.integers(0, 12)):
            case 0:
                contents.append(NoticePayload("note", "x"))
            case 1:
                contents.append(prune(pruned={draw(ids): "[cleared]"}, pruned_arguments={draw(ids): {0: draw(strategies.arguments)}}))
            case 2:
                head, kept = draw(st.lists(ids, max_size=3, unique=True)), draw(st.lists(ids, max_size=2, unique=True))
                contents.append(summary(draw(ids), head=tuple(sorted(head)), kept=tuple(sorted(kept)), pruned={draw(ids): "[cleared]"}))
                governing.append(len(contents))
            case 3 if governing:
                contents.append(CompactionUndoPayload(governing.pop()))
            case 4:
                contents.append(BranchSummaryPayload("elsewhere", 1))
    return read_of(*contents)


@given(reads(), st.sampled_from(["zh", "en"]))
@settings(max_examples=150, deadline=None)
def test_any_path_gives_a_context_that_breaks_no_rule_and_twice_the_same_bytes(read: ContextRead, language: str) -> None:
    first = build_context(read, language=language)  # type: ignore[arg-type]
    assert broken_rules(first.request) == []
    again = build_context(read, language=language)  # type: ignore[arg-type]
    assert repr(first) == repr(again)
    assert len(first.entry_ids) == len(set(first.entry_ids))


def test_a_system_message_on_the_path_stays_in_its_place() -> None:
    request = build_context(read_of(system("be brief"), user("hi")), language="en").request
    assert [message.role for message in request] == ["system", "user"]
