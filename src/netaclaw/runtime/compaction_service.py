"""One compaction of one session: decide, ask the auxiliary model, append one entry, tell everyone (DESIGN section 5).

A start is always followed by exactly one done or failed. Nothing is written unless the leaf that it was computed from is still on
the active path and the same compaction governs.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import structlog

from netaclaw.agent.undisturbed import undisturbed
from netaclaw.compaction import CompactionResult, compact
from netaclaw.compaction.plan import Summarize
from netaclaw.compaction.settings import Language
from netaclaw.domain.agents import Channel
from netaclaw.domain.entries import Entry, NoticePayload, Payload, Trigger
from netaclaw.domain.events import CompactionDone, CompactionFailed, CompactionProgress, CompactionStart, SessionEvent
from netaclaw.errors import CommandRefused, FailureReason, NotFoundError, ProviderError, StaleLeaf, StoreError, SummarizerError
from netaclaw.providers.auxiliary import summarizer_for
from netaclaw.runtime import compaction_words as words
from netaclaw.runtime.auxiliary import resolve_auxiliary
from netaclaw.runtime.compaction_entry import Circumstances, payload_of
from netaclaw.runtime.engine_input import engine_messages, engine_settings, settings_used
from netaclaw.runtime.frames import compaction_count, tree_patch
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.runtime.summary_stream import SummaryStream
from netaclaw.runtime.thrash import after_failure, after_success, may_start
from netaclaw.runtime.view import SessionView, load_view, todo_of

_log = structlog.get_logger(__name__)
_COMMIT_TRIES = 5


class CompactionService:
    """Compacts sessions; one compaction a session at a time."""

    def __init__(self, parts: RuntimeParts) -> None:
        self._parts = parts
        self._running: dict[int, float] = {}

    def started_at(self, session_id: int) -> float | None:
        """Return when the compaction that runs in a session began, in Unix seconds; None where none runs."""
        return self._running.get(session_id)

    async def ensure_fits(self, view: SessionView, trigger: Trigger = "auto") -> bool:
        """Compact automatically if the context has reached the threshold and automatic compaction may start. True if one was committed."""
        if not view.is_over or not view.is_auto or not may_start(view.state, self._parts.clock()):
            return False
        return await self.compact(view.session.id, trigger)

    async def compact(self, session_id: int, trigger: Trigger, focus: str | None = None) -> bool:
        """Compact a session and return whether something was committed.

        Raises CommandRefused `busy` while another one runs; NotFoundError; asyncio.CancelledError after telling that it was cancelled.
        """
        if session_id in self._running:
            raise CommandRefused("busy", "This session is being compacted already; wait until that has ended")
        self._running[session_id] = self._parts.clock().timestamp()
        try:
            return await _Attempt(self._parts, session_id, trigger, focus).carry_out()
        finally:
            self._running.pop(session_id, None)


@dataclass(frozen=True, slots=True)
class _Writer:
    """The channel that wrote the summary."""

    channel: Channel
    is_fallback: bool = False
    """Whether the main model stepped in for the auxiliary one."""


class _Attempt:
    """One compaction from its start event to its end event."""

    def __init__(self, parts: RuntimeParts, session_id: int, trigger: Trigger, focus: str | None) -> None:
        self._parts = parts
        self._session_id = session_id
        self._trigger = trigger
        self._focus = focus
        self._began = parts.clock()
        self._stream = SummaryStream(session_id, self._tell)
        self._view: SessionView | None = None
        """The session as it was compacted; None until it was read."""
        self._chosen: Channel | None = None
        """The channel that is to write the summary."""
        self._end: Literal["done", "failed", "cancelled"] | None = None
        """What was told; nothing is told after it."""

    async def carry_out(self) -> bool:
        is_manual = self._trigger == "manual"
        self._tell(CompactionStart(session_id=self._session_id, reason="manual" if is_manual else "auto", trigger=self._trigger))
        try:
            await self._parts.runs.start(self._session_id, "compaction", {"trigger": self._trigger})
            await self._work()
        except asyncio.CancelledError:
            await self._fail("cancelled", words.CANCELLED[self._language])
            raise
        except StoreError as error:
            await self._fail("storage_error", words.not_stored(error, self._language))
        finally:
            await self._fail("auxiliary_error", words.UNEXPECTED[self._language])
            await undisturbed(self._record_end())
        return self._end == "done"

    @property
    def _language(self) -> Language:
        return self._view.language if self._view else "en"

    async def _work(self) -> None:
        view = self._view = await load_view(self._parts, self._session_id)
        try:
            result, writer = await self._result(view)
        except SummarizerError as error:
            await self._fail(error.reason, str(error))
            return
        if result.status in ("failed", "not_needed"):
            await self._fail(result.reason or "nothing_to_compact", result.error or words.NOTHING_TO_COMPACT[view.language])
            return
        try:
            await undisturbed(self._commit_and_tell(view, result, writer))
        except StaleLeaf:
            await self._fail("stale", words.STALE[view.language])

    async def _result(self, view: SessionView) -> tuple[CompactionResult, _Writer]:
        """Ask the main model once more where the agent allows it and the auxiliary one failed."""
        choice = await resolve_auxiliary(view.agent, view.channel, self._parts.configuration, view.language)
        result = await self._ask(view, choice.channel)
        may_fall_back = view.agent.use_main_model_when_auxiliary_fails and not choice.is_chat_channel and view.channel is not None
        if result.status == "failed" and may_fall_back and (result.reason or "").startswith("auxiliary_"):
            assert view.channel is not None
            return await self._ask(view, view.channel), _Writer(view.channel, is_fallback=True)
        return result, _Writer(choice.channel)

    async def _ask(self, view: SessionView, channel: Channel) -> CompactionResult:
        self._chosen = channel
        return await compact(
            engine_messages(view),
            engine_settings(view),
            self._summarizer(channel),
            focus=self._focus,
            force=self._trigger in ("manual", "overflow"),
            progress=self._progress(),
        )

    def _summarizer(self, channel: Channel) -> Summarize:
        try:
            client = self._parts.open_client(channel)
        except ProviderError as error:
            raise SummarizerError("auxiliary_unavailable", str(error)) from error
        stream = self._stream
        return stream.watching(
            summarizer_for(client, channel, on_delta=stream.show, on_restart=stream.begin_anew, patience=self._parts.patience)
        )

    def _progress(self) -> Callable[[str, int, int], None]:
        def show(stage: str, done: int, total: int) -> None:
            self._tell(CompactionProgress(session_id=self._session_id, stage=stage, done=done, total=total))

        return show

    async def _commit_and_tell(self, view: SessionView, result: CompactionResult, writer: _Writer) -> None:
        """One piece: a stop either comes before it, or finds the compaction done."""
        entry = await self._commit(view, result, writer)
        self._succeed(result, entry)
        state = await self._parts.states.get(self._session_id)
        await self._parts.states.put(after_success(state, is_manual=self._trigger == "manual"))

    async def _commit(self, view: SessionView, result: CompactionResult, writer: _Writer) -> Entry:
        """Append the entry at the leaf as it is now. Raises StaleLeaf if the old leaf or the governing compaction is gone from the path."""
        in_force = view.read.replacements
        payload = payload_of(
            result,
            Circumstances(
                trigger=self._trigger,
                governing=view.read.governing,
                texts_in_force=in_force.texts,
                arguments_in_force=in_force.arguments,
                focus=self._focus,
                channel=writer.channel.name,
                model=writer.channel.model,
                duration_ms=self._milliseconds(),
                settings={**settings_used(view), "fallbackUsed": writer.is_fallback},
                state={
                    "compactionCount": compaction_count(view) + (result.status == "compacted"),
                    "todo": [dict(item) for item in todo_of(view)],
                },
            ),
        )
        for _ in range(_COMMIT_TRIES):
            session = await self._parts.sessions.get_session(self._session_id)
            if session.active_leaf_id != view.session.active_leaf_id:
                await self._still_fits(view, session.active_leaf_id)
            try:
                return await self._append(session.active_leaf_id, payload)
            except StaleLeaf:
                continue
        raise StaleLeaf("the conversation keeps changing")

    async def _still_fits(self, view: SessionView, leaf_id: int | None) -> None:
        now = await self._parts.sessions.read_context(self._session_id, leaf_id)
        same_governing = (now.governing.id if now.governing else None) == (view.read.governing.id if view.read.governing else None)
        if not same_governing or view.session.active_leaf_id not in {entry.id for entry in now.entries}:
            raise StaleLeaf("the conversation was changed")

    async def _append(self, leaf_id: int | None, payload: Payload) -> Entry:
        entry = await self._parts.sessions.append(self._session_id, leaf_id, payload)
        session = await self._parts.sessions.get_session(self._session_id)
        self._tell(tree_patch(self._session_id, session.revision, [entry], entry.id))
        return entry

    def _succeed(self, result: CompactionResult, entry: Entry) -> None:
        self._end = "done"
        saved = result.tokens_before - result.tokens_after
        self._parts.meter.compaction_ended(
            self._trigger, "summary" if result.status == "compacted" else "prune", saved, self._milliseconds() / 1_000
        )
        self._tell(
            CompactionDone(
                session_id=self._session_id,
                removed_count=result.removed_count if result.status == "compacted" else 0,
                pruned_count=result.pruned_count,
                summary_message_id=entry.id,
                tokens_before=result.tokens_before,
                tokens_after=result.tokens_after,
                reason="ineffective" if result.reason == "ineffective" else None,
            )
        )

    async def _fail(self, reason: FailureReason, error: str) -> None:
        """Tell the failure, unless an end has been told."""
        if self._end is None:
            self._end = "cancelled" if reason == "cancelled" else "failed"
            await undisturbed(self._record_failure(reason, error))

    async def _record_failure(self, reason: FailureReason, error: str) -> None:
        """Keep it in the tree as a notice and let automatic compaction rest; tell it even if the database refuses both."""
        try:
            session = await self._parts.sessions.get_session(self._session_id)
            notice = NoticePayload("compaction_event", error, reason, self._circumstances())
            await self._append(session.active_leaf_id, notice)
            if self._trigger != "manual" and reason != "cancelled":
                state = await self._parts.states.get(self._session_id)
                await self._parts.states.put(after_failure(state, self._parts.clock()))
        except (StoreError, NotFoundError):
            _log.exception("failed_compaction_not_stored", session_id=self._session_id, reason=reason)
        finally:
            self._parts.meter.compaction_ended(self._trigger, reason, 0, self._milliseconds() / 1_000)
            self._tell(CompactionFailed(session_id=self._session_id, error=error, reason=reason))

    def _circumstances(self) -> dict[str, Any]:
        """Return what is known of a compaction that failed, by the names of one that did not."""
        known = {
            "trigger": self._trigger,
            "tokensBefore": self._view.size.used_tokens if self._view else None,
            "durationMs": self._milliseconds(),
            "channel": self._chosen.name if self._chosen else None,
        }
        return {name: value for name, value in known.items() if value is not None}

    async def _record_end(self) -> None:
        """Where the database refuses, the next start of the server ends the run there."""
        try:
            for run in await self._parts.runs.running(self._session_id):
                if run.kind == "compaction":
                    await self._parts.runs.finish(run.id, self._end or "failed")
        except StoreError:
            _log.exception("end_of_compaction_not_stored", session_id=self._session_id)

    def _tell(self, event: SessionEvent) -> None:
        self._parts.hub.publish(self._session_id, event)

    def _milliseconds(self) -> int:
        return round((self._parts.clock() - self._began).total_seconds() * 1_000)
