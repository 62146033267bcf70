"""A request that the auxiliary model cannot read at once: the turns go in parts, each part updates the summary of those before.

No part is left out: if one of them fails, the whole summary fails and nothing is stored (SIN-01 and SIN-04 of the bug cases).
"""

import re
from collections.abc import Callable, Sequence

from netaclaw.compaction.phase3_summarize import ask, build_request
from netaclaw.compaction.plan import Summarize, SummaryReply, SummaryRequest
from netaclaw.errors import SummarizerError

MAX_PARTS = 64

_BLOCK_BORDER = re.compile(r"\n\n(?=\[(?:USER|ASSISTANT|SYSTEM|TOOL)\b)")
"""Between two serialised messages; a line that only looks like one is escaped."""

Check = Callable[[str], None]


async def ask_in_parts(summarize: Summarize, request: SummaryRequest, check: Check) -> SummaryReply:
    """Return the summary of a request that was too large: in two parts, then four, and so on while a part is too large.

    `check` judges the last summary only. Raises SummarizerError: the reason of the part that failed, `auxiliary_overflow` where
    parts cannot be smaller.
    """
    blocks = _BLOCK_BORDER.split(request.serialized)
    count = 2
    while count <= min(MAX_PARTS, len(blocks)):
        try:
            return await _in_turn(summarize, request, _parts(blocks, count), check)
        except SummarizerError as error:
            if error.reason != "auxiliary_overflow":
                raise
        count *= 2
    raise SummarizerError("auxiliary_overflow", "the auxiliary model cannot read even a part of the turns; choose one with a larger window")


async def _in_turn(summarize: Summarize, request: SummaryRequest, parts: Sequence[str], check: Check) -> SummaryReply:
    running = request.previous_summary
    input_tokens, output_tokens = 0, 0
    for number, part in enumerate(parts, start=1):
        is_last = number == len(parts)
        step = build_request(
            part,
            request.facts if is_last else (),
            previous_summary=running,
            budget_tokens=request.budget_tokens,
            language=request.language,
            focus=request.focus,
        )
        reply = await ask(summarize, step, check if is_last else _accept)
        running = reply.text
        input_tokens += reply.input_tokens or 0
        output_tokens += reply.output_tokens or 0
    return SummaryReply(running or "", input_tokens or None, output_tokens or None)


def _parts(blocks: Sequence[str], count: int) -> list[str]:
    """Cut the blocks into `count` parts of about the same size, none of them empty."""
    wanted = sum(map(len, blocks)) / count
    parts: list[list[str]] = [[]]
    size = 0.0
    for place, block in enumerate(blocks):
        is_full = size >= wanted * len(parts) or len(blocks) - place <= count - len(parts)
        if parts[-1] and is_full and len(parts) < count:
            parts.append([])
        parts[-1].append(block)
        size += len(block)
    return ["\n\n".join(part) for part in parts]


def _accept(body: str) -> None:
    """An intermediate summary may be as large as it likes; the next part updates it."""
