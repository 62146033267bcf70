"""The built-in tools by name."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from netaclaw.tools.base import Tool
from netaclaw.tools.list_files import ListFiles
from netaclaw.tools.read_file import ReadFile
from netaclaw.tools.recall import RecallTool
from netaclaw.tools.search_files import SearchFiles
from netaclaw.tools.todo import Todo


def _by_name(*tools: Tool) -> Mapping[str, Tool]:
    return MappingProxyType({tool.name: tool for tool in tools})


BUILT_IN_TOOLS = _by_name(ListFiles(), ReadFile(), RecallTool(), SearchFiles(), Todo())


def tools_of(names: Sequence[str]) -> Mapping[str, Tool]:
    """Return the tools an agent has ticked, in a stable order; a name that no longer exists is left out."""
    return {name: tool for name, tool in BUILT_IN_TOOLS.items() if name in names}
