"""What a text is about, told by its words: for comparing a sentence with another wording of it."""

import re

_LATIN = re.compile(r"[a-z0-9_]{3,}")
_WIDE_RUN = re.compile(r"[\u3400-\u9fff]{2,}")
_COMMON = frozenset(
    "the and for that this with you are was have has not but can will from they his her she its our your all any been had what when how "
    "which who why would could should there their then than into out about just also some more very let now here".split()
)


def content_words(text: str) -> set[str]:
    """Return what a text is about: its words in small letters, Chinese as pairs of characters."""
    lowered = text.lower()
    found = {word for word in _LATIN.findall(lowered) if word not in _COMMON}
    if not text.isascii():
        for run in _WIDE_RUN.findall(lowered):
            found.update(run[place : place + 2] for place in range(len(run) - 1))
    return found
