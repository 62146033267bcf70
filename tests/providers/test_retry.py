"""Another try for what passes by itself, and for nothing else."""

import pytest

from netaclaw.domain.messages import Message
from netaclaw.errors import ProviderAuthError, ProviderBusyError, ProviderError
from netaclaw.providers.retry import with_retries
from netaclaw.providers.scripted import Fails, Says, ScriptedProvider, Step
from tests.providers.asking import asks, events_of, reply_of


class Clock:
    """Remembers the waits instead of waiting."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Note a wait."""
        self.waits.append(seconds)


async def _fails(steps: list[Step], expected: type[ProviderError]) -> tuple[ScriptedProvider, Clock, ProviderError]:
    provider, clock = ScriptedProvider(steps), Clock()
    with pytest.raises(expected) as caught:
        await events_of(with_retries(provider, clock.sleep), asks())
    return provider, clock, caught.value


async def test_a_busy_provider_is_asked_again_with_growing_waits() -> None:
    provider, clock = ScriptedProvider([Fails(ProviderBusyError("1")), Fails(ProviderBusyError("2")), "there you are"]), Clock()
    assert (await reply_of(with_retries(provider, clock.sleep), asks())).text == "there you are"
    assert clock.waits == [1.0, 2.0]
    assert len(provider.requests) == 3


async def test_the_last_fault_is_told() -> None:
    provider, clock, error = await _fails([Fails(ProviderBusyError(str(number))) for number in range(3)], ProviderBusyError)
    assert (str(error), len(provider.requests), clock.waits) == ("2", 3, [1.0, 2.0])


async def test_the_providers_own_wait_is_honoured() -> None:
    provider, clock = ScriptedProvider([Fails(ProviderBusyError("", retry_after_seconds=7)), "ok"]), Clock()
    await events_of(with_retries(provider, clock.sleep), asks())
    assert clock.waits == [7]


async def test_a_wait_of_an_hour_is_not_waited_for() -> None:
    _, clock, _ = await _fails([Fails(ProviderBusyError("", retry_after_seconds=3_600))], ProviderBusyError)
    assert clock.waits == []


async def test_waits_are_spread() -> None:
    provider, clock = ScriptedProvider([Fails(ProviderBusyError("")), "ok"]), Clock()
    await events_of(with_retries(provider, clock.sleep, random=lambda: 1.0), asks())
    assert clock.waits == [1.25]


async def test_a_refused_key_is_not_tried_again() -> None:
    provider, _, _ = await _fails([Fails(ProviderAuthError("no"))], ProviderAuthError)
    assert len(provider.requests) == 1


async def test_nothing_is_tried_again_after_the_first_delta() -> None:
    provider, _, error = await _fails([Says("A long answer that breaks off.", breaks_with=ProviderBusyError("cut"))], ProviderBusyError)
    assert len(provider.requests) == 1
    assert isinstance(error.partial, Message)
    assert "A long answer that breaks off.".startswith(error.partial.text)
