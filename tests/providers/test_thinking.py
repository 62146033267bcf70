"""Thinking there and back: signatures kept byte for byte, DeepSeek's reasoning sent back, levels as each vendor wants them."""

import pytest

from netaclaw.domain.agents import ThinkingLevel
from netaclaw.domain.messages import Message, Thinking, ToolCall
from tests.builders import assistant, tool_call, tool_result, user
from tests.providers.asking import asks, events_of, reply_of, streamed
from tests.providers.conftest import Provider
from tests.providers.fake_servers import Reply

CALL = ToolCall("c1", "read_file", '{"path":"a.py"}')
SIGNATURE = "EqoBCkgIARABGAIiQL+/==\u00e9"


async def test_signed_thinking_goes_back_byte_for_byte(anthropic: Provider) -> None:
    anthropic.server.script.append(Reply("Reading.", (CALL,), thinking="I should  read it.\n", signature=SIGNATURE, redacted="b3BhcXVl"))
    client = anthropic.client()
    reply = await reply_of(client, asks(user("read a.py"), thinking="low"))
    assert reply.thinking == (Thinking("", encrypted="b3BhcXVl"), Thinking("I should  read it.\n", SIGNATURE))
    await reply_of(client, asks(user("read a.py"), reply, tool_result("c1", "x = 1"), thinking="low"))
    blocks = anthropic.server.requests[1].body["messages"][1]["content"]
    assert blocks[0] == {"type": "redacted_thinking", "data": "b3BhcXVl"}
    assert blocks[1] == {"type": "thinking", "thinking": "I should  read it.\n", "signature": SIGNATURE}
    assert [block["type"] for block in blocks[2:]] == ["text", "tool_use"]


async def test_a_signed_block_of_an_imported_transcript_is_anthropics(anthropic: Provider) -> None:
    await reply_of(anthropic.client(), asks(user("a"), assistant("b", thinking="hm", signature="sig"), user("c"), thinking="low"))
    assert anthropic.server.requests[0].body["messages"][1]["content"][0] == {"type": "thinking", "thinking": "hm", "signature": "sig"}


async def test_thinking_is_streamed(provider: Provider) -> None:
    provider.server.script.append(Reply("The answer.", thinking="A long chain of thought."))
    events = await events_of(provider.client(), asks(thinking="high"))
    assert streamed(events)[:2] == ("The answer.", "A long chain of thought.")


async def test_deepseek_gets_its_reasoning_back_in_tool_turns(deepseek: Provider) -> None:
    deepseek.server.script.append(Reply("", (CALL,), thinking="I need the file."))
    client = deepseek.client()
    asked = user("read a.py")
    reply = await reply_of(client, asks(asked, thinking="high"))
    final = Message("assistant", (Thinking("now I know"), *assistant("It is x.").parts), meta=reply.meta)
    await reply_of(client, asks(asked, reply, tool_result("c1", "x = 1"), final, user("thanks"), thinking="high"))
    sent = deepseek.server.requests[1].body["messages"]
    assert [message.get("reasoning_content") for message in sent if message["role"] == "assistant"] == ["I need the file.", "now I know"]


async def test_deepseek_does_not_get_the_reasoning_of_plain_turns(deepseek: Provider) -> None:
    reply = Message("assistant", (Thinking("private thought"), *assistant("4").parts), meta={"provider": "deepseek"})
    await reply_of(deepseek.client(), asks(user("2+2?"), reply, user("sure?")))
    assert "private thought" not in str(deepseek.server.requests[0].body)


async def test_encrypted_reasoning_of_the_responses_api_goes_back(responses: Provider) -> None:
    responses.server.script.append(Reply("", (CALL,), thinking="Read first.", signature="ZW5jcnlwdGVk"))
    client = responses.client()
    asked = user("read a.py")
    reply = await reply_of(client, asks(asked, thinking="high"))
    assert reply.thinking == (Thinking("Read first.", "ZW5jcnlwdGVk", extra={"id": "rs_1"}),)
    await reply_of(client, asks(asked, reply, tool_result("c1", "x = 1"), thinking="high"))
    items = responses.server.requests[1].body["input"]
    reasoning = next(item for item in items if item.get("type") == "reasoning")
    assert (reasoning["id"], reasoning["encrypted_content"]) == ("rs_1", "ZW5jcnlwdGVk")


async def test_thinking_of_anthropic_does_not_reach_deepseek(deepseek: Provider) -> None:
    signed = Message("assistant", (Thinking("claude's", "sig"), tool_call("c1", path="a")), meta={"provider": "anthropic"})
    await reply_of(deepseek.client(), asks(user("a"), signed, tool_result("c1", "b"), thinking="high"))
    sent = deepseek.server.requests[0].body["messages"]
    assert "claude's" not in str(sent)
    assert sent[2]["reasoning_content"] == ""  # the API refuses a call without the field while it thinks


@pytest.mark.parametrize(
    ("model", "level", "expected"),
    [
        ("claude-haiku-4-5", "off", {}),
        ("claude-haiku-4-5", "medium", {"thinking": {"type": "enabled", "budget_tokens": 10_000}}),
        ("claude-sonnet-5", "off", {"thinking": {"type": "disabled"}}),
        ("claude-sonnet-5", "high", {"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}}),
    ],
)
async def test_levels_for_anthropic(anthropic: Provider, model: str, level: ThinkingLevel, expected: dict[str, object]) -> None:
    await reply_of(anthropic.client(model), asks(thinking=level))
    body = anthropic.server.requests[0].body
    assert {key: body[key] for key in ("thinking", "output_config") if key in body} == expected


@pytest.mark.parametrize(
    ("model", "level", "effort"), [("gpt-5.2", "off", "none"), ("gpt-5.2", "high", "high"), ("gpt-4o", "high", None), ("o3", "low", "low")]
)
async def test_levels_for_openai(openai: Provider, model: str, level: ThinkingLevel, effort: str | None) -> None:
    await reply_of(openai.client(model), asks(thinking=level))
    assert openai.server.requests[0].body.get("reasoning_effort") == effort


async def test_a_thinking_budget_stays_below_the_output_limit(anthropic: Provider) -> None:
    await reply_of(anthropic.client(max_output_tokens=4_000), asks(thinking="high"))
    body = anthropic.server.requests[0].body
    assert (body["max_tokens"], body["thinking"]["budget_tokens"]) == (4_000, 2_000)


async def test_a_budget_model_does_not_start_to_think_in_the_middle_of_a_turn(anthropic: Provider) -> None:
    open_turn = (user("a"), assistant("", tool_call("c1", path="a")), tool_result("c1", "b"))
    await reply_of(anthropic.client(), asks(*open_turn, thinking="high"))
    assert "thinking" not in anthropic.server.requests[0].body
