"""The door put together: routes, socket, page, and in front of them who may come in."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.middleware import Middleware
from starlette.routing import WebSocketRoute

from netaclaw import __version__
from netaclaw.gateway.access import LoopbackOnly
from netaclaw.gateway.body_limit import BodyLimit
from netaclaw.gateway.errors import ERROR_RESPONSES, install_error_handlers
from netaclaw.gateway.frame_schemas import with_frames
from netaclaw.gateway.limits import GatewayLimits
from netaclaw.gateway.routes import agents, channels, dictionary, health, models, sessions, tools
from netaclaw.gateway.static import mount_page
from netaclaw.gateway.websocket import socket_endpoint

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def build_gateway(page_folder: Path, limits: GatewayLimits, lifespan: Lifespan | None = None) -> FastAPI:
    """Return the application. Its lifespan puts a `Services` into `app.state.services` before the first request."""
    app = FastAPI(
        title="NetaClaw",
        version=__version__,
        description="Chat with agents whose conversations never end at the context window. Frames of `/ws` are among the schemas.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        middleware=[Middleware(LoopbackOnly), Middleware(BodyLimit, max_bytes=limits.max_frame_bytes)],
        separate_input_output_schemas=False,
    )
    install_error_handlers(app)
    for resource in (sessions, agents, channels, dictionary, models, tools):
        app.include_router(resource.router, responses=ERROR_RESPONSES)
    app.include_router(health.router)
    app.router.routes.append(WebSocketRoute("/ws", socket_endpoint))
    mount_page(app, page_folder)
    _describe_frames_too(app)
    return app


def _describe_frames_too(app: FastAPI) -> None:
    routes_only = app.openapi

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = with_frames(routes_only())
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # FastAPI's documented way to extend the document
