"""Who may come in while there are no users: only pages of this very server, called by a name of the loopback.

A foreign page in the same browser can reach the loopback, too. Its Origin gives it away, and where it has bound a name of its own
to 127.0.0.1 (DNS rebinding), the Host does.
"""

import ipaddress

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_DEFAULT_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}


def is_loopback(host: str) -> bool:
    """Whether an address or name can be reached from this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class LoopbackOnly:
    """Refuses requests and sockets whose Host or Origin is not a loopback name with the port of this server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403 or hand on."""
        if scope["type"] not in ("http", "websocket") or (fault := _fault(scope)) is None:
            await self._app(scope, receive, send)
            return
        if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": fault[:120]})
            return
        await JSONResponse({"code": "forbidden", "message": fault}, status_code=403)(scope, receive, send)


def _fault(scope: Scope) -> str | None:
    headers = Headers(scope=scope)
    port = scope["server"][1] if scope.get("server") else None
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    if len(hosts) != 1 or not _is_ours(hosts[0], scope["scheme"], port):
        return f"The Host of this request is not this server; open http://127.0.0.1:{port}"
    for origin in origins:
        scheme, separator, rest = origin.partition("://")
        if not separator or scheme not in ("http", "https") or not _is_ours(rest, scheme, port):
            return f"Requests from other pages are refused; open http://127.0.0.1:{port}"
    return None


def _is_ours(authority: str, scheme: str, port: int | None) -> bool:
    host, separator, digits = authority.rpartition(":")
    if not separator or authority.endswith("]"):
        host, digits = authority, str(_DEFAULT_PORTS[scheme])
    return is_loopback(host) and digits == str(port)
