"""The calls of one reply: checked, run, and answered by one result each. A failure is a result marked as error."""

import asyncio
from collections.abc import Mapping, Sequence

from netaclaw.agent.arguments import parse_arguments
from netaclaw.agent.base import LoopPorts, ToolEnded, ToolStarted
from netaclaw.agent.undisturbed import undisturbed
from netaclaw.domain.entries import MessagePayload
from netaclaw.domain.messages import ToolCall, text_message
from netaclaw.providers.base import ToolSpec
from netaclaw.tools.base import Tool, ToolContext, ToolOutput, failure
from netaclaw.tools.output import shortened

_MAX_ERROR_CHARS = 500


async def run_calls(calls: Sequence[ToolCall], ports: LoopPorts) -> None:
    """Run the calls of one reply and append each result as soon as it is there.

    Side by side if every tool allows it. A cancellation ends all of them and leaves no task; results that were there are stored.
    """
    if not _may_run_in_parallel(calls, ports.tools):
        for call in calls:
            await _run_one(call, ports)
        return
    try:
        async with asyncio.TaskGroup() as group:
            for call in calls:
                group.create_task(_run_one(call, ports))
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None


def tool_specs(tools: Mapping[str, Tool]) -> tuple[ToolSpec, ...]:
    """Return the tools as a request carries them, by name, so that the bytes do not depend on the order they were chosen in."""
    return tuple(ToolSpec(tool.name, tool.description, tool.parameters) for _, tool in sorted(tools.items()))


async def _run_one(call: ToolCall, ports: LoopPorts) -> None:
    ports.emit(ToolStarted(call))
    output = await _output(call, ports.tools, ports.tool_context)
    result = text_message("tool", shortened(output.text) or "(no output)", tool_call_id=call.id, name=call.name, is_error=output.is_error)
    await undisturbed(ports.append(MessagePayload(result)))
    ports.emit(ToolEnded(call, result))


async def _output(call: ToolCall, tools: Mapping[str, Tool], context: ToolContext) -> ToolOutput:
    tool = tools.get(call.name)
    if tool is None:
        return failure(f"There is no tool {call.name[:100]!r}; use one of: {', '.join(sorted(tools)) or 'none, answer in words'}.")
    arguments = parse_arguments(call.arguments, tool.parameters)
    if isinstance(arguments, ToolOutput):
        return arguments
    try:
        return await tool.run(arguments, context)
    except Exception as error:  # an edge: whatever a tool does, the conversation goes on
        return failure(f"{call.name} failed ({type(error).__name__}: {str(error)[:_MAX_ERROR_CHARS]}); try another way.")


def _may_run_in_parallel(calls: Sequence[ToolCall], tools: Mapping[str, Tool]) -> bool:
    """Calls that share an id are answered in order, because their results are told apart by position."""
    if len(calls) < 2 or len({call.id for call in calls}) < len(calls):
        return False
    return all(call.name not in tools or tools[call.name].is_parallel for call in calls)
