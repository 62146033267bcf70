"""What each message of a compacted conversation is: part of the head, the summary, kept on its own, or part of the tail."""

from typing import Literal, TypeAlias

from netaclaw.compaction import CompactionResult

Fate: TypeAlias = Literal["head", "summary", "kept", "tail"]


def fates_after(result: CompactionResult) -> tuple[Fate, ...]:
    """Return the fate of each message of a result that has a summary.

    The messages of the plan are told by identity, not by place: neighbours may have been joined. What was joined is the summary if
    it holds that, and a kept message joined with the tail is the tail, which it then begins.
    """
    assert result.plan is not None
    assert result.summary is not None
    planned = result.plan.material.messages
    head = {id(planned[index]) for index in result.plan.head}
    kept = {id(planned[index]) for index in result.plan.kept}
    fates: list[Fate] = []
    for message in result.messages:
        if message.role == "user" and result.summary in message.text:
            fates.append("summary")
        elif id(message) in kept:
            fates.append("kept")
        else:
            fates.append("head" if id(message) in head or "summary" not in fates else "tail")
    return tuple(fates)
