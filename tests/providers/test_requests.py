"""What goes over the wire beside the words: limits, pictures, errors of tools, keys, caches."""

from base64 import b64decode, b64encode

from netaclaw.domain.messages import Image, Message, Text
from tests.builders import assistant, tool_call, tool_result, user
from tests.providers.asking import asks, reply_of
from tests.providers.conftest import Provider

PNG = b64encode(b"\x89PNG\r\n\x1a\n" + bytes(16)).decode()


async def test_anthropic_always_gets_an_output_limit_within_the_reserve(anthropic: Provider) -> None:
    await reply_of(anthropic.client("unknown-model"), asks())
    await reply_of(anthropic.client("claude-haiku-4-5", window_tokens=40_000), asks())
    await reply_of(anthropic.client(), asks(max_output_tokens=100))
    assert [request.body["max_tokens"] for request in anthropic.server.requests] == [8_192, 10_000, 100]


async def test_anthropic_gets_tool_errors_marked(anthropic: Provider) -> None:
    context = (user("a"), assistant("", tool_call("c1", path="a")), tool_result("c1", "no such file", is_error=True))
    await reply_of(anthropic.client(), asks(*context))
    [block] = anthropic.server.requests[0].body["messages"][2]["content"]
    assert block["is_error"] is True
    assert "no such file" in str(block["content"])


async def test_anthropic_gets_cache_marks_and_a_key_header(anthropic: Provider) -> None:
    await reply_of(anthropic.client(), asks())
    request = anthropic.server.requests[0]
    assert request.headers["x-api-key"].startswith("sk-very")
    assert "cache_control" in request.body["system"][-1]
    assert "cache_control" in request.body["tools"][-1]


async def test_pictures_are_sent(provider: Provider) -> None:
    picture = Message("user", (Text("what is it?"), Image("image/png", data=PNG), Image("image/png", url="https://example.org/a.png")))
    await reply_of(provider.client(), asks(picture))
    sent = str(provider.server.requests[0].body)
    assert b64decode(PNG)[:4] == b"\x89PNG"
    assert PNG in sent
    assert "https://example.org/a.png" in sent


async def test_a_picture_in_a_tool_result_is_sent(provider: Provider) -> None:
    result = Message("tool", (Text("a screenshot"), Image("image/png", data=PNG)), tool_call_id="c1", name="look")
    await reply_of(provider.client(), asks(user("look"), assistant("", tool_call("c1", "look")), result))
    sent = str(provider.server.requests[0].body)
    assert PNG in sent
    assert "a screenshot" in sent


async def test_a_compatible_server_gets_only_what_was_asked_for(openai: Provider) -> None:
    await reply_of(openai.client(), asks(tools=()))
    body = openai.server.requests[0].body
    assert not {"temperature", "max_tokens", "max_completion_tokens", "tools"} & set(body)


async def test_the_same_context_gives_the_same_bytes(provider: Provider) -> None:
    context = asks(user("a"), assistant("b", tool_call("c1", path="a")), tool_result("c1", "c"), user("d"))
    client = provider.client()
    await reply_of(client, context)
    await reply_of(client, context)
    first, second = provider.server.requests
    assert str(first.body) == str(second.body)
