"""From a command of the socket to the runtime: one line each."""

from typing import Any, TypeAlias, assert_never

from netaclaw.gateway.protocol import CancelCompaction, Chat, Compact, EditQueued, RemoveQueued, Retry, Stop, SwitchBranch, UndoCompaction
from netaclaw.runtime.ports import Conversations

SessionAction: TypeAlias = Chat | Retry | Stop | Compact | CancelCompaction | UndoCompaction | SwitchBranch | EditQueued | RemoveQueued


async def carry_out(command: SessionAction, conversations: Conversations) -> dict[str, Any]:  # noqa: PLR0911 - one return a command
    """Carry out a command and return what its `ack` says. Raises what the runtime raises."""
    match command:
        case Chat():
            images = [image.image() for image in command.images]
            return await conversations.chat(command.session_id, command.text, images, command.parent_id, command.request_id)
        case Retry():
            return await conversations.retry(command.session_id, command.request_id)
        case Stop():
            return await conversations.stop(command.session_id)
        case Compact():
            return await conversations.compact(command.session_id, command.focus, command.up_to_entry_id, command.request_id)
        case CancelCompaction():
            return await conversations.cancel_compaction(command.session_id)
        case UndoCompaction():
            return await conversations.undo_compaction(command.session_id, command.compaction_id)
        case SwitchBranch():
            return await conversations.switch_branch(command.session_id, command.leaf_id)
        case EditQueued():
            return await conversations.edit_queued(command.session_id, command.queue_id, command.text)
        case RemoveQueued():
            return await conversations.remove_queued(command.session_id, command.queue_id)
        case _:
            assert_never(command)
