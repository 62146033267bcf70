"""The screen that reports are printed on: as wide as the terminal, colours only where they are wanted."""

import sys
from typing import NoReturn

from rich.console import Console


class _Screen(Console):
    """A console whose reader may go away."""

    def on_broken_pipe(self) -> NoReturn:
        """Leave it to `cli.main` to end quietly; rich would exit with 1."""
        raise BrokenPipeError


def open_screen() -> Console:
    """Return the console on standard output; without a terminal it has 80 columns, or as many as COLUMNS says."""
    return _Screen(file=sys.stdout, highlight=False, markup=False, emoji=False)
