"""The frames of the socket as schemas of the OpenAPI document, so that TypeScript types come from one file."""

from typing import Any

from pydantic import TypeAdapter

from netaclaw.domain.events import ServerFrame
from netaclaw.gateway.protocol import COMMANDS

_PLACE = "#/components/schemas/{model}"
_UNIONS = (("ServerFrame", TypeAdapter(ServerFrame), True), ("ClientCommand", COMMANDS, False))


def with_frames(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with `ServerFrame`, `ClientCommand` and all their parts among its schemas."""
    schemas = dict(document.get("components", {}).get("schemas", {}))
    for name, adapter, is_sent in _UNIONS:
        schema = adapter.json_schema(ref_template=_PLACE, mode="validation")
        parts: dict[str, Any] = schema.pop("$defs")
        if is_sent:
            parts = {part: _as_sent(definition) for part, definition in parts.items()}
        for part in parts.keys() & schemas.keys():
            if schemas[part] != parts[part]:
                raise ValueError(f"two schemas are called {part}")
        schemas.update(parts)
        schemas[name] = schema
    components = {**document.get("components", {}), "schemas": dict(sorted(schemas.items()))}
    return {**document, "components": components}


def _as_sent(definition: dict[str, Any]) -> dict[str, Any]:
    """Mark as required what every frame carries: all but the fields that are left out when they are null."""
    always = [name for name, field in definition.get("properties", {}).items() if {"type": "null"} not in field.get("anyOf", [])]
    return {**definition, "required": always}
