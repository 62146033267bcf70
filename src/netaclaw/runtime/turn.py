"""One run of the agent in one session: what the loop asks for, answered from the session tree.

The context is built and checked before EVERY model request; each finished message is appended at once.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from netaclaw.agent.base import LoopEvent, LoopPorts, RunOutcome, ToolEnded, ToolStarted
from netaclaw.context.budget import learned_factor, starting_factor
from netaclaw.context.carried import stored_message
from netaclaw.domain.agents import Channel
from netaclaw.domain.entries import Entry, MessagePayload, NoticePayload, Payload, TodoPayload, Trigger
from netaclaw.domain.events import Delta, ToolEnd, ToolStart, Usage
from netaclaw.domain.messages import Message
from netaclaw.errors import ContextOverflowError, ContextTooLargeError, NetaClawError, ProviderRejectedError, StaleLeaf
from netaclaw.providers.base import ModelClient, ModelRequest, TextDelta, ThinkingDelta, ToolCallDelta
from netaclaw.runtime.compaction_service import CompactionService
from netaclaw.runtime.frames import token_update, tree_patch
from netaclaw.runtime.model_switch import channel_detail, model_change
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.runtime.retry import can_retry, cut_off_reply
from netaclaw.runtime.thrash import after_usage
from netaclaw.runtime.user_message import RunEnding, title_of, user_payload
from netaclaw.runtime.view import COUNT, SessionView, load_view, max_output_of, todo_of
from netaclaw.sessions import Calibration, QueuedCommand, Run
from netaclaw.tools.base import ToolContext

_APPEND_TRIES = 5


class Turn:
    """The session's side of one run."""

    def __init__(self, parts: RuntimeParts, compactions: CompactionService, session_id: int, run_id: int) -> None:
        self._parts = parts
        self._compactions = compactions
        self._session_id = session_id
        self._run_id = run_id
        self._usage = Usage()
        self._estimate_tokens = 0
        """Our estimate of the last request, which its reported usage is compared with."""
        self._channel: Channel | None = None
        self._trigger: Trigger = "auto"
        self.channel_asked: Mapping[str, Any] = {}
        """What the next run must know of this one's channel."""
        self.has_stored_message = False
        """Whether the user's message stands in the session, so that it needs no second try."""

    @property
    def usage(self) -> Usage:
        """What the run has used so far."""
        return self._usage

    async def take_in(self, command: QueuedCommand, previous: Run | None) -> bool:
        """Append the user's message, and before it that another model answers from here on, if the run before asked another one.

        A retry has no message: what waits for an answer stands there already. Returns whether something does.
        """
        view = await load_view(self._parts, self._session_id)
        self.channel_asked = channel_detail(view.channel)
        changed = await model_change(self._parts, view, previous)
        if command.command.get("type") == "retry":
            return await self._take_in_retry(view, changed, command.id)
        payload, parent_id = user_payload(command.command, view, self._parts.clock())
        await self._name_session(view, payload.message.text)
        if changed is not None:
            self._trigger = "model_switch"
            await self.append(changed, parent_id=parent_id)
            parent_id = None
        await self.append(payload, command.id, parent_id)
        self.has_stored_message = True
        return True

    async def _take_in_retry(self, view: SessionView, changed: Payload | None, command_id: int) -> bool:
        """Since the command was taken, another one may have been answered: then nothing is left to do."""
        self.has_stored_message = True
        if not can_retry(view):
            await self._parts.queue.mark(command_id, "done")
            return False
        cut_off = cut_off_reply(view)
        if cut_off is not None:
            session = await self._parts.sessions.set_active_leaf(self._session_id, view.session.active_leaf_id, cut_off.parent_id)
            self._parts.hub.publish(self._session_id, tree_patch(self._session_id, session.revision, [], cut_off.parent_id))
        if changed is not None:
            self._trigger = "model_switch"
            await self.append(changed)
        await self._parts.queue.mark(command_id, "done")
        return True

    async def _name_session(self, view: SessionView, text: str) -> None:
        """A session without a title gets one from its first message, before that is told: one change of revision for browsers."""
        if not view.session.title and (title := title_of(text)):
            await self._parts.sessions.rename(self._session_id, title)

    async def run(self, agent: Callable[[LoopPorts], Awaitable[RunOutcome]]) -> RunEnding:
        """Run the agent and say how it ended; a channel that cannot be asked is a failed run, never an exception."""
        try:
            ports = self._ports(await load_view(self._parts, self._session_id))
        except NetaClawError as error:
            return RunEnding("failed", "no_channel", str(error))
        outcome = await agent(ports)
        match outcome.state:
            case "done" | "step_limit":
                return RunEnding("done", outcome.reason)
            case "stopped":
                return RunEnding("cancelled", "stopped")
            case "failed":
                return RunEnding("failed", outcome.reason, str(outcome.error) if outcome.error else None)

    def _ports(self, view: SessionView) -> LoopPorts:
        """Return what the loop needs. Raises a ProviderError where no channel can be asked."""
        return LoopPorts(
            client=self._client(view),
            next_request=self.next_request,
            append=self.append,
            emit=self._emit,
            on_overflow=self._on_overflow,
            tools=view.tools,
            tool_context=self._tool_context(view),
            max_steps=view.agent.max_steps,
            language=view.language,
        )

    async def next_request(self) -> ModelRequest:
        """Build the next request, compacting first where the threshold is reached.

        Raises ContextTooLargeError if the system prompt alone reaches the threshold, or the context does not fit the window after all.
        """
        view = await load_view(self._parts, self._session_id)
        if view.fixed_tokens >= view.threshold.tokens:
            excess = view.fixed_tokens - view.threshold.tokens + 1
            raise ContextTooLargeError("system_prompt_too_large", f"system prompt and tools are {excess} tokens too large; shorten them")
        trigger, self._trigger = self._trigger, "auto"
        if await self._compactions.ensure_fits(view, trigger):
            view = await load_view(self._parts, self._session_id)
            self._parts.hub.publish(self._session_id, token_update(view, self._usage))
        if view.window_is_known and view.size.used_tokens > view.threshold.window_tokens:
            said = f"the context has {view.size.used_tokens} tokens, the window {view.threshold.window_tokens}"
            raise ContextTooLargeError(
                "message_too_large", f"{said}; choose a larger model, start a new session from the summary, or branch from an earlier point"
            )
        self._estimate_tokens, self._channel = view.estimate_tokens, view.channel
        return ModelRequest(view.sections, view.context.request, view.specs, view.agent.thinking_level, None, max_output_of(view.channel))

    async def append(self, payload: Payload, command_id: int | None = None, parent_id: int | None = None) -> Entry:
        """Append at the session's leaf as it is now (or under `parent_id`) and tell everyone."""
        tokens = COUNT(stored_message(payload)) if isinstance(payload, MessagePayload) else 0
        place: dict[str, Any] = {} if parent_id is None else {"parent_id": parent_id}
        entry = await self._append_at_leaf(payload, tokens, command_id, place)
        session = await self._parts.sessions.get_session(self._session_id)
        self._parts.hub.publish(self._session_id, tree_patch(self._session_id, session.revision, [entry], entry.id))
        if isinstance(payload, MessagePayload) and payload.message.role == "assistant":
            await self._learn(payload.message)
        return entry

    async def _append_at_leaf(self, payload: Payload, tokens: int, command_id: int | None, place: dict[str, Any]) -> Entry:
        for attempt in range(_APPEND_TRIES):
            session = await self._parts.sessions.get_session(self._session_id)
            try:
                return await self._parts.sessions.append(
                    self._session_id, session.active_leaf_id, payload, tokens, finished_command_id=command_id, **place
                )
            except StaleLeaf:
                if attempt + 1 == _APPEND_TRIES:
                    raise
        raise AssertionError("unreachable: the last try returns or raises")

    async def _learn(self, reply: Message) -> None:
        """From reported usage: the channel's factor, whether the last compaction helped, and the sizes that browsers show."""
        if reply.usage is None:
            return
        self._count(reply)
        if self._channel is not None and self._estimate_tokens:
            known = await self._parts.calibrations.get(self._channel.id)
            old = known or Calibration(self._channel.id, starting_factor(self._channel.vendor, self._channel.model), 0, None)
            factor = learned_factor(old.factor, self._estimate_tokens, reply.usage.input_tokens)
            await self._parts.calibrations.put(Calibration(old.channel_id, factor, old.samples + 1, old.learned_limit))
        view = await load_view(self._parts, self._session_id)
        judged = after_usage(view.state, is_over=view.is_over)
        if judged != view.state:
            await self._parts.states.put(judged)
            if judged.blocked_reason and not view.state.blocked_reason:
                await self.append(NoticePayload("compaction_event", _BLOCKED[view.language], "ineffective"))
        self._parts.hub.publish(self._session_id, token_update(view, self._usage))

    def _count(self, reply: Message) -> None:
        assert reply.usage is not None
        total_input = self._usage.input_tokens + reply.usage.input_tokens
        total_output = self._usage.output_tokens + reply.usage.output_tokens
        self._usage = Usage(
            input_tokens=total_input,
            output_tokens=total_output,
            total_tokens=total_input + total_output,
            api_calls=self._usage.api_calls + 1,
        )

    async def _on_overflow(self, error: ContextOverflowError) -> bool:
        view = await load_view(self._parts, self._session_id)
        if not view.is_auto:
            return False
        if view.channel is not None and error.limit_tokens:
            known = await self._parts.calibrations.get(view.channel.id)
            await self._parts.calibrations.put(
                Calibration(view.channel.id, known.factor if known else view.factor, known.samples if known else 0, error.limit_tokens)
            )
        return await self._compactions.compact(self._session_id, "overflow")

    def _client(self, view: SessionView) -> ModelClient:
        if view.channel_fault is not None:
            raise ProviderRejectedError(view.channel_fault)
        if view.channel is None:
            raise ProviderRejectedError(f"agent '{view.agent.name}' has no model channel; choose one in its settings")
        return self._parts.open_client(view.channel)

    def _emit(self, event: LoopEvent) -> None:
        session_id, run_id = self._session_id, self._run_id
        match event:
            case TextDelta(text=text):
                frame: Delta | ToolStart | ToolEnd = Delta(session_id=session_id, run_id=run_id, text=text)
            case ThinkingDelta(text=text):
                frame = Delta(session_id=session_id, run_id=run_id, thinking=text)
            case ToolCallDelta(number=number, name=name, arguments=arguments):
                piece = {"number": number, "name": name, "arguments": arguments}
                frame = Delta(session_id=session_id, run_id=run_id, tool_call=piece)
            case ToolStarted(call=call):
                frame = ToolStart(session_id=session_id, run_id=run_id, call_id=call.id, name=call.name, arguments=call.arguments)
            case ToolEnded(call=call, result=result):
                frame = ToolEnd(session_id=session_id, run_id=run_id, call_id=call.id, is_error=result.is_error)
        self._parts.hub.publish(session_id, frame)

    def _tool_context(self, view: SessionView) -> ToolContext:
        workspace = Path(view.agent.workspace) if view.agent.workspace else None
        return ToolContext(self._session_id, workspace, self._recall, _TodoList(self, todo_of(view)))

    async def _recall(self) -> Sequence[Message]:
        """Return the stored messages of the active path: what was compacted, too."""
        session = await self._parts.sessions.get_session(self._session_id)
        path = await self._parts.sessions.read_path(session.active_leaf_id)
        return [_with_id(entry.payload.message, entry.id) for entry in path if isinstance(entry.payload, MessagePayload)]


class _TodoList:
    """The todo list of one run, stored as entries."""

    def __init__(self, turn: Turn, items: Sequence[Mapping[str, Any]]) -> None:
        self._turn = turn
        self._items = tuple(items)

    def items(self) -> Sequence[Mapping[str, Any]]:
        """Return the list as it stands."""
        return self._items

    async def replace(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Store the whole list anew."""
        await self._turn.append(TodoPayload(tuple(items)))
        self._items = tuple(items)


def _with_id(message: Message, entry_id: int) -> Message:
    return replace(message, entry_id=entry_id)


_BLOCKED = {
    "zh": "两次压缩都没能把上下文降到阈值以下，自动压缩已暂停；可以手动压缩、换用更大的模型或开新对话。",
    "en": "Two compactions did not bring the context under the threshold; automatic compaction rests. Compact by hand, choose a larger "
    "model, or start a new session.",
}
