"""The built page, with the headers that keep foreign code out of it, and its own addresses answered by its first file."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

PAGE_FOLDER = Path(__file__).resolve().parent.parent / "static"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # Element Plus places its pop-ups with style attributes
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_SECURITY = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
_FRESH = {"Cache-Control": "no-cache"}
_NO_PAGES = ("api", "assets", "ws", "healthz", "readyz", "metrics")


def mount_page(app: FastAPI, folder: Path) -> None:
    """Serve the page in `folder` at every address that nothing else answers; call it last."""

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str) -> Response:
        return page_response(folder, path)


def page_response(folder: Path, path: str) -> Response:
    """Return a file of the page, or its first file for an address that the page itself understands. Raises HTTPException 404."""
    root = folder.resolve()
    file = (root / path).resolve()
    if file.is_file() and file.is_relative_to(root):
        caching = _FOREVER if path.startswith("assets/") else _FRESH
        return FileResponse(file, headers={**_SECURITY, **caching})
    if path.split("/", 1)[0] in _NO_PAGES or "." in path.rsplit("/", 1)[-1]:
        raise HTTPException(404)
    if not (root / "index.html").is_file():
        return PlainTextResponse("The page is not built; run `make setup`. The API is described at /api/openapi.json\n", 503)
    return FileResponse(root / "index.html", headers={**_SECURITY, **_FRESH})
