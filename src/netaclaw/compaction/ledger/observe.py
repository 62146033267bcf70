"""One message, looked at once: what of it may matter later."""

import re

from netaclaw.compaction.ledger.calls import see_call
from netaclaw.compaction.ledger.cues import constraints, decisions
from netaclaw.compaction.ledger.folding import folded, shortened
from netaclaw.compaction.ledger.observation import FileSeen, Observation
from netaclaw.compaction.ledger.orders import gives_orders, without_orders
from netaclaw.compaction.ledger.results import diagnostic_lines, error_lines
from netaclaw.compaction.ledger.rows import find_rows
from netaclaw.compaction.ledger.sentences import own_words
from netaclaw.compaction.ledger.values import WordReader
from netaclaw.domain.messages import Message

_SCAN_CHARS = 6_000
_SPOKEN_CHARS = 3_000
_REQUEST_CHARS = 400
_LISTING_NUMBER = re.compile(r"^ *\d{1,6}(?:→|\t| *[|│]|[:-](?=\s))", re.MULTILINE)
_JSON_KEY = re.compile(r'"[^"\n]{1,60}":\s?')
_EDITED_BLOCK = re.compile(r"^(\S+\.\w{1,8})\n```\w*\n<<<<<<< SEARCH", re.MULTILINE)


def facts_of(message: Message, index: int, reader: WordReader | None = None) -> Observation:
    """Return what one message holds, without a look at the others; `merge_facts` makes facts of many.

    One `reader` for many messages looks at each word once.

    Secrets must be gone from the message before (`redact_messages`): a password that stands alone can no longer be told.
    """
    reader = reader or WordReader()
    match message.role:
        case "user":
            return _of_user(message, index, reader)
        case "assistant":
            return _of_assistant(message, index, reader)
        case "tool":
            return _of_result(message, index, reader)
        case _:
            return Observation(index, message.role)


def _of_user(message: Message, index: int, reader: WordReader) -> Observation:
    if not message.is_human_request:
        return Observation(index, "user")
    own = own_words(message.text)
    values, paths = reader.values_and_paths(_scanned(message.text))
    return Observation(
        index,
        "user",
        is_request=True,
        request=shortened(own or message.text, _REQUEST_CHARS),
        constraints=constraints(own),
        values=values,
        files=tuple(FileSeen(path, "mentioned") for path in paths),
        spoken=folded(message.text[:_SPOKEN_CHARS]),
    )


def _of_assistant(message: Message, index: int, reader: WordReader) -> Observation:
    values, paths = reader.values_and_paths(_scanned(message.text))
    seen = [see_call(call, reader) for call in message.tool_calls]
    files = [file for _, used, _ in seen for file in used]
    files += [FileSeen(path, "changed") for path in _EDITED_BLOCK.findall(message.text) if "<<<<<<< SEARCH" in message.text]
    files += [FileSeen(path, "mentioned") for path in paths]
    return Observation(
        index,
        "assistant",
        decisions=decisions(message.text),
        values=values,
        files=tuple(files),
        calls=tuple(call for call, _, _ in seen),
        tasks=next((tasks for _, _, tasks in reversed(seen) if tasks), ()),
        spoken=folded(message.text[:_SPOKEN_CHARS]),
    )


def _of_result(message: Message, index: int, reader: WordReader) -> Observation:
    rows = find_rows(message.text)
    scanned = _LISTING_NUMBER.sub("", without_orders(_scanned(message.text)))
    values, paths = reader.values_and_paths(_JSON_KEY.sub("", scanned) if rows else scanned)
    lines, is_certain = error_lines(message.text, message.is_error)
    return Observation(
        index,
        "tool",
        values=values,
        files=tuple(FileSeen(path, "mentioned") for path in paths),
        answers=message.tool_call_id or "",
        errors=tuple(line for line in lines if not gives_orders(line)),
        is_certain_error=is_certain,
        diagnostics=() if lines else tuple(line for line in diagnostic_lines(message.text) if not gives_orders(line)),
        rows=rows,
    )


def _scanned(text: str) -> str:
    """Weak kinds are looked for in the beginning and the end of a long text only."""
    return text if len(text) <= _SCAN_CHARS else f"{text[: _SCAN_CHARS * 2 // 3]}\n{text[-_SCAN_CHARS // 3 :]}"
