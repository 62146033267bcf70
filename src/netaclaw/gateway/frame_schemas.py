"""The frames of the socket as schemas of the OpenAPI document, so that TypeScript types come from one file."""

from typing import Any

from pydantic import TypeAdapter

from netaclaw.domain.events import ServerFrame
from netaclaw.gateway.entry_schemas import EntryFrame
from netaclaw.gateway.protocol import COMMANDS

_PLACE = "#/components/schemas/{model}"
_ENTRIES: TypeAdapter[Any] = TypeAdapter(EntryFrame)
_UNIONS = (("ServerFrame", TypeAdapter(ServerFrame), True), ("ClientCommand", COMMANDS, False), ("EntryFrame", _ENTRIES, False))
_OF_ENTRIES = (("SessionSnapshot", "visibleEntries"), ("TreePatch", "appended"))
"""Fields of frames that carry entries; in the frames' own classes they are plain objects, since entries are written once."""


def with_frames(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with `ServerFrame`, `ClientCommand` and all their parts among its schemas."""
    schemas = dict(document.get("components", {}).get("schemas", {}))
    for name, adapter, is_sent in _UNIONS:
        schema = adapter.json_schema(ref_template=_PLACE, mode="validation")
        parts: dict[str, Any] = schema.pop("$defs")
        if is_sent:
            parts = {part: _as_sent(definition) for part, definition in parts.items()}
        for part in parts.keys() & schemas.keys():
            if schemas[part] != parts[part] and name == "ClientCommand":  # what is sent has one form, over HTTP as well
                raise ValueError(f"two schemas are called {part}")
        schemas.update(parts)
        schemas[name] = schema
    for frame, field in _OF_ENTRIES:
        schemas[frame]["properties"][field]["items"] = {"$ref": _PLACE.format(model="EntryFrame")}
    components = {**document.get("components", {}), "schemas": dict(sorted(schemas.items()))}
    return {**document, "components": components}


def _as_sent(definition: dict[str, Any]) -> dict[str, Any]:
    """Mark as required what every frame carries: all but the fields that are left out when they are null."""
    always = [name for name, field in definition.get("properties", {}).items() if {"type": "null"} not in field.get("anyOf", [])]
    return {**definition, "required": always}
