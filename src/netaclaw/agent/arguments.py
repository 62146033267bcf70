"""The arguments of a call: JSON text in, a checked object out, or what the model should do about it."""

import json
from collections.abc import Mapping
from typing import Any

from netaclaw.tools.base import ToolOutput, failure

_MAX_FAULTS = 5


def parse_arguments(text: str, schema: Mapping[str, Any]) -> dict[str, Any] | ToolOutput:
    """Return the arguments as the schema wants them, or the failure that tells the model what to mend."""
    try:
        value = json.loads(text) if text.strip() else {}
        if isinstance(value, str):  # encoded twice
            value = json.loads(value)
    except (ValueError, RecursionError) as error:
        return failure(f"The arguments are no valid JSON ({error}); nothing was run. Send the call again, complete.")
    if not isinstance(value, dict):
        return failure("The arguments must be a JSON object; nothing was run. Send the call again.")
    faults: list[str] = []
    checked = _object(value, schema, "", faults)
    if faults:
        return failure(f"{'; '.join(faults[:_MAX_FAULTS])}; nothing was run. Send the call again with this mended.")
    return checked


_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def _object(value: dict[str, Any], schema: Mapping[str, Any], place: str, faults: list[str]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    # A null for something that may be left out means that it was left out.
    given = {key: item for key, item in value.items() if item is not None or key in required}
    faults += [f"{place}{key} is missing" for key in required if key not in given]
    if schema.get("additionalProperties") is False:
        faults += [f"{place}{key} is unknown" for key in given if key not in properties]
    return {key: _value(item, properties[key], f"{place}{key}", faults) if key in properties else item for key, item in given.items()}


def _value(value: Any, schema: Mapping[str, Any], place: str, faults: list[str]) -> Any:
    value = _coerced(value, schema.get("type"))
    kind = schema.get("type")
    if isinstance(kind, str) and not _is_of(value, kind):
        faults.append(f"{place} must be of type {kind}")
        return value
    if "enum" in schema and value not in schema["enum"]:
        faults.append(f"{place} must be one of {', '.join(map(str, schema['enum']))}")
    _check_size(value, schema, place, faults)
    if isinstance(value, dict):
        return _object(value, schema, f"{place}.", faults)
    if isinstance(value, list) and "items" in schema:
        return [_value(item, schema["items"], f"{place}[{number}]", faults) for number, item in enumerate(value)]
    return value


def _check_size(value: Any, schema: Mapping[str, Any], place: str, faults: list[str]) -> None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        if value < schema.get("minimum", value):
            faults.append(f"{place} must be {schema['minimum']} or more")
        if value > schema.get("maximum", value):
            faults.append(f"{place} must be {schema['maximum']} or less")
    if isinstance(value, str) and len(value) < schema.get("minLength", 0):
        faults.append(f"{place} must not be empty")
    if isinstance(value, list) and len(value) > schema.get("maxItems", len(value)):
        faults.append(f"{place} may have at most {schema['maxItems']} items")


def _is_of(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES.get(kind, (object,)))


def _coerced(value: Any, kind: Any) -> Any:
    """Models write "5" for 5 and 5.0 for 5; both are meant."""
    if kind == "integer" and isinstance(value, str) and value.strip().lstrip("-").isdecimal() and len(value) < 20:
        return int(value)
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind == "boolean" and value in ("true", "false"):
        return value == "true"
    return value
