"""Channels as writers of summaries: what is asked, what comes back, and the reason codes of what goes wrong."""

import asyncio

import pytest

from netaclaw.compaction import SummaryReply, SummaryRequest
from netaclaw.domain.agents import Channel
from netaclaw.domain.messages import Usage
from netaclaw.errors import (
    ContextOverflowError,
    ProviderAuthError,
    ProviderBusyError,
    ProviderError,
    ProviderRejectedError,
    SummarizerError,
)
from netaclaw.providers.auxiliary import Patience, summarizer_for
from netaclaw.providers.offline import OfflineChat
from netaclaw.providers.scripted import Fails, Says, ScriptedProvider
from tests.providers.conftest import Provider
from tests.providers.fake_servers import Fault, Reply

CHANNEL = Channel(1, "aux", "openai_compatible", "local", "http://127.0.0.1:1/v1")
REQUEST = SummaryRequest("Summarise this.", "[USER] Fix src/app.py, please.\n\n[ASSISTANT] Done.", budget_tokens=2_000)


async def _no_wait(seconds: float) -> None:
    assert seconds > 0


QUICK = Patience(sleep=_no_wait)


async def test_the_prompt_is_one_user_message_and_the_reply_carries_usage(openai: Provider) -> None:
    openai.server.script.append(Reply("The summary.", usage=Usage(900, 80)))
    pieces: list[str] = []
    summarize = summarizer_for(openai.client(), openai.channel(), pieces.append)
    assert await summarize(REQUEST) == SummaryReply("The summary.", 900, 80, "stop")
    assert "".join(pieces) == "The summary."
    body = openai.server.requests[0].body
    assert body["messages"] == [{"role": "user", "content": "Summarise this."}]
    assert (body["temperature"], body["reasoning_effort"], body["max_completion_tokens"]) == (0.3, "none", 4_000)
    assert "tools" not in body


@pytest.mark.parametrize(
    ("fault", "reason", "requests"),
    [
        (Fault(401, {"error": {"message": "bad key"}}), "auxiliary_auth", 1),
        (Fault(400, {"error": {"message": "prompt is too long: 5000 tokens > 4000 maximum"}}), "auxiliary_overflow", 1),
        (Fault(500, {"error": {"message": "boom"}}), "auxiliary_error", 3),
        (Fault(400, {"error": {"message": "unknown parameter"}}), "auxiliary_error", 1),
    ],
)
async def test_faults_become_reason_codes(openai: Provider, fault: Fault, reason: str, requests: int) -> None:
    openai.server.script += [fault] * 3
    with pytest.raises(SummarizerError) as caught:
        await summarizer_for(openai.client(), openai.channel(), patience=QUICK)(REQUEST)
    assert (caught.value.reason, len(openai.server.requests)) == (reason, requests)
    assert "test channel" in str(caught.value)


@pytest.mark.parametrize("error", [ProviderAuthError("a"), ContextOverflowError("b"), ProviderRejectedError("c")])
async def test_what_does_not_pass_is_not_tried_again(error: ProviderError) -> None:
    provider = ScriptedProvider([Fails(error)])
    with pytest.raises(SummarizerError):
        await summarizer_for(provider, CHANNEL, patience=QUICK)(REQUEST)
    assert len(provider.requests) == 1


async def test_a_broken_stream_begins_anew() -> None:
    shown: list[str] = []
    provider = ScriptedProvider([Says("A summary that breaks off early.", breaks_with=ProviderBusyError("cut")), "A whole summary."])
    summarize = summarizer_for(provider, CHANNEL, shown.append, shown.clear, QUICK)
    assert (await summarize(REQUEST)).text == "A whole summary."  # type: ignore[union-attr]
    assert "".join(shown) == "A whole summary."


async def test_silence_is_a_timeout() -> None:
    provider = ScriptedProvider([Says("never", gate=asyncio.Event())] * 3)
    with pytest.raises(SummarizerError) as caught:
        await summarizer_for(provider, CHANNEL, patience=Patience(0.02, sleep=_no_wait))(REQUEST)
    assert (caught.value.reason, len(provider.requests)) == ("auxiliary_timeout", 3)


async def test_a_cut_off_summary_says_so() -> None:
    provider = ScriptedProvider([Says("half a summ", stop_reason="length", usage=Usage(10, 5))])
    assert await summarizer_for(provider, CHANNEL)(REQUEST) == SummaryReply("half a summ", 10, 5, "length")


async def test_the_offline_channel_extracts() -> None:
    pieces: list[str] = []
    reply = await summarizer_for(OfflineChat(), Channel(1, "offline", "offline", "offline"), pieces.append)(REQUEST)
    assert isinstance(reply, SummaryReply)
    assert "src/app.py" in reply.text
    assert "".join(pieces) == reply.text
