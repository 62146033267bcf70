"""Agents: who answers, with which channel and tools, and when it is compacted."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

from fastapi import APIRouter
from pydantic import Field

from netaclaw.domain.agents import Agent, AuxiliaryMode, ThinkingLevel
from netaclaw.errors import CommandRefused
from netaclaw.gateway.services import Given, Services
from netaclaw.gateway.wire import PathId, Wire
from netaclaw.tools.registry import BUILT_IN_TOOLS

router = APIRouter(prefix="/api/agents", tags=["agents"])

Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]
Threshold: TypeAlias = Annotated[int, Field(ge=30, le=95, multiple_of=5, description="Percent of the window; null inherits")]
ProtectFirst: TypeAlias = Annotated[int, Field(ge=1, le=10, description="Messages at the start; null inherits")]


class NewAgent(Wire):
    """An agent to be made; null inherits the system's setting."""

    name: Name
    prompt: str = Field(default="", max_length=400_000)
    channel_id: int | None = None
    thinking_level: ThinkingLevel = "off"
    tools: tuple[str, ...] = ()
    auxiliary_model_channel_id: int | None = None
    auxiliary_mode: AuxiliaryMode = "inherit"
    compaction_strategy: Literal["lossy"] = "lossy"
    compaction_threshold_percent: Threshold | None = None
    compaction_protect_first_n: ProtectFirst | None = None
    is_auto_compaction: bool = True
    use_main_model_when_auxiliary_fails: bool = False
    workspace: str | None = Field(default=None, max_length=4_096)
    max_steps: int = Field(default=50, ge=1, le=1_000)


class AgentBody(NewAgent):
    """An agent."""

    id: int

    @classmethod
    def of(cls, agent: Agent) -> Self:
        """Return the body of an agent, whatever its row holds."""
        return cls.model_construct(**{name: getattr(agent, name) for name in cls.model_fields})


class AgentChange(Wire):
    """What to change; fields that are left out stay, null inherits."""

    name: Name | None = None
    prompt: str | None = Field(default=None, max_length=400_000)
    channel_id: int | None = None
    thinking_level: ThinkingLevel | None = None
    tools: tuple[str, ...] | None = None
    auxiliary_model_channel_id: int | None = None
    auxiliary_mode: AuxiliaryMode | None = None
    compaction_strategy: Literal["lossy"] | None = None
    compaction_threshold_percent: Threshold | None = None
    compaction_protect_first_n: ProtectFirst | None = None
    is_auto_compaction: bool | None = None
    use_main_model_when_auxiliary_fails: bool | None = None
    workspace: str | None = Field(default=None, max_length=4_096)
    max_steps: int | None = Field(default=None, ge=1, le=1_000)

    def applied_to(self, agent: Agent) -> Agent:
        """Return the agent with the changes; a null where null means nothing leaves the field as it is."""
        given = {name: getattr(self, name) for name in self.model_fields_set}
        return replace(agent, **{name: value for name, value in given.items() if value is not None or name in _MAY_BE_NULL})


_MAY_BE_NULL = (
    "channel_id",
    "auxiliary_model_channel_id",
    "compaction_threshold_percent",
    "compaction_protect_first_n",
    "workspace",
)


class AgentList(Wire):
    """All agents."""

    agents: list[AgentBody]


@router.get("")
async def list_agents(given: Given) -> AgentList:
    """List all agents."""
    return AgentList.model_construct(agents=[AgentBody.of(agent) for agent in await given.store.agents.list()])


@router.post("", status_code=201)
async def create_agent(body: NewAgent, given: Given) -> AgentBody:
    """Make an agent."""
    fields: dict[str, Any] = {name: getattr(body, name) for name in NewAgent.model_fields}
    agent = await _checked(Agent(id=0, **fields), Agent(id=0, name=""), given)
    return AgentBody.of(await given.store.agents.add(agent))


@router.get("/{agent_id}")
async def read_agent(agent_id: PathId, given: Given) -> AgentBody:
    """Read one agent."""
    return AgentBody.of(await given.store.agents.get(agent_id))


@router.patch("/{agent_id}")
async def change_agent(agent_id: PathId, body: AgentChange, given: Given) -> AgentBody:
    """Change an agent; the next model request already follows."""
    before = await given.store.agents.get(agent_id)
    after = await _checked(body.applied_to(before), before, given)
    return AgentBody.of(await given.store.agents.update(after))


@router.delete("/{agent_id}", status_code=204)
async def delete_agent(agent_id: PathId, given: Given) -> None:
    """Delete an agent; its sessions stay, without an agent."""
    await given.store.agents.delete(agent_id)


async def _checked(agent: Agent, before: Agent, services: Services) -> Agent:
    """Return the agent if what changed in it can be used; old faults do not stand in the way of a change elsewhere."""
    changed = {name for name, value in asdict(agent).items() if value != getattr(before, name)}
    if "tools" in changed:
        _check_tools(agent)
    if "workspace" in changed and agent.workspace is not None:
        _check_workspace(agent.workspace)
    if "channel_id" in changed and agent.channel_id is not None:
        await services.store.channels.get(agent.channel_id)
    if {"auxiliary_mode", "auxiliary_model_channel_id"} & changed:
        await _check_auxiliary(agent, services)
    return replace(agent, name=agent.name.strip())


def _check_tools(agent: Agent) -> None:
    unknown = [name for name in agent.tools if name not in BUILT_IN_TOOLS]
    if unknown:
        raise CommandRefused("bad_request", f"There is no tool '{unknown[0]}'; choose from {', '.join(BUILT_IN_TOOLS)}")


def _check_workspace(workspace: str) -> None:
    folder = Path(workspace)
    if not folder.is_absolute() or not folder.is_dir():
        raise CommandRefused("bad_request", f"The workspace {workspace} is no folder of the server; give the full path of one")


async def _check_auxiliary(agent: Agent, services: Services) -> None:
    if agent.auxiliary_model_channel_id is None:
        if agent.auxiliary_mode == "channel":
            raise CommandRefused("bad_request", "`auxiliaryMode` channel needs `auxiliaryModelChannelId`; name a channel")
        return
    channel = await services.store.channels.get(agent.auxiliary_model_channel_id)
    if not channel.is_auxiliary:
        raise CommandRefused("bad_request", f"Channel '{channel.name}' may not write summaries; tick it as auxiliary first")
