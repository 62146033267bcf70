"""What became of each request: the turns read as pairs of what the user asked and what the assistant's last word on it was."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from netaclaw.compaction.extractive.turns import blocks
from netaclaw.compaction.ledger.content_words import content_words
from netaclaw.compaction.ledger.cues import is_announcement, is_done
from netaclaw.compaction.ledger.folding import shortened
from netaclaw.compaction.ledger.sentences import own_words, sentences
from netaclaw.compaction.ledger.statements import is_small_talk, statement_key

_REQUEST_CHARS = 140
_OUTCOME_CHARS = 200
_KEY_CHARS = 120
_TELLING_WORDS = 3
_AIM = re.compile(
    r"(?i)\b(?:(?:overall|final|ultimate|main|real) (?:goal|aim|objective|purpose)|(?:the|our|my) (?:goal|aim|objective) (?:is|here)"
    r"|(?:goal|aim|objective):|in the end (?:we|i) (?:want|need))|(?:总体|最终|整体|主要|我的|我们的|总)目标|目标[是：:]|最终(?:要|想)"
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """Requests that were answered together; without an outcome while the answer is still to come."""

    requests: tuple[str, ...]
    """Empty where the request stands before these turns."""
    outcome: str
    turn: int


def exchanges(serialized: str) -> list[Exchange]:
    """Return the requests with their outcomes in order. A final reply is text of the assistant without a call after it.

    `Yes` and `go on` carry on with the request before. A reply at the end that asks back leaves its request open.
    """
    found: list[Exchange] = []
    asked: tuple[str, ...] = ()
    answer = ""
    started = 0
    for turn, block in enumerate(blocks(serialized)):
        if block.role == "USER":
            own = own_words(block.text)
            if not own.strip() or is_small_talk(own):
                continue
            if answer:
                found.append(Exchange(asked, outcome_sentence(answer), started))
                asked, answer = (), ""
            asked, started = (*asked, own), turn
        elif block.role == "ASSISTANT" and block.is_marked:
            answer = "" if block.has_call else block.text if block.text.strip() else answer
        elif block.role == "TOOL":
            answer = ""
    if answer and _asks_back(answer):
        answer = ""
    if asked or answer:
        found.append(Exchange(asked, outcome_sentence(answer), started))
    return found


def request_line(exchange: Exchange) -> str:
    """Return the requests of an exchange as one short line."""
    return " / ".join(shortened(request, _REQUEST_CHARS) for request in exchange.requests[-3:])


def request_key(text: str) -> str:
    """Return what a request and its shortened form share."""
    return statement_key(shortened(text, 10**6)[:_KEY_CHARS])


def names_aim(sentence: str) -> bool:
    """Whether a user says what all of it is for."""
    return bool(_AIM.search(sentence))


def is_telling(sentence: str) -> bool:
    """Whether a sentence says something without its surroundings: `Fixed.` does not."""
    return any(map(str.isdigit, sentence)) or len(content_words(sentence)) >= _TELLING_WORDS


def outcome_sentence(answer: str) -> str:
    """Return the sentence of a reply that tells best what came out, empty for an empty reply."""
    said = sentences(own_words(answer))
    plain = [s for s in said if s[-1] not in "?？:：" and not is_announcement(s)] or said
    best = _first_of([s for s in plain if is_telling(s)]) or _first_of(plain)
    return shortened(best or answer, _OUTCOME_CHARS)


def _first_of(said: Sequence[str]) -> str:
    return next((s for s in said if is_done(s)), said[0] if said else "")


def _asks_back(answer: str) -> bool:
    return answer.rstrip(" \n\t\"'*_)）")[-1:] in ("?", "？")
