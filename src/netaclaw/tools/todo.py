"""The tool `todo`: the agent's list of tasks, which survives every compaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from netaclaw.tools.base import Arguments, ToolContext, ToolOutput, failure

_MARKS = {"pending": "[ ]", "in_progress": "[>]", "done": "[x]"}
_MAX_ITEMS = 100
_MAX_CHARS = 500


@dataclass(frozen=True, slots=True)
class Todo:
    """Replaces the whole list, or shows it."""

    name: str = "todo"
    description: str = (
        "Keep a list of tasks for longer work. Give `items` to replace the whole list, nothing to read it. The list stays known when "
        "older parts of the conversation are compacted."
    )
    is_parallel: bool = False
    is_protected: bool = True

    @property
    def parameters(self) -> Arguments:
        """See Tool."""
        item = {
            "type": "object",
            "properties": {"text": {"type": "string"}, "status": {"type": "string", "enum": list(_MARKS)}},
            "required": ["text", "status"],
        }
        return {"type": "object", "properties": {"items": {"type": "array", "items": item, "maxItems": _MAX_ITEMS}}}

    def one_line(self, arguments: Arguments, output: str) -> str:
        """See Tool."""
        return f"todo · {len(arguments['items'])} tasks" if arguments.get("items") else "todo · read"

    def dedup_key(self, arguments: Arguments) -> str | None:
        """See Tool."""
        return "todo"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """See Tool."""
        if context.todo is None:
            return failure("This session keeps no list of tasks; go on without it.")
        items = arguments.get("items")
        if items is None:
            return ToolOutput(_listed(context.todo.items()))
        kept = tuple({"text": item["text"].strip()[:_MAX_CHARS], "status": item["status"]} for item in items if item["text"].strip())
        await context.todo.replace(kept)
        return ToolOutput(_listed(kept))


def _listed(items: Sequence[Mapping[str, Any]]) -> str:
    if not items:
        return "The list is empty."
    return "\n".join(f"{_MARKS.get(str(item.get('status')), '[ ]')} {item.get('text', '')}" for item in items)
