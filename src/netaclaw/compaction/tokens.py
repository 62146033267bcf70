"""How large a message is, in tokens: the spec's formula (`chars4`) and exact BPE (`o200k`).

The only file of the engine that reads package data: the vocabulary, once, when `o200k` is first used.
"""

import gzip
import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING

from netaclaw.compaction.settings import CompactionSettings, CounterName
from netaclaw.domain.messages import Message, Opaque

if TYPE_CHECKING:
    import tiktoken

IMAGE_TOKENS = 1_200
"""Flat figure for one picture, whatever its spelling; its base64 is never counted as text (research: 263 to 1,806 measured)."""

FILE_TOKENS = 2_000
"""Flat figure for a document that is sent as encoded data."""

_ENCODED = re.compile(r"[A-Za-z0-9+/=_-]{1000,}")

_O200K_PATTERN = "|".join(
    [
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""\p{N}{1,3}""",
        r""" ?[^\s\p{L}\p{N}]+[\r\n/]*""",
        r"""\s*[\r\n]+""",
        r"""\s+(?!\S)""",
        r"""\s+""",
    ]
)

_LONG_TEXT = 100_000
_LONG_BLANK = re.compile(r"\s{%d}" % _LONG_TEXT)
"""Blank runs are cut here: a run of about a million characters overflows the stack of the tokenizer's regular expression."""


def estimate_tokens(message: Message, chars_per_token: int = 4) -> int:
    """Return `floor(chars / 4) + 10`, plus `floor(len(arguments) / 4)` for each tool call (spec section 3, token estimate)."""
    tokens = len(message.text) // chars_per_token + 10
    for call in message.tool_calls:
        tokens += len(call.arguments) // chars_per_token
    return tokens


def count_o200k(text: str) -> int:
    """Return the exact number of o200k tokens of `text`."""
    if len(text) <= _LONG_TEXT:
        return len(_o200k().encode_ordinary(text)) if text else 0
    cuts = [0, *(match.end() for match in _LONG_BLANK.finditer(text)), len(text)]
    return sum(len(_o200k().encode_ordinary(text[start:end])) for start, end in pairwise(cuts))


def text_counter(counter: CounterName, chars_per_token: int = 4) -> Callable[[str], int]:
    """Return a function that counts the tokens of a plain text."""
    if counter == "o200k":
        return count_o200k
    return lambda text: len(text) // chars_per_token


def content_counter(counter: CounterName, chars_per_token: int = 4) -> Callable[[Message], int]:
    """Return a function that counts text and arguments of a message, without pictures, thinking or known counts."""
    if counter == "o200k":
        return _o200k_content
    return lambda message: estimate_tokens(message, chars_per_token)


def message_counter(settings: CompactionSettings) -> Callable[[Message], int]:
    """Return a function that counts what the next request carries of a message.

    A known `Message.tokens` wins; else text and arguments by the session's counter, a flat figure for each picture, and
    the thinking that goes back to its provider.
    """
    content = content_counter(settings.counter, settings.chars_per_token)
    plain = text_counter(settings.counter, settings.chars_per_token)

    def count(message: Message) -> int:
        if message.tokens is not None:
            return message.tokens
        tokens = content(message)
        if len(message.parts) > 1 or not message.text:
            tokens += sum(_opaque_tokens(part.payload, plain) for part in message.parts if isinstance(part, Opaque))
            tokens += IMAGE_TOKENS * sum(image.is_sent for image in message.images)
            tokens += sum(plain(block.encrypted or block.text) for block in message.thinking if block.is_sent)
        return tokens

    return count


def _opaque_tokens(value: object, plain: Callable[[str], int]) -> int:
    """Count the texts of a block that we do not interpret; encoded data is a file and costs a flat figure."""
    if isinstance(value, str):
        return FILE_TOKENS if _ENCODED.fullmatch(value) else plain(value)
    if isinstance(value, Mapping):
        return sum(_opaque_tokens(item, plain) for item in value.values())
    return sum(_opaque_tokens(item, plain) for item in value) if isinstance(value, list | tuple) else 0


def _o200k_content(message: Message) -> int:
    tokens = count_o200k(message.text)
    for call in message.tool_calls:
        tokens += count_o200k(call.arguments)
    return tokens


@cache
def _o200k() -> "tiktoken.Encoding":
    from tiktoken import Encoding  # loaded late: `inspect --counter chars4` and imports stay quick

    packed = resources.files(__package__).joinpath("vocabulary", "o200k_base.tiktoken.gz").read_bytes()
    lines = gzip.decompress(packed).split(b"\n")
    ranks = {b64decode(token): int(rank) for token, _, rank in (line.partition(b" ") for line in lines if line)}
    return Encoding("o200k_base", pat_str=_O200K_PATTERN, mergeable_ranks=ranks, special_tokens={})
