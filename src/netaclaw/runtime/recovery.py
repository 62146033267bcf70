"""After a crash: what had started and never ended is ended, and said so in the session."""

from netaclaw.domain.entries import NoticePayload
from netaclaw.errors import NotFoundError, StoreError
from netaclaw.runtime.parts import RuntimeParts
from netaclaw.runtime.view import language_of
from netaclaw.sessions import Run

_RUN = {
    "zh": "服务重启，运行被中断；发送消息即可继续。",
    "en": "The server restarted and the run was interrupted; send a message to go on.",
}
_COMPACTION = {
    "zh": "服务重启，压缩被中断；没有改动任何内容。",
    "en": "The server restarted and the compaction was interrupted; nothing was changed.",
}


async def recover(parts: RuntimeParts) -> tuple[int, ...]:
    """End the runs that a dead process left behind, with a notice each; return the sessions in which commands wait."""
    for run in await parts.runs.recover():
        await _tell(parts, run)
    return await parts.queue.recover()


async def _tell(parts: RuntimeParts, run: Run) -> None:
    try:
        session = await parts.sessions.get_session(run.session_id)
        language = language_of(await parts.sessions.read_context(session.id, session.active_leaf_id))
        if run.kind == "compaction":
            notice = NoticePayload("compaction_event", _COMPACTION[language], "cancelled", {"runId": run.id})
        else:
            notice = NoticePayload("run_event", _RUN[language], "interrupted", {"runId": run.id})
        await parts.sessions.append(session.id, session.active_leaf_id, notice)
    except (StoreError, NotFoundError):
        return  # the session is being deleted
