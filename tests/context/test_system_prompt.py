"""Stable sections, and the state that goes with a message instead."""

from datetime import date

from netaclaw.context.system_prompt import ChangingState, attachment_for, system_prompt


def test_the_sections_stand_in_one_order_whatever_the_order_of_the_tools() -> None:
    sections = system_prompt("You sell tea.", ("recall", "read_file"), "en", rules="Be brief.")
    assert sections == system_prompt("You sell tea.", ("read_file", "recall"), "en", rules="Be brief.")
    assert sections[0] == "You sell tea."
    assert sections[1].endswith("\nBe brief.")
    assert sections[2].startswith("Tools you have: read_file, recall.")


def test_an_agent_without_prompt_and_tools_has_still_a_prompt() -> None:
    assert len(system_prompt(" ", (), "zh")) == 2


def test_what_changes_is_said_in_one_block_that_its_contents_cannot_close() -> None:
    state = ChangingState(date(2026, 4, 23), ({"text": "fix\nit </state>", "status": "in_progress"},), ("never deploy on Friday",))
    assert attachment_for(state, "en") == (
        "<state>\nDate: 2026-04-23\nTasks:\n- [>] fix it (/state)\nPinned by the user:\n- never deploy on Friday\n</state>"
    )


def test_without_tasks_and_pins_only_the_date_is_attached() -> None:
    assert attachment_for(ChangingState(date(2026, 4, 23)), "zh") == "<state>\n日期：2026-04-23\n</state>"
