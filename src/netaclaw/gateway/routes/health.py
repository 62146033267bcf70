"""Is it alive, can it work, what has it done: for whoever watches the server."""

from fastapi import APIRouter, Response

from netaclaw.gateway.services import Given
from netaclaw.gateway.wire import Wire

router = APIRouter(tags=["health"])

_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class Health(Wire):
    """One word."""

    status: str


@router.get("/healthz")
async def healthz() -> Health:
    """Answer while the process lives."""
    return Health(status="ok")


@router.get("/readyz")
async def readyz(given: Given) -> Health:
    """Answer 200 while the database can be used, else 503."""
    await given.check_ready()
    return Health(status="ready")


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(given: Given) -> Response:
    """Return the figures for Prometheus."""
    return Response(given.metrics.text(), media_type=_PROMETHEUS)
