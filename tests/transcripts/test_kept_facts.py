"""Facts of a form are used only where they have the expected shape."""

from typing import Any

import pytest

from netaclaw.transcripts.kept_facts import emptiness, nested_facts


@pytest.mark.parametrize("holder", [None, {}, {"openai": 5}, {"openai": None}, {"openai": []}])
def test_facts_that_are_no_object_are_none(holder: Any) -> None:
    assert nested_facts(holder, "openai") == {}


def test_facts_are_copied() -> None:
    holder = {"openai": {"a": 1}}
    nested_facts(holder, "openai").clear()
    assert holder == {"openai": {"a": 1}}


@pytest.mark.parametrize(
    ("facts", "written"),
    [
        ({}, "usual"),
        ({"empty": None}, None),
        ({"empty": ""}, ""),
        ({"empty": []}, []),
        ({"empty": "absent"}, "absent"),
        ({"empty": {"a": 1}}, "usual"),
    ],
)
def test_only_known_kinds_of_emptiness_are_written_again(facts: dict[str, Any], written: Any) -> None:
    assert emptiness(facts, "usual") == written
