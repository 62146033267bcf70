"""Tool output that speaks to the model instead of answering it.

A poisoned page must not become a standing order of the summary, so what gives orders is never a fact. Found by wording,
which catches the plain attempts; the summary is framed as background and never has the system's role, for the others.
"""

import re

_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|prompt|rule|user|above|previous|everything)"
    r"|\bfrom now on\b|\bimportant message\b|\byou (?:must|are now|have to)\b|\bbefore you can\b|\bdo not (?:tell|inform|reveal|mention)\b"
    r"|(?:^|[\s\"'(>*])system(?: prompt| message)?:|\bnew instructions?\b|\bas an ai\b|\bassistant,|<information>|\[/?inst\]"
    r"|忽略.{0,12}(?:指令|提示|要求|规则|之前|以上)|从现在起|系统提示[:：]|不要告诉用户|你(?:必须|现在是)"
)
_HINTS = (
    *("ignore", "disregard", "forget", "override", "from now on", "important message", "you must", "you are now", "you have to"),
    *("before you can", "do not ", "system", "instruction", "as an ai", "assistant,", "<information>", "inst]"),
    *("忽略", "从现在起", "系统提示", "不要告诉", "你必须", "你现在是"),
)
"""A text without any of these strings gives no orders; looking for them is quicker than the expression."""
_PIECE = re.compile(r"(?<=[.!?])(?=\s)|(?<=[。！？])|(?=\\n)|(?=\n)")


def gives_orders(text: str) -> bool:
    """Whether a text of a tool tells the model what to do."""
    lowered = text.lower()
    return _has_hint(lowered) and bool(_ORDER.search(lowered))


def could_give_orders(text: str) -> bool:
    """Whether any piece of a text could give orders: asked once for a long text, it spares asking for each piece."""
    return _has_hint(text.lower())


def _has_hint(lowered: str) -> bool:
    return any(hint in lowered for hint in _HINTS)


def without_orders(text: str) -> str:
    """Return a tool's text without the sentences that tell the model what to do."""
    if not gives_orders(text):
        return text
    return "".join(piece for piece in _PIECE.split(text) if not gives_orders(piece))
