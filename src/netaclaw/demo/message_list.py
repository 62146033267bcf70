"""A conversation as a short list: one line a message, long stretches folded into one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console
from rich.text import Text

from netaclaw.demo.wording import DemoWords
from netaclaw.domain.messages import Message
from netaclaw.terminal.preview import cut_to_columns, preview
from netaclaw.terminal.words import Words

_SHOWN_FIRST = 4
_SHOWN_LAST = 3


@dataclass(frozen=True, slots=True)
class ListedMessage:
    """One message with its size in tokens and a word for what becomes of it."""

    number: int
    message: Message
    tokens: int
    fate: str


def print_messages(console: Console, listed: Sequence[ListedMessage], words: Words, demo: DemoWords) -> None:
    """Print the list; of each stretch with one fate the first four and the last three messages."""
    for _, stretch in groupby(listed, key=lambda one: one.fate):
        for line in _lines(list(stretch), words, demo):
            console.print(Text(cut_to_columns(line, console.width)), no_wrap=True)


def _lines(stretch: Sequence[ListedMessage], words: Words, demo: DemoWords) -> Iterator[str]:
    hidden = stretch[_SHOWN_FIRST:-_SHOWN_LAST]
    if len(hidden) <= 1:
        yield from (_line(one, words) for one in stretch)
        return
    yield from (_line(one, words) for one in stretch[:_SHOWN_FIRST])
    yield " " * 6 + demo.hidden.format(count=len(hidden), tokens=f"{sum(one.tokens for one in hidden):,}")
    yield from (_line(one, words) for one in stretch[-_SHOWN_LAST:])


def _line(one: ListedMessage, words: Words) -> str:
    role = _padded(words.roles[one.message.role], 9)
    return f"{one.number:>4}  {_padded(one.fate, 9)} {role} {one.tokens:>7,}  {preview(one.message, 200)}"


def _padded(text: str, columns: int) -> str:
    from rich.cells import set_cell_size

    return set_cell_size(text, columns)
