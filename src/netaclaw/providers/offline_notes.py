"""What the offline model takes down of a message that decides or lays down something, so that it stands in the agent's words, too."""

import re

from netaclaw.compaction.settings import Language

_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_DECISION = re.compile(r"^(?:decision|decided)\s*:\s*|^决定[：:]\s*", re.IGNORECASE)
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_LABEL = re.compile(r"^(?:rules?|constraints?)\s*:\s*|^(?:规矩|规则|约束)[：:]\s*", re.IGNORECASE)
_RULE = re.compile(r"\b(?:must|never|only|no|not|at most|at least)\b|必须|不得|不许|不要|不能|不超过|只", re.IGNORECASE)
_ASKS = re.compile(r"[?？]")
_SHORTEST_TALK = 50
"""A shorter message without a question mark may be a question all the same, or a greeting."""

_SAID = {"en": ("Decided: {text}", "Noted: {text}"), "zh": ("已记下决定：{text}", "记下了：{text}")}


def note_of(asked: str, language: Language) -> str | None:
    """Return the decision that a message states, else the rule in a longer one that asks nothing, else None."""
    decided, noted = _SAID[language]
    sentences = [sentence.strip() for sentence in _SENTENCE.split(_CODE.sub("\n", asked)) if sentence.strip()]
    decisions = [_DECISION.sub("", sentence) for sentence in sentences if _DECISION.match(sentence)]
    if decisions:
        return "\n".join(decided.format(text=_capital(text)) for text in decisions)
    if _ASKS.search(asked) or len(sentences) < 2 or len(asked) < (_SHORTEST_TALK if language == "en" else _SHORTEST_TALK // 2):
        return None
    rule = next((sentence for sentence in reversed(sentences) if _RULE.search(sentence)), sentences[-1])
    return noted.format(text=_capital(_LABEL.sub("", rule)))


def _capital(text: str) -> str:
    """Identifiers stay as they are written."""
    first = text.split(maxsplit=1)[0] if text else ""
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text
