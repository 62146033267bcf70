"""What the door needs of the house; `app.py` builds it, routes and sockets find it on the application."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from fastapi import Depends, Request

from netaclaw.configuration import StoredConfiguration
from netaclaw.gateway.limits import GatewayLimits
from netaclaw.gateway.metrics import Metrics
from netaclaw.runtime.ports import Conversations
from netaclaw.sessions import ConfigStore, SessionStore


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that requests are answered with."""

    conversations: Conversations
    sessions: SessionStore
    store: ConfigStore
    configuration: StoredConfiguration
    check_ready: Callable[[], Awaitable[None]]
    """Raises StoreError where the database cannot be used."""
    metrics: Metrics = field(default_factory=Metrics)
    limits: GatewayLimits = field(default_factory=GatewayLimits)


def _of_request(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


Given: TypeAlias = Annotated[Services, Depends(_of_request)]
"""The services, as the argument of a route."""
