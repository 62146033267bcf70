"""Sessions: list, search, create, rename, delete, and the two things one reads of them, history and next request."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Query
from pydantic import Field

from netaclaw.domain.entries import Session
from netaclaw.domain.events import SessionState
from netaclaw.gateway.entry_schemas import HistoryPage, NextRequest
from netaclaw.gateway.services import Given, Services
from netaclaw.gateway.wire import PathId, Wire

router = APIRouter(prefix="/api/sessions", tags=["sessions"])

_MAX_TITLE = 200


class SessionBody(Wire):
    """A session."""

    id: int
    title: str
    agent_id: int | None
    active_leaf_id: int | None
    revision: int
    created_at: datetime
    updated_at: datetime
    is_compacted: bool
    """Whether the next request rests on a summary."""
    compaction_count: int
    """On how many, each written over the one before."""
    state: SessionState

    @classmethod
    def of(cls, session: Session, compaction_count: int, state: SessionState) -> Self:
        """Return the body of a session."""
        return cls(
            id=session.id,
            title=session.title,
            agent_id=session.agent_id,
            active_leaf_id=session.active_leaf_id,
            revision=session.revision,
            created_at=session.created_at,
            updated_at=session.updated_at,
            is_compacted=compaction_count > 0,
            compaction_count=compaction_count,
            state=state,
        )


class SessionList(Wire):
    """A page of sessions, most recently changed first."""

    sessions: list[SessionBody]
    has_more: bool


class NewSession(Wire):
    """A session to be made. Without an agent it gets the first one there is."""

    title: str = Field(default="", max_length=_MAX_TITLE)
    agent_id: int | None = None


class SessionChange(Wire):
    """What to change; fields that are left out stay."""

    title: str | None = Field(default=None, max_length=_MAX_TITLE)
    agent_id: int | None = None


@router.get("")
async def list_sessions(
    given: Given,
    query: Annotated[str | None, Query(max_length=_MAX_TITLE, description="Words of the title")] = None,
    before: Annotated[int | None, Query(ge=1, description="Id of the last session of the page before")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> SessionList:
    """List sessions, most recently changed first."""
    found = await given.sessions.list_sessions(limit + 1, before, query)
    return SessionList(sessions=await _bodies(found[:limit], given), has_more=len(found) > limit)


@router.post("", status_code=201)
async def create_session(body: NewSession, given: Given) -> SessionBody:
    """Make a session."""
    agent_id = body.agent_id
    if agent_id is None:
        agents = await given.store.agents.list()
        agent_id = agents[0].id if agents else None
    else:
        await given.store.agents.get(agent_id)
    return await _body(await given.sessions.create_session(body.title.strip(), agent_id), given)


@router.get("/{session_id}")
async def read_session(session_id: PathId, given: Given) -> SessionBody:
    """Read one session."""
    return await _body(await given.sessions.get_session(session_id), given)


@router.patch("/{session_id}")
async def change_session(session_id: PathId, body: SessionChange, given: Given) -> SessionBody:
    """Rename a session, or let another agent answer in it."""
    session = await given.sessions.get_session(session_id)
    if body.agent_id is not None:
        await given.store.agents.get(body.agent_id)
        session = await given.sessions.set_agent(session_id, body.agent_id)
    if body.title is not None:
        session = await given.sessions.rename(session_id, body.title.strip())
    return await _body(session, given)


@router.delete("/{session_id}", status_code=204)
async def delete_session(session_id: PathId, given: Given) -> None:
    """Stop what runs in a session and delete it with all its entries."""
    await given.conversations.delete(session_id)


@router.get("/{session_id}/history", response_model=None, responses={200: {"model": HistoryPage}})
async def read_history(
    session_id: PathId,
    given: Given,
    view: Annotated[Literal["compacted", "full"], Query(description="What the next request carries, or everything")] = "compacted",
    before: Annotated[int | None, Query(ge=1, description="Id of the first entry of the page after")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> dict[str, Any]:
    """Read a page of the active path."""
    return await given.conversations.history(session_id, view, before, limit)


@router.get("/{session_id}/context", response_model=None, responses={200: {"model": NextRequest}})
async def read_context(session_id: PathId, given: Given) -> dict[str, Any]:
    """Read the exact next model request."""
    return await given.conversations.next_request(session_id)


async def _body(session: Session, given: Services) -> SessionBody:
    return (await _bodies([session], given))[0]


async def _bodies(sessions: Sequence[Session], given: Services) -> list[SessionBody]:
    counts = await given.sessions.compaction_counts([session.id for session in sessions])
    return [SessionBody.of(session, counts.get(session.id, 0), given.conversations.state(session.id)) for session in sessions]
