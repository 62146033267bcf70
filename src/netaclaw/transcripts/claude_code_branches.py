"""Which records of a Claude Code session count: the main chain without sidechains, copies and prompts that were taken back.

The chain (`uuid`, `parentUuid`) forks for harmless reasons too, at parallel calls and hooks, so a path to the last record
would lose messages. Only one fork is meant: two prompts of the user behind the same message; then the later one counts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from netaclaw.transcripts.anthropic import is_result
from netaclaw.transcripts.base import Record
from netaclaw.transcripts.notes import Notes

_MESSAGE_TYPES = ("user", "assistant")


def live_records(records: Sequence[Record], notes: Notes) -> list[Record]:
    """Return the records that the model's context is made of, in the order of the file."""
    main = _without_copies(_without_sidechains(records, notes), notes)
    abandoned = _abandoned(main)
    if abandoned:
        notes.add("branches", f"{len(abandoned)} records behind prompts that were taken back were left out")
    return [record for record in main if id(record) not in abandoned]


def _without_sidechains(records: Sequence[Record], notes: Notes) -> list[Record]:
    main = [record for record in records if record.value.get("isSidechain") is not True]
    if not any(_is_message(record.value) for record in main):
        return list(records)
    left_out = sum(1 for record in records if record.value.get("isSidechain") is True and _is_message(record.value))
    if left_out:
        notes.add("sidechains", f"{left_out} messages of subagents were left out")
    return main


def _without_copies(records: Sequence[Record], notes: Notes) -> list[Record]:
    """Keep the first usable record of each uuid."""
    seen: set[str] = set()
    kept: list[Record] = []
    for record in records:
        uuid = record.value.get("uuid")
        if isinstance(uuid, str) and _is_message(record.value):
            if uuid in seen:
                notes.add("records of a uuid used again", "the uuid was used before; the record was left out", record)
                continue
            seen.add(uuid)
        kept.append(record)
    return kept


def _abandoned(records: Sequence[Record]) -> set[int]:
    """Return the identities of the records that descend from a prompt which a later prompt behind the same message replaced."""
    by_uuid = {record.value["uuid"]: record for record in records if isinstance(record.value.get("uuid"), str)}
    newest: dict[str, Record] = {}
    replaced: set[int] = set()
    for record in records:
        behind = _message_before(record, by_uuid) if _is_prompt(record.value) else None
        if behind is not None:
            if behind in newest:
                replaced.add(id(newest[behind]))
            newest[behind] = record
    return _with_descendants(records, replaced) if replaced else set()


def _with_descendants(records: Sequence[Record], roots: set[int]) -> set[int]:
    dead = set(roots)
    dead_uuids: set[object] = set()
    for record in records:
        parent = record.value.get("parentUuid")
        if id(record) in dead or (isinstance(parent, str) and parent in dead_uuids):
            dead.add(id(record))
            uuid = record.value.get("uuid")
            if isinstance(uuid, str):
                dead_uuids.add(uuid)
    return dead


def _message_before(record: Record, by_uuid: Mapping[str, Record]) -> str | None:
    """Return the uuid of the nearest message that a record stands behind; hooks, notes and progress between are skipped."""
    seen: set[str] = set()
    parent = record.value.get("parentUuid")
    while isinstance(parent, str) and parent in by_uuid and parent not in seen:
        seen.add(parent)
        if by_uuid[parent].value.get("type") in _MESSAGE_TYPES:
            return parent
        parent = by_uuid[parent].value.get("parentUuid")
    return None


def _is_message(value: Mapping[str, Any]) -> bool:
    message = value.get("message")
    return value.get("type") in _MESSAGE_TYPES and isinstance(message, Mapping) and bool(message.get("content"))


def _is_prompt(value: Mapping[str, Any]) -> bool:
    """Whether a person typed this: no tool result, no note of the program, no summary."""
    if value.get("type") != "user" or not _is_message(value) or value.get("isMeta") is True or value.get("isCompactSummary") is True:
        return False
    content = value["message"]["content"]
    if isinstance(content, list):
        return not any(is_result(block) for block in content)
    return isinstance(content, str) and not content.startswith("<")
