"""Facts of one form that a message carries so that this form can be written again without loss.

They may have been through a neutral file that anybody wrote, so a writer trusts neither their presence nor their shape.
"""

from collections.abc import Mapping
from typing import Any

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
