"""The command `import`: each transcript becomes a session, with every message as an entry."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from netaclaw.commands.opening import opened
from netaclaw.compaction import CompactionSettings, message_counter
from netaclaw.domain.entries import MessagePayload, NoticePayload, Session
from netaclaw.domain.messages import Message
from netaclaw.errors import TranscriptError
from netaclaw.runtime.user_message import title_of
from netaclaw.sessions import NewEntry, SessionStore
from netaclaw.settings import Settings
from netaclaw.terminal.source import display_name, say_warnings
from netaclaw.transcripts import Transcript, read_transcript

_COUNT = message_counter(CompactionSettings(window_tokens=128_000, counter="o200k"))


def run_import(settings: Settings, files: Sequence[str], transcript_format: str) -> int:
    """Read all files, then store them; one that cannot be read stops the import before anything is written.

    Raises TranscriptError and StoreError.
    """
    transcripts = [(file, _read(file, transcript_format)) for file in files]
    for file, session, transcript in asyncio.run(_store(settings, transcripts)):
        say_warnings(transcript.warnings)
        print(f"session {session.id}: {len(transcript):,} messages of {display_name(file)} ({transcript.format})")
    return 0


def _read(file: str, transcript_format: str) -> Transcript:
    transcript = read_transcript(file, format=transcript_format)
    if not any(message.role != "system" for message in transcript):
        raise TranscriptError(display_name(file), "has no messages of a conversation", "give a transcript with some")
    return transcript


async def _store(settings: Settings, transcripts: Sequence[tuple[str, Transcript]]) -> list[tuple[str, Session, Transcript]]:
    async with opened(settings) as parts:
        agents = await parts.store.agents.list()
        agent_id = agents[0].id if agents else None
        return [(file, await _store_one(parts.sessions, agent_id, file, transcript), transcript) for file, transcript in transcripts]


async def _store_one(sessions: SessionStore, agent_id: int | None, file: str, transcript: Transcript) -> Session:
    session = await sessions.create_session(_title(transcript, file), agent_id)
    try:
        await sessions.append_many(session.id, None, [_entry(message) for message in transcript])
    except BaseException:  # an empty session would look like a lost one
        await sessions.delete_session(session.id)
        raise
    return session


def _entry(message: Message) -> NewEntry:
    """A system prompt becomes a note, since the agent has its own; usage is dropped, since other requests were counted."""
    if message.role == "system":
        return NewEntry(NoticePayload("note", message.text, details={"importedRole": "system"}))
    bare = replace(message, tokens=None, usage=None, entry_id=None)
    return NewEntry(MessagePayload(bare), _COUNT(bare))


def _title(transcript: Transcript, file: str) -> str:
    asked = next((message.text for message in transcript if message.is_human_request and message.text.strip()), Path(file).name)
    return title_of(asked)
