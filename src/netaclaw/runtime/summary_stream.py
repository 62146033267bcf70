"""The summary as it is being written, for those who watch: a text that becomes void is taken back before the next one begins."""

from collections.abc import Callable

from netaclaw.compaction import SummaryReply, SummaryRequest
from netaclaw.compaction.plan import Summarize
from netaclaw.domain.events import CompactionProgress, SessionEvent


class SummaryStream:
    """Pieces of one compaction's summary. Another try, the next part of a long one and another model each begin anew."""

    def __init__(self, session_id: int, tell: Callable[[SessionEvent], None]) -> None:
        self._session_id = session_id
        self._tell = tell
        self._has_text = False

    def show(self, piece: str) -> None:
        """Tell a piece."""
        self._has_text = True
        self._tell(CompactionProgress(session_id=self._session_id, stage="summarise", text=piece))

    def begin_anew(self) -> None:
        """Tell that what was shown is void, if anything was."""
        if self._has_text:
            self._has_text = False
            self._tell(CompactionProgress(session_id=self._session_id, stage="summarise", restart=True))

    def watching(self, summarize: Summarize) -> Summarize:
        """Return the summariser with each of its calls beginning anew."""

        async def from_the_start(request: SummaryRequest) -> SummaryReply | str:
            self.begin_anew()
            return await summarize(request)

        return from_the_start
