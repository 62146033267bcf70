"""The real SDK clients against the fake servers: one contract for every vendor."""

import asyncio
from dataclasses import replace

import pytest

from netaclaw.domain.messages import Message, Text, Thinking, ToolCall, Usage
from netaclaw.errors import ContextOverflowError, ProviderAuthError, ProviderBusyError, ProviderError, ProviderRejectedError
from netaclaw.providers.base import Finished, TextDelta
from netaclaw.providers.opened_stream import opened_stream
from netaclaw.providers.registry import client_for
from netaclaw.providers.retry import with_retries
from tests.builders import assistant, tool_call, tool_result, user
from tests.providers.asking import asks, events_of, reply_of, streamed
from tests.providers.conftest import Provider
from tests.providers.fake_servers import Fault, Reply

CALLS = (ToolCall("call_1", "read_file", '{"path": "src/一.py"}'), ToolCall("call_2", "read_file", '{"path": "b.py"}'))


async def test_text_and_calls_are_streamed_and_finished(provider: Provider) -> None:
    provider.server.script.append(Reply("Let me look at 两个 files.", CALLS))
    events = await events_of(provider.client(), asks(user("read both")))
    assert streamed(events) == ("Let me look at 两个 files.", "", [(call.name, call.arguments) for call in CALLS])
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert finished.message.text == "Let me look at 两个 files."
    assert [(call.id, call.name, call.arguments) for call in finished.message.tool_calls] == [(c.id, c.name, c.arguments) for c in CALLS]
    assert finished.message.stop_reason == "tool_calls"
    assert finished.message.model == "fake-model"


async def test_cached_tokens_are_counted_once(provider: Provider) -> None:
    write = 50 if provider.vendor == "anthropic" else 0
    provider.server.script.append(Reply("ok", usage=Usage(1_000, 20, 600, write)))
    message = await reply_of(provider.client(), asks())
    assert message.usage == Usage(1_000, 20, 600, write)
    assert message.stop_reason == "stop"


async def test_system_prompt_tools_and_results_reach_the_provider(provider: Provider) -> None:
    context = (
        user("read a.py"),
        assistant("I read it.", tool_call("t1", path="a.py"), tool_call("t2", path="b.py")),
        tool_result("t1", "print(1)"),
        tool_result("t2", "no such file", is_error=True),
        user("and now?"),
    )
    await reply_of(provider.client(), asks(*context))
    sent = str(provider.server.requests[0].body)
    for expected in ("You are helpful.", "Rules: be short.", "read_file", "Read a file.", "print(1)", "no such file", "and now?", "t1"):
        assert expected in sent
    assert sent.index("print(1)") < sent.index("no such file") < sent.index("and now?")


async def test_the_prompt_is_one_system_message(openai: Provider) -> None:
    await reply_of(openai.client(), asks(user("one"), assistant("two"), user("three")))
    roles = [message["role"] for message in openai.server.requests[0].body["messages"]]
    assert roles == ["system", "user", "assistant", "user"]


async def test_foreign_thinking_is_not_sent(provider: Provider) -> None:
    foreign = Message("assistant", (Thinking("secret reasoning"), Text("4")), meta={"provider": "elsewhere"})
    await reply_of(provider.client(), asks(user("2+2?"), foreign, user("sure?")))
    sent = str(provider.server.requests[0].body)
    assert "secret reasoning" not in sent
    assert "<think" not in sent


async def test_a_401_names_the_channel_and_hides_the_key(provider: Provider) -> None:
    message = "Incorrect API key provided: sk-very-secret-key-1234567890. You can find your key at example.org"
    provider.server.script.append(Fault(401, {"error": {"message": message, "type": "invalid_request_error"}}))
    with pytest.raises(ProviderAuthError) as caught:
        await reply_of(provider.client(), asks())
    said = str(caught.value)
    assert "test channel" in said
    assert "check the key" in said
    assert "secret" not in said
    assert "\n" not in said
    assert caught.value.status == 401
    assert len(provider.server.requests) == 1


async def test_a_429_carries_what_the_provider_asks_to_wait(provider: Provider) -> None:
    provider.server.script.append(
        Fault(429, {"error": {"message": "Rate limit reached", "type": "rate_limit_error"}}, {"retry-after": "7"})
    )
    with pytest.raises(ProviderBusyError) as caught:
        await reply_of(provider.client(), asks())
    assert caught.value.retry_after_seconds == 7
    assert caught.value.partial is None
    assert len(provider.server.requests) == 1


@pytest.mark.parametrize("status", [500, 503, 529])
async def test_server_faults_are_busy(provider: Provider, status: int) -> None:
    provider.server.script.append(Fault(status, {"error": {"message": "overloaded", "type": "server_error"}}))
    with pytest.raises(ProviderBusyError):
        await reply_of(provider.client(), asks())
    assert len(provider.server.requests) == 1


async def test_an_html_error_page_is_readable(provider: Provider) -> None:
    provider.server.script.append(Fault(502, "<html><body><h1>502 Bad Gateway</h1></body></html>"))
    with pytest.raises(ProviderBusyError, match="502"):
        await reply_of(provider.client(), asks())


async def test_overflow_is_recognised_with_its_numbers(provider: Provider) -> None:
    body = {"error": {"message": "request (5000 tokens) exceeds the available context size (4096 tokens)", "type": "invalid_request_error"}}
    provider.server.script.append(Fault(400, body))
    with pytest.raises(ContextOverflowError) as caught:
        await reply_of(provider.client(), asks())
    assert (caught.value.limit_tokens, caught.value.requested_tokens) == (4096, 5000)


async def test_other_faults_of_the_request_are_rejected(provider: Provider) -> None:
    provider.server.script.append(Fault(400, {"error": {"message": "Unknown parameter: 'x'", "type": "invalid_request_error"}}))
    with pytest.raises(ProviderRejectedError, match="Unknown parameter"):
        await reply_of(provider.client(), asks())


async def test_a_cut_stream_keeps_what_arrived(provider: Provider) -> None:
    provider.server.script.append(Reply("This answer is long enough to be cut in its middle.", cut_after=6))
    with pytest.raises(ProviderBusyError) as caught:
        await events_of(provider.client(), asks())
    partial = caught.value.partial
    assert isinstance(partial, Message)
    assert partial.text
    assert "This answer is long enough to be cut in its middle.".startswith(partial.text)


async def test_a_stream_that_ends_without_a_reason_is_a_cut_one(provider: Provider) -> None:
    provider.server.script.append(Reply("This answer is long enough to be cut in its middle.", cut_after=6, ends_early=True))
    with pytest.raises(ProviderBusyError) as caught:
        await events_of(provider.client(), asks())
    assert isinstance(caught.value.partial, Message)


async def test_an_error_inside_the_stream_is_typed(provider: Provider) -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    if provider.vendor == "openai_responses":
        error = {"type": "error", "code": "server_error", "message": "Overloaded", "sequence_number": 9}  # type: ignore[dict-item]
    provider.server.script.append(Reply("This answer is long enough to be cut in its middle.", cut_after=6, error_event=error))
    with pytest.raises(ProviderBusyError) as caught:
        await events_of(provider.client(), asks())
    assert isinstance(caught.value.partial, Message)


async def test_a_refused_connection_is_busy(provider: Provider) -> None:
    client = provider.client()
    await provider.server.__aexit__()
    with pytest.raises(ProviderBusyError, match="base URL"):
        await reply_of(client, asks())


async def test_cancelling_the_consumer_closes_the_connection(provider: Provider) -> None:
    provider.server.script.append(Reply("This answer waits in its middle for ever.", gate=asyncio.Event()))
    client = provider.client()
    begun = asyncio.Event()

    async def consume() -> None:
        async for event in client.stream(asks()):
            if isinstance(event, TextDelta):
                begun.set()

    task = asyncio.create_task(consume())
    await asyncio.wait_for(begun.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(provider.server.hung_up.wait(), 5)


async def test_length_is_told(provider: Provider) -> None:
    words = {"anthropic": "max_tokens", "openai_responses": "max_output_tokens"}
    provider.server.script.append(Reply("cut", finish=words.get(provider.vendor, "length")))
    assert (await reply_of(provider.client(), asks())).stop_reason == "length"


async def test_empty_arguments_become_an_object(provider: Provider) -> None:
    provider.server.script.append(Reply(calls=(ToolCall("c1", "read_file", ""),)))
    assert [call.arguments for call in (await reply_of(provider.client(), asks())).tool_calls] == ["{}"]


async def test_leaving_the_stream_early_closes_the_connection(provider: Provider) -> None:
    provider.server.script.append(Reply("This answer waits in its middle for ever.", gate=asyncio.Event()))
    async with opened_stream(with_retries(provider.client(), asyncio.sleep), asks()) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                break
    await asyncio.wait_for(provider.server.hung_up.wait(), 5)


async def test_a_client_serves_on_after_faults(provider: Provider) -> None:
    provider.server.script += [Fault(500, {"error": {"message": "x"}}), Reply("long enough to be cut in two", cut_after=5), Reply("fine")]
    client = provider.client()
    for _ in range(2):
        with pytest.raises(ProviderBusyError):
            await reply_of(client, asks())
    assert (await reply_of(client, asks())).text == "fine"


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (402, "Insufficient Balance"),
        (429, "You exceeded your current quota, please check your plan."),
        (400, "Your credit balance is too low"),
    ],
)
async def test_spent_credit_is_not_a_rate_limit(provider: Provider, status: int, message: str) -> None:
    provider.server.script.append(Fault(status, {"error": {"message": message, "type": "x"}}))
    with pytest.raises(ProviderAuthError, match="top up"):
        await reply_of(provider.client(), asks())


async def test_a_page_instead_of_an_answer_is_a_provider_error(provider: Provider) -> None:
    provider.server.script.append(Fault(200, "<html>Welcome to nginx</html>"))
    with pytest.raises(ProviderError):
        await reply_of(provider.client(), asks())


@pytest.mark.parametrize("base_url", ["http://", "nonsense", "http://127.0.0.1:99999/v1"])
async def test_a_nonsense_base_url_is_a_provider_error(provider: Provider, base_url: str) -> None:
    client = client_for(replace(provider.channel(), base_url=base_url))
    with pytest.raises(ProviderError):
        await reply_of(client, asks())


async def test_many_requests_share_one_client(provider: Provider) -> None:
    client = provider.client()
    replies = await asyncio.gather(*(reply_of(client, asks()) for _ in range(8)))
    assert [reply.text for reply in replies] == ["ok"] * 8


def test_a_key_is_not_shown_with_its_channel(openai: Provider) -> None:
    assert "secret" not in repr(openai.channel())
