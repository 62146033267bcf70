"""How errors look from outside: {code, message}, the message with its remedy. The one place where our errors become codes."""

from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from netaclaw.errors import (
    CommandRefused,
    NetaClawError,
    NotFoundError,
    ProviderError,
    SettingsError,
    StaleLeaf,
    StoreError,
    TranscriptError,
)

_log = structlog.get_logger(__name__)
_SHOWN_FAULTS = 3
_ANSWERS: tuple[tuple[type[NetaClawError], int, str], ...] = (
    (NotFoundError, 404, "not_found"),
    (StaleLeaf, 409, "stale"),
    (StoreError, 503, "storage_error"),
    (SettingsError, 422, "bad_request"),
    (TranscriptError, 422, "bad_request"),
    (ProviderError, 502, "provider_error"),
)
"""Kinds of errors, the narrower ones first, with HTTP status and code."""


class ErrorBody(BaseModel):
    """The answer to a request that cannot be fulfilled."""

    code: str
    message: str


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    404: {"model": ErrorBody, "description": "It does not exist"},
    409: {"model": ErrorBody, "description": "Not now"},
    422: {"model": ErrorBody, "description": "The request is not valid"},
}
"""For the OpenAPI document."""


def describe(error: Exception) -> tuple[int, ErrorBody]:
    """Return HTTP status and body for an error; what we did not raise on purpose says nothing of its inside."""
    if isinstance(error, CommandRefused):
        return (422 if error.code == "bad_request" else 409), ErrorBody(code=error.code, message=str(error))
    for kind, status, code in _ANSWERS:
        if isinstance(error, kind):
            return status, ErrorBody(code=code, message=str(error))
    return 500, ErrorBody(code="internal", message="The server failed at this request; its log says why, please report it")


def explain_validation(faults: Sequence[Mapping[str, Any]], skip: int = 0) -> str:
    """Say in one line what is wrong with which field. The values are left out: one of them may be a key."""
    lines = [_explain_fault(fault, skip) for fault in faults[:_SHOWN_FAULTS]]
    if len(faults) > _SHOWN_FAULTS:
        lines.append(f"{len(faults) - _SHOWN_FAULTS} more")
    return "; ".join(lines)


def _explain_fault(fault: Mapping[str, Any], skip: int) -> str:
    context = fault.get("ctx", {})
    match fault["type"]:
        case "union_tag_not_found":
            return "The frame has no `type`; send {type, requestId, ...}"
        case "union_tag_invalid":
            return f"Unknown frame type; send one of {str(context.get('expected_tags', '')).replace(chr(39), '')}"
    place = ".".join(str(part) for part in fault["loc"][skip:]) or "body"
    match fault["type"]:
        case "missing":
            return f"`{place}` is missing; add it"
        case "extra_forbidden":
            return f"`{place}` is not known here; leave it out"
        case "value_error":
            return f"`{place}`: {context.get('error', fault['msg'])}"
    message = str(fault["msg"])
    return f"`{place}`: {message[:1].lower()}{message[1:]}"


def install_error_handlers(app: FastAPI) -> None:
    """Make every answer that is no success a body of {code, message}."""
    app.add_exception_handler(NetaClawError, _answer_our_error)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(HTTPException, _answer_http)
    app.add_exception_handler(Exception, _answer_fault)


def error_response(status: int, code: str, message: str) -> JSONResponse:
    """Return the answer for an error."""
    return JSONResponse({"code": code, "message": message}, status_code=status)


async def _answer_our_error(_request: Request, error: Exception) -> JSONResponse:
    status, body = describe(error)
    return error_response(status, body.code, body.message)


async def _answer_invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    faults = error.errors()
    if any(fault["type"] == "json_invalid" for fault in faults):
        return error_response(422, "bad_json", "The body is not JSON; send one JSON object")
    return error_response(422, "bad_request", explain_validation(faults, skip=1))


async def _answer_http(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    match error.status_code:
        case 404:
            return error_response(404, "not_found", "There is nothing at this address; /api/openapi.json lists what there is")
        case 405:
            return error_response(405, "method_not_allowed", "This address does not know that method; /api/openapi.json lists them")
        case _:
            return error_response(error.status_code, "http_error", str(error.detail))


async def _answer_fault(request: Request, error: Exception) -> JSONResponse:
    _log.error("request failed", path=request.url.path, exc_info=error)
    status, body = describe(error)
    return error_response(status, body.code, body.message)
