"""Facts of one form that a message carries so that this form can be written again without loss.

They may have been through a neutral file that anybody wrote, so a writer trusts neither their presence nor their shape.
"""

from collections.abc import Mapping
from typing import Any

from netaclaw.domain.messages import Opaque, Part

ABSENT = "absent"
"""Says that a message had no `content` at all."""


def nested_facts(holder: Mapping[str, Any] | None, key: str) -> dict[str, Any]:
    """Return a copy of the object under `key`; empty where there is none."""
    facts = holder.get(key) if holder else None
    return dict(facts) if isinstance(facts, Mapping) else {}


def emptiness(facts: Mapping[str, Any], usual: str | None) -> Any:
    """Return how a content without parts was written, or else the usual way."""
    stated = facts.get("empty", usual)
    return stated if stated is None or stated in ("", ABSENT, usual) or stated == [] else usual


def facts_of(part: Part, form: str) -> dict[str, Any]:
    """Return a copy of what a part carries for one form."""
    return {} if isinstance(part, Opaque) else nested_facts(part.extra, form)


def is_block_of(part: Part, form: str) -> bool:
    """Whether a part was a block in a list of this form."""
    if isinstance(part, Opaque):
        return part.kind.startswith(f"{form}.")
    return part.extra is not None and form in part.extra


def without(block: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """Return the keys of a block that its reader has no place for, which are all but these."""
    return {key: value for key, value in block.items() if key not in keys}
