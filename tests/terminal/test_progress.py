"""The progress line: silent when quick, one rewritten line on a terminal, a line now and then in a pipe."""

import io
import time

from netaclaw.terminal.progress import ProgressLine


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


def test_a_run_of_less_than_a_second_shows_nothing() -> None:
    for stream in (io.StringIO(), Terminal()):
        with ProgressLine(stream, "reading a.jsonl", time.monotonic()) as line:
            line.update("count", 3, 4)
        assert stream.getvalue() == ""


def test_a_pipe_gets_a_plain_line_after_a_second_and_then_every_five() -> None:
    stream = io.StringIO()
    line = ProgressLine(stream, "reading a.jsonl", start=100.0)
    for now in (100.5, 101.0, 101.5, 105.9, 106.0, 110.9):
        line.tick(now)
    line.clear()
    assert stream.getvalue() == "netaclaw: reading a.jsonl (1 s)\nnetaclaw: reading a.jsonl (6 s)\n"


def test_a_terminal_gets_one_line_that_is_rewritten_and_taken_off() -> None:
    stream = Terminal()
    line = ProgressLine(stream, "reading a.jsonl", start=0.0)
    line.tick(1.0)
    line.update("count", 1_500, 5_585)
    line.tick(1.1)
    line.tick(1.3)
    line.clear()
    erase = "\r\x1b[2K"
    assert stream.getvalue() == f"{erase}netaclaw: reading a.jsonl (1 s){erase}netaclaw: counting messages: 1,500/5,585 (1 s){erase}"


def test_a_stage_without_a_figure_done_shows_how_many_there_are() -> None:
    stream = io.StringIO()
    line = ProgressLine(stream, "reading", start=0.0)
    line.update("summarise", 0, 5_444)
    line.tick(2.0)
    assert stream.getvalue() == "netaclaw: summarising messages: 5,444 (2 s)\n"


def test_a_file_name_cannot_steer_the_terminal() -> None:
    stream = io.StringIO()
    ProgressLine(stream, "reading a\x1b[2J\nb", start=0.0).tick(2.0)
    assert stream.getvalue() == "netaclaw: reading a\N{REPLACEMENT CHARACTER}[2J b (2 s)\n"


def test_a_closed_stream_does_not_stop_the_run() -> None:
    stream = io.StringIO()
    with ProgressLine(stream, "reading", time.monotonic() - 60) as line:
        stream.close()
        time.sleep(0.3)
        line.update("count", 1, 2)
