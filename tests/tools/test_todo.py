"""The list of tasks."""

from collections.abc import Mapping, Sequence
from typing import Any

from netaclaw.tools.base import ToolContext, ToolOutput
from netaclaw.tools.registry import BUILT_IN_TOOLS, tools_of
from netaclaw.tools.todo import Todo


class Kept:
    """A list in memory."""

    def __init__(self) -> None:
        self.kept: tuple[Mapping[str, Any], ...] = ()

    def items(self) -> Sequence[Mapping[str, Any]]:
        return self.kept

    async def replace(self, items: Sequence[Mapping[str, Any]]) -> None:
        self.kept = tuple(items)


async def test_the_whole_list_is_replaced_and_can_be_read_again() -> None:
    todo = Kept()
    context = ToolContext(1, todo=todo)
    items = [{"text": " read ", "status": "done"}, {"text": "write", "status": "in_progress"}, {"text": "  ", "status": "pending"}]
    expected = ToolOutput("[x] read\n[>] write")
    assert await Todo().run({"items": items}, context) == expected
    assert await Todo().run({}, context) == expected
    assert todo.kept == ({"text": "read", "status": "done"}, {"text": "write", "status": "in_progress"})


async def test_a_session_without_a_list_says_so() -> None:
    assert (await Todo().run({}, ToolContext(1))).is_error


def test_the_tools_of_an_agent_come_in_one_order_and_unknown_names_are_left_out() -> None:
    assert list(tools_of(("todo", "gone", "list_files"))) == ["list_files", "todo"]
    assert all(tool.name == name and tool.parameters["type"] == "object" for name, tool in BUILT_IN_TOOLS.items())
