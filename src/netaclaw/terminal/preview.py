"""The first words of a message on one line, for lists: no control characters, wide characters counted as two columns."""

from netaclaw.domain.messages import Message
from netaclaw.terminal.streams import one_line

_ENOUGH_CHARS = 400


def preview(message: Message, columns: int) -> str:
    """Return what the message says or calls, cut to `columns` terminal columns."""
    return cut_to_columns(one_line(_words(message)), columns)


def cut_to_columns(text: str, columns: int) -> str:
    """Return `text`, or its start and an ellipsis where it is wider than `columns`."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= columns:
        return text
    return set_cell_size(text, max(columns - 1, 0)).rstrip() + "…"


def _words(message: Message) -> str:
    words = [message.text[:_ENOUGH_CHARS].strip()]
    words += [f"{call.name}({call.arguments[:_ENOUGH_CHARS]})" for call in message.tool_calls[:3]]
    if message.images:
        words.append(f"[{len(message.images)} images]")
    if not any(words) and message.thinking:
        words = [f"({message.thinking[0].text[:_ENOUGH_CHARS].strip()})"]
    return " ".join(word for word in words if word) or "-"
