"""The command `export`: the active path of a session as a transcript."""

import asyncio
from typing import Literal, TypeAlias

from netaclaw.commands.opening import opened
from netaclaw.compaction import detect_language
from netaclaw.context.builder import build_context
from netaclaw.domain.entries import MessagePayload
from netaclaw.domain.messages import Message
from netaclaw.errors import NotFoundError, SettingsError
from netaclaw.sessions import SessionStore
from netaclaw.settings import Settings
from netaclaw.transcripts import write_transcript

View: TypeAlias = Literal["full", "compacted"]

_FORMATS = ("openai", "anthropic", "neutral")


def run_export(settings: Settings, session_id: int, transcript_format: str, view: str, out: str | None) -> int:
    """Write a session to a file or to standard output. Raises SettingsError, NotFoundError, StoreError and TranscriptError."""
    if transcript_format not in _FORMATS:
        raise SettingsError(f"--format: {transcript_format!r} is no format that is written; use one of {', '.join(_FORMATS)}")
    if view not in ("full", "compacted"):
        raise SettingsError(f"--view: {view!r} is no view; use full or compacted")
    messages = asyncio.run(_read(settings, session_id, view == "full"))
    if not messages:
        raise NotFoundError(f"Session {session_id} has no messages to export")
    write_transcript(messages, out or "-", transcript_format)
    return 0


async def _read(settings: Settings, session_id: int, is_full: bool) -> tuple[Message, ...]:
    async with opened(settings) as parts:
        sessions = parts.sessions
        leaf_id = (await sessions.get_session(session_id)).active_leaf_id
        return await (_full(sessions, leaf_id) if is_full else _compacted(sessions, session_id, leaf_id))


async def _full(sessions: SessionStore, leaf_id: int | None) -> tuple[Message, ...]:
    path = await sessions.read_path(leaf_id)
    return tuple(entry.payload.message for entry in path if isinstance(entry.payload, MessagePayload))


async def _compacted(sessions: SessionStore, session_id: int, leaf_id: int | None) -> tuple[Message, ...]:
    read = await sessions.read_context(session_id, leaf_id)
    said = [entry.payload.message for entry in read.entries if isinstance(entry.payload, MessagePayload)]
    return build_context(read, language=detect_language(said)).request
