"""The progress line on standard error: silent for a second, then one line that is rewritten (terminal) or a line now and then (pipe)."""

import shutil
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Self, TextIO

from netaclaw.terminal.preview import cut_to_columns
from netaclaw.terminal.streams import one_line

_QUIET_SECONDS = 1.0
_TERMINAL_SECONDS = 0.2
_PIPE_SECONDS = 5.0
_ERASE_LINE = "\r\x1b[2K"

_STAGES = {"count": "counting messages", "read": "collecting facts", "summarise": "summarising messages", "audit": "checking facts"}
"""The engine's stages in words."""


class ProgressLine:
    """Shows what a long run is doing. A thread writes, so that reading and counting need not call back.

    Use it as a context manager; leaving it takes the line off a terminal. `start` is the time of `time.monotonic`, in seconds.
    """

    def __init__(self, stream: TextIO, stage: str, start: float) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._start = start
        self._shown_at: float | None = None
        self._state = (stage, 0, 0)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="progress line")

    def update(self, stage: str, done: int = 0, total: int = 0) -> None:
        """Say what is being done now; cheap enough to call for every message. A figure of 0 is not shown."""
        self._state = (stage, done, total)

    def tick(self, now: float) -> None:
        """Write the line if it is due at `now`, in seconds of `time.monotonic`."""
        if now - self._start < _QUIET_SECONDS:
            return
        pause = _TERMINAL_SECONDS if self._is_terminal else _PIPE_SECONDS
        if self._shown_at is not None and now - self._shown_at < pause:
            return
        self._shown_at = now
        line = self._line(now)
        self._stream.write(f"{_ERASE_LINE}{line}" if self._is_terminal else f"{line}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Take the line off a terminal; what a pipe got stays."""
        if not self._is_terminal or self._shown_at is None:
            return
        with suppress(OSError, ValueError):
            self._stream.write(_ERASE_LINE)
            self._stream.flush()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()
        self.clear()

    def _line(self, now: float) -> str:
        stage, done, total = self._state
        figures = f": {done:,}/{total:,}" if done else f": {total:,}" if total else ""
        line = one_line(f"netaclaw: {_STAGES.get(stage, stage)}{figures} ({now - self._start:.0f} s)")
        if not self._is_terminal:
            return line
        return cut_to_columns(line, shutil.get_terminal_size().columns - 1)  # a wrapped line could not be rewritten

    def _run(self) -> None:
        while not self._stop.wait(_TERMINAL_SECONDS):
            try:
                self.tick(time.monotonic())
            except (OSError, ValueError):  # standard error was closed: the run itself goes on
                return
