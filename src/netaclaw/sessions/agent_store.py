"""Agents: who answers in a session."""

from dataclasses import asdict
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.domain.agents import Agent
from netaclaw.errors import NotFoundError
from netaclaw.sessions import tables
from netaclaw.sessions.transactions import finishes_when_cancelled, reading, writing

_agent = tables.agent


@finishes_when_cancelled
class AgentStore:
    """All agents."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, agent: Agent) -> Agent:
        """Store a new agent and return it with the id that it was given."""
        async with writing(self._engine) as connection:
            return _from_row((await connection.execute(insert(_agent).values(_values(agent)).returning(*_agent.c))).one())

    async def update(self, agent: Agent) -> Agent:
        """Replace an agent. Raises NotFoundError."""
        changed = update(_agent).where(_agent.c.id == agent.id).values(_values(agent)).returning(*_agent.c)
        async with writing(self._engine) as connection:
            return _from_row(_existing((await connection.execute(changed)).first(), agent.id))

    async def delete(self, agent_id: int) -> None:
        """Delete an agent; its sessions stay, without an agent. Raises NotFoundError."""
        async with writing(self._engine) as connection:
            _existing((await connection.execute(delete(_agent).where(_agent.c.id == agent_id).returning(_agent.c.id))).first(), agent_id)

    async def get(self, agent_id: int) -> Agent:
        """Return an agent. Raises NotFoundError."""
        async with reading(self._engine) as connection:
            return _from_row(_existing((await connection.execute(select(_agent).where(_agent.c.id == agent_id))).first(), agent_id))

    async def list(self) -> tuple[Agent, ...]:
        """Return all agents in order of creation."""
        async with reading(self._engine) as connection:
            return tuple(_from_row(row) for row in await connection.execute(select(_agent).order_by(_agent.c.id)))


def _values(agent: Agent) -> dict[str, Any]:
    return {name: value for name, value in asdict(agent).items() if name != "id"}


def _from_row(row: Row[Any]) -> Agent:
    return Agent(**{**row._mapping, "tools": tuple(row.tools)})


def _existing(row: Row[Any] | None, agent_id: int) -> Row[Any]:
    if row is None:
        raise NotFoundError(f"There is no agent {agent_id}; add one under agents")
    return row
