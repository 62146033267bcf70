"""The tools that an agent can be given."""

from typing import Any

from fastapi import APIRouter

from netaclaw.gateway.wire import Wire
from netaclaw.tools.registry import BUILT_IN_TOOLS

router = APIRouter(prefix="/api/tools", tags=["tools"])


class ToolBody(Wire):
    """A tool as the model sees it."""

    name: str
    description: str
    parameters: dict[str, Any]


class ToolList(Wire):
    """All tools."""

    tools: list[ToolBody]


@router.get("")
async def list_tools() -> ToolList:
    """List the tools."""
    return ToolList(
        tools=[ToolBody(name=tool.name, description=tool.description, parameters=dict(tool.parameters)) for tool in BUILT_IN_TOOLS.values()]
    )
