"""The summariser that needs no model, no key and no network."""

from netaclaw.compaction.plan import SummaryReply, SummaryRequest


async def offline_summarizer(request: SummaryRequest) -> SummaryReply:
    """Return an extract of the turns in the sections of the template."""
    return SummaryReply(request.serialized[: request.budget_tokens * 2])
