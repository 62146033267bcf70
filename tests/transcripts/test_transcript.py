"""A transcript is a frozen sequence of messages."""

from collections.abc import Sequence
from dataclasses import FrozenInstanceError

import pytest

from netaclaw.transcripts import Transcript
from tests.builders import assistant, user

MESSAGES = (user("a"), assistant("b"), user("c"))
TRANSCRIPT = Transcript(MESSAGES, "neutral", ("warned",))


def test_it_behaves_as_a_sequence() -> None:
    assert isinstance(TRANSCRIPT, Sequence)
    assert (len(TRANSCRIPT), list(TRANSCRIPT), TRANSCRIPT[1], TRANSCRIPT[-1]) == (3, list(MESSAGES), MESSAGES[1], MESSAGES[2])
    assert (TRANSCRIPT[1:], list(reversed(TRANSCRIPT)), TRANSCRIPT.index(MESSAGES[1])) == (MESSAGES[1:], [*MESSAGES[::-1]], 1)


def test_it_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        TRANSCRIPT.format = "pi"  # type: ignore[misc]
