"""A payload to and from the JSON object that is stored and sent to the page (wire names of DESIGN section 3).

The entry's type stands beside the object, in a column of its own.
"""

from collections.abc import Mapping
from typing import Any, assert_never

from netaclaw.domain.entries import (
    BranchSummaryPayload,
    CompactionPayload,
    CompactionUndoPayload,
    MessagePayload,
    ModelChangePayload,
    NoticePayload,
    Payload,
    PinPayload,
    ThinkingChangePayload,
    TodoPayload,
)
from netaclaw.sessions.message_json import message_from_json, message_to_json, without_absent


def payload_to_json(payload: Payload) -> dict[str, Any]:  # noqa: PLR0911  (one line for each type)
    """Return the JSON object of a payload."""
    match payload:
        case MessagePayload():
            return _message_payload_to_json(payload)
        case CompactionPayload():
            return _compaction_to_json(payload)
        case CompactionUndoPayload():
            return {"compactionId": payload.compaction_id}
        case NoticePayload():
            fields = {"systemType": payload.system_type, "text": payload.text, "reason": payload.reason}
            return without_absent({**fields, "details": dict(payload.details) or None})
        case BranchSummaryPayload():
            return {"summary": payload.summary, "fromLeafId": payload.from_leaf_id}
        case ModelChangePayload():
            return {"channelId": payload.channel_id, "model": payload.model}
        case ThinkingChangePayload():
            return {"level": payload.level}
        case PinPayload():
            return {"entryId": payload.entry_id, "isPinned": payload.is_pinned}
        case TodoPayload():
            return {"items": [dict(item) for item in payload.items]}
        case _:
            assert_never(payload)


def payload_from_json(entry_type: str, value: Mapping[str, Any], entry_id: int | None = None) -> Payload:  # noqa: PLR0911
    """Return the payload of a JSON object; a message in it is the one of entry `entry_id`. Raises ValueError for an unknown type."""
    match entry_type:
        case "message":
            message = message_from_json(value["message"], entry_id)
            return MessagePayload(message, value.get("attached"), value.get("isInterrupted", False))
        case "compaction":
            return _compaction_from_json(value)
        case "compaction_undo":
            return CompactionUndoPayload(value["compactionId"])
        case "notice":
            return NoticePayload(value["systemType"], value["text"], value.get("reason"), value.get("details", {}))
        case "branch_summary":
            return BranchSummaryPayload(value["summary"], value["fromLeafId"])
        case "model_change":
            return ModelChangePayload(value["channelId"], value["model"])
        case "thinking_change":
            return ThinkingChangePayload(value["level"])
        case "pin":
            return PinPayload(value["entryId"], value["isPinned"])
        case "todo":
            return TodoPayload(tuple(value["items"]))
        case _:
            raise ValueError(f"an entry has the unknown type '{entry_type}'; a newer NetaClaw may have written it")


def _message_payload_to_json(payload: MessagePayload) -> dict[str, Any]:
    fields = {"message": message_to_json(payload.message), "attached": payload.attached}
    return without_absent({**fields, "isInterrupted": payload.is_interrupted or None})


def _compaction_to_json(payload: CompactionPayload) -> dict[str, Any]:
    return {
        "mode": payload.mode,
        "summary": payload.summary,
        "firstKeptEntryId": payload.first_kept_entry_id,
        "tokensBefore": payload.tokens_before,
        "tokensAfter": payload.tokens_after,
        "details": _details_to_json(payload),
    }


def _details_to_json(payload: CompactionPayload) -> dict[str, Any]:
    return {
        "trigger": payload.trigger,
        "headEntryIds": list(payload.head_entry_ids),
        "keptEntryIds": list(payload.kept_entry_ids),
        "state": dict(payload.state),
        "pruned": {str(entry_id): text for entry_id, text in payload.pruned.items()},
        "prunedArguments": {
            str(entry_id): {str(number): arguments for number, arguments in shorter.items()}
            for entry_id, shorter in payload.pruned_arguments.items()
        },
        "removedCount": payload.removed_count,
        "previousCompactionId": payload.previous_compaction_id,
        "focus": payload.focus,
        "facts": dict(payload.facts),
        "audit": None if payload.audit is None else dict(payload.audit),
        "channel": payload.channel,
        "model": payload.model,
        "usage": None if payload.usage is None else dict(payload.usage),
        "durationMs": payload.duration_ms,
        "isIneffective": payload.is_ineffective,
        "language": payload.language,
        "settings": dict(payload.settings),
    }


def _compaction_from_json(value: Mapping[str, Any]) -> CompactionPayload:
    details = value["details"]
    return CompactionPayload(
        mode=value["mode"],
        summary=value["summary"],
        first_kept_entry_id=value["firstKeptEntryId"],
        tokens_before=value["tokensBefore"],
        tokens_after=value["tokensAfter"],
        trigger=details["trigger"],
        head_entry_ids=tuple(details["headEntryIds"]),
        kept_entry_ids=tuple(details["keptEntryIds"]),
        pruned={int(entry_id): text for entry_id, text in details["pruned"].items()},
        pruned_arguments={
            int(entry_id): {int(number): arguments for number, arguments in shorter.items()}
            for entry_id, shorter in details["prunedArguments"].items()
        },
        removed_count=details["removedCount"],
        previous_compaction_id=details["previousCompactionId"],
        focus=details["focus"],
        audit=details["audit"],
        channel=details["channel"],
        model=details["model"],
        usage=details["usage"],
        duration_ms=details["durationMs"],
        is_ineffective=details["isIneffective"],
        language=details["language"],
        settings=details["settings"],
        state=details["state"],
        facts=details["facts"],
    )
