"""The tool `recall`: originals of what was compacted or cleared, by words or by entry id. Lossy context, lossless memory."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from netaclaw.compaction.tokens import count_o200k
from netaclaw.domain.messages import Message
from netaclaw.tools.base import Arguments, ToolContext, ToolOutput, failure
from netaclaw.tools.recall_search import Hit, excerpt, find

_MAX_TOKENS = 2_000
_ROOM_TOKENS = 60
"""Kept free for the last line of a page."""
_MAX_HITS = 8


@dataclass(frozen=True, slots=True)
class RecallTool:
    """Searches the stored messages of the active path; answers within 2,000 tokens."""

    name: str = "recall"
    description: str = (
        "Fetch original messages of this conversation that were compacted into a summary or cleared. Give `query` (a few words or an exact "
        "phrase) to search, or `entryId` to read one message in full; a long one comes in pages, by `offset`."
    )
    is_parallel: bool = True
    is_protected: bool = False

    @property
    def parameters(self) -> Arguments:
        """See Tool."""
        return {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "Words to look for."},
                "entryId": {"type": "integer", "description": "Id of an entry, as search results and cleared outputs name it."},
                "offset": {"type": "integer", "minimum": 0, "description": "First character of a page of that entry."},
            },
        }

    def one_line(self, arguments: Arguments, output: str) -> str:
        """See Tool."""
        return f"recall {arguments.get('entryId') or repr(arguments.get('query', ''))} · {len(output):,} characters"

    def dedup_key(self, arguments: Arguments) -> str | None:
        """See Tool."""
        return f"{arguments.get('query')}|{arguments.get('entryId')}|{arguments.get('offset')}"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """See Tool."""
        query = (arguments.get("query") or "").strip()
        entry_id = arguments.get("entryId")
        if context.recall is None:
            return failure("Nothing can be recalled in this session.")
        if entry_id is None and not query:
            return failure("Give `query` (words to look for) or `entryId` (the id of an entry).")
        messages = await context.recall()
        if entry_id is not None:
            return _one(messages, entry_id, arguments.get("offset") or 0)
        return await asyncio.to_thread(_search, messages, query)  # a long history takes a third of a second


def _one(messages: Sequence[Message], entry_id: int, offset: int) -> ToolOutput:
    message = next((message for message in messages if message.entry_id == entry_id), None)
    if message is None:
        return failure(f"There is no entry {entry_id} in this conversation; search with `query`.")
    text = spoken(message)
    page = within_tokens(text[offset:], _MAX_TOKENS - _ROOM_TOKENS)
    end = offset + len(page)
    more = f"\n[{len(text) - end:,} more characters: recall with entryId {entry_id} and offset {end}]" if end < len(text) else ""
    return ToolOutput(f"{_title(message)}\n{page}{more}")


def _search(messages: Sequence[Message], query: str) -> ToolOutput:
    hits = find([spoken(message) for message in messages], query)
    if not hits:
        return ToolOutput(f"Nothing in this conversation matches {query[:200]!r}; try fewer or other words.")
    blocks: list[str] = []
    left = _MAX_TOKENS - _ROOM_TOKENS
    for hit in hits[:_MAX_HITS]:
        block = _block(messages[hit.number], hit)
        size = count_o200k(block) + 2
        if size > left and blocks:
            break
        blocks.append(within_tokens(block, left))
        left -= size
    others = len(hits) - len(blocks)
    return ToolOutput("\n\n".join([*blocks, f"[{others} more matches; use more exact words]"] if others else blocks))


def spoken(message: Message) -> str:
    """Return what can be found of a message: its text and its calls."""
    return "\n".join([*([message.text] if message.text else []), *(f"{call.name} {call.arguments}" for call in message.tool_calls)])


def within_tokens(text: str, max_tokens: int) -> str:
    """Return the longest start of the text that has at most `max_tokens`, near enough and never more."""
    text = text[: max_tokens * 8]
    while (size := count_o200k(text)) > max_tokens:
        text = text[: max(0, min(len(text) * max_tokens // size, len(text) - 1))]
    return text


def _title(message: Message) -> str:
    name = f" {message.name}" if message.name else ""
    return f"[entry {message.entry_id} · {message.role}{name}{' · error' if message.is_error else ''}]"


def _block(message: Message, hit: Hit) -> str:
    return f"{_title(message)}\n{excerpt(spoken(message), hit.position)}"
