"""A plain search over texts: words, and pairs of neighbouring characters for Chinese, which has no spaces."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

_WIDE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
_TERM = re.compile(rf"[{_WIDE}]+|[^\W{_WIDE}]+(?:[.\-/:@][^\W{_WIDE}]+)*")
_IS_WIDE = re.compile(rf"[{_WIDE}]")
_EXCERPT_CHARS = 700
_PHRASE_WEIGHT = 3.0
_LEAST_SHARE = 0.5
"""Of the weight of all terms, what a text must have to count as found."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A text that matches, and where in it."""

    number: int
    score: float
    position: int


def find(texts: Sequence[str], query: str) -> list[Hit]:
    """Return the matching texts, best first, the newer first among equals."""
    lowered = [text.lower() for text in texts]
    phrase = query.lower().strip()
    terms = terms_of(phrase) or [phrase]
    spread = {term: sum(term in text for text in lowered) for term in terms}
    # A word that stands nowhere says nothing; it must not outweigh those that do.
    weights = {term: _rarity(count, len(lowered)) for term, count in spread.items() if count}
    hits = [hit for number, text in enumerate(lowered) if (hit := _hit(number, text, phrase, weights))]
    return sorted(hits, key=lambda hit: (-hit.score, -hit.number))


def terms_of(text: str) -> list[str]:
    """Return the words of a text and the bigrams of its Chinese, each once."""
    terms: list[str] = []
    for found in _TERM.findall(text):
        if _IS_WIDE.match(found) and len(found) > 1:
            terms += [found[index : index + 2] for index in range(len(found) - 1)]
        else:
            terms.append(found)
    return list(dict.fromkeys(terms))


def excerpt(text: str, position: int) -> str:
    """Return the surroundings of a match."""
    if len(text) <= _EXCERPT_CHARS:
        return text
    start = max(0, min(position - _EXCERPT_CHARS // 3, len(text) - _EXCERPT_CHARS))
    end = start + _EXCERPT_CHARS
    return f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"


def _hit(number: int, text: str, phrase: str, weights: dict[str, float]) -> Hit | None:
    whole = text.find(phrase)
    found = {term: weight for term, weight in weights.items() if term in text}
    if whole < 0 and (not found or sum(found.values()) < _LEAST_SHARE * sum(weights.values())):
        return None
    score = sum(found.values()) + (_PHRASE_WEIGHT if whole >= 0 else 0.0)
    rarest = max(found, key=lambda term: found[term], default=phrase)
    return Hit(number, score, whole if whole >= 0 else text.find(rarest))


def _rarity(texts_with_term: int, texts: int) -> float:
    return log(1 + texts / (1 + texts_with_term)) + 0.1
