"""Context overflow is told from every other fault, in the words of many providers."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from netaclaw.providers.overflow import is_context_overflow, limits_named

_TABLE = Path(__file__).resolve().parents[3] / "shared" / "research" / "overflow-bodies.json"

TOO_LONG = (
    "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context "
    "length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that "
    "`max_model_len` is no smaller than the number of text tokens.",
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of "
    "5000 tokens: 4000 tokens from the input messages and 1000 tokens for the completion.",
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
    "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]",
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`",
    "`inputs` must have less than 4096 tokens. Given: 5000",
    "Input is too long for requested model.",
    "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt",
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    "Unable to submit request because the input token count is 40000 but model only supports up to 32768.",
    "Prompt exceeds max length",
    "Prompt 超长",
    "输入内容超过模型最大长度",
    "请求超过了最大 token 限制",
    "invalid params, context window exceeds limit (2013)",
    "Total tokens of image and text exceed max message tokens",
    "Input length 260000 exceeds the maximum length 229376",
    "prompt token count of 140000 exceeds the limit of 128000",
    "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
    "prompt too long; exceeded max context length by 4 tokens",
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens. Please "
    "reduce the length of the messages.",
    "Reached context length of 4096 tokens with this model, but this model does not currently support mid-generation context overflow",
    "This request would exceed the model's context size",
    "Your conversation is too long for this model. Start a new one.",
    "The total number of tokens in your request (150,000) is larger than the 128,000-token limit of this model",
    "Request too large: 215000 input tokens but the window is only 200000",
    "Too many input tokens",
    "Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576, but got a "
    "string with length 2000000 instead.",
    "Your prompt does not fit in the 8192 token window",
    "KV cache is full: sequence needs 9000 tokens, n_ctx=8192, no space left",
    "上下文长度超出限制",
    "总 token 数超过模型上限 131072",
    "The prompt overflows the context",
    "Sequence length 10000 is greater than max_seq_len 8192",
    "the request exceeds the available context size, try increasing it",
    "litellm.ContextWindowExceededError: boom",
    "input_too_long",
    "Conversation history exceeds the number of tokens this model can take",
    "Der Prompt ist zu lang",
    "Maximum context of 32k tokens surpassed: 40k given",
    "The number of input tokens (9000) must not be greater than 8192",
    "Context limit reached: 128000 tokens",
    "requested 9000 tokens, model allows 8192",
)

SOMETHING_ELSE = (
    "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
    "max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-haiku",
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 80 instead.",
    "Invalid 'messages[3].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a "
    "string with length 44 instead.",
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 200 instead.",
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
    "`max_tokens` must be greater than `thinking.budget_tokens`.",
    "messages.1.content.0.thinking.budget_tokens: Input should be greater than or equal to 1024",
    "context_management: Extra inputs are not permitted",
    "Range of max_tokens should be [1, 8192]",
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    "Too many requests, please wait",
    "You exceeded your current quota, please check your plan and billing details.",
    "tool_use ids were found without tool_result blocks immediately after",
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    "Your credit balance is too low to access the Anthropic API.",
    "context deadline exceeded",
    "Too many tokens, please wait before trying again.",
    "Request too large for model `x` in organization `o` on tokens per minute (TPM): Limit 6000, Requested 7000",
    "Input should be less than or equal to 8192",
    "The long context beta is not yet available for this subscription.",
    "The tool description is too long",
    "max_completion_tokens is larger than the maximum allowed 4096",
    "temperature is too large, must be at most 2",
    "messages: text content blocks must be non-empty",
    "prompt_cache_key is too long",
    "Unknown parameter: 'context'",
    "An assistant message with 'tool_calls' must be followed by tool messages",
    "Invalid value: stop sequences exceed the limit of 4",
    "Number of images exceeds the maximum of 20 in this request",
    "The model produced invalid content",
    "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    "You must provide a model parameter",
    "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
    "This model does not support more than 128 tools",
    "Invalid schema for function 'x': too many properties",
    "The server is out of memory",
    "image dimensions exceed max allowed size for many-image requests: 2000 pixels",
    "Input contains more than 4 images",
    "This model only supports text input",
    "The requested model does not support the tools parameter",
    "requested feature is above your plan",
    "Unable to process input image",
    "the message content is invalid",
    "Your request was rejected by the safety system",
    "Maximum number of messages is limited: no more than one system message allowed",
)


NEVER: tuple[tuple[int | None, Any], ...] = (
    (400, ""),
    (400, {}),
    (400, None),
    (413, ""),
    (413, "<html><body>413: the image is too large</body></html>"),
    (413, {"error": {"message": "Request too large for model `x` on tokens per minute (TPM): Limit 6000", "code": "rate_limit_exceeded"}}),
    (429, {"error": {"code": "context_length_exceeded", "message": "prompt is too long"}}),
    (401, {"error": {"message": "prompt is too long"}}),
    (503, "context deadline exceeded"),
)


def _table(kind: str) -> list[Any]:
    if not _TABLE.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"{_TABLE.name} is not beside the checkout"))]
    return [pytest.param(case, id=name) for name, case in json.loads(_TABLE.read_text("utf-8"))[kind].items()]


@pytest.mark.parametrize("case", _table("overflow"))
def test_every_overflow_of_the_table_is_recognised(case: dict[str, Any]) -> None:
    assert is_context_overflow(case["status"], case["body"])
    assert is_context_overflow(case["status"], json.dumps(case["body"]))


@pytest.mark.parametrize("case", _table("other"))
def test_no_other_fault_of_the_table_is_taken_for_it(case: dict[str, Any]) -> None:
    assert not is_context_overflow(case["status"], case["body"])


@pytest.mark.parametrize("message", TOO_LONG)
def test_other_wordings_are_recognised(message: str) -> None:
    assert is_context_overflow(400, {"error": {"message": message, "type": "invalid_request_error"}})
    assert is_context_overflow(None, message)


@pytest.mark.parametrize("message", SOMETHING_ELSE)
def test_other_complaints_are_not(message: str) -> None:
    assert not is_context_overflow(400, {"error": {"message": message, "type": "invalid_request_error"}})


@pytest.mark.parametrize(("status", "body"), NEVER)
def test_rate_limits_keys_pictures_and_silence_are_never_an_overflow(status: int | None, body: Any) -> None:
    assert not is_context_overflow(status, body)


def test_a_413_of_a_proxy_is_an_overflow() -> None:
    assert is_context_overflow(413, "<html><h1>413 Request Entity Too Large</h1></html>")


@pytest.mark.parametrize(
    ("message", "limits"),
    [
        ("prompt is too long: 213043 tokens > 200000 maximum", (200_000, 213_043)),
        ("input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", (200_000, 209_573)),
        ("The input (5000 tokens) is longer than the model's context length (4096 tokens).", (4_096, 5_000)),
        ("Your request (150,000) is larger than the 128,000-token limit of this model", (128_000, 150_000)),
        ("maximum context length is 131072 tokens. However, you requested 140000 tokens (139000 in the messages)", (131_072, 140_000)),
        ("Reached context length of 4096 tokens with this model", (4_096, None)),
        ("the input length exceeds the context length", (None, None)),
    ],
)
def test_named_numbers_are_read(message: str, limits: tuple[int | None, int | None]) -> None:
    assert limits_named({"error": {"message": message}}) == limits


def test_numbers_in_fields_are_read() -> None:
    assert limits_named('{"error": {"message": "too long", "n_prompt_tokens": 5000, "n_ctx": 4096}}') == (4_096, 5_000)


def test_a_body_that_echoes_the_request_is_read_quickly() -> None:
    echo = "prompt is too long. " + "the message said token after token " * 20_000
    started = time.perf_counter()
    assert is_context_overflow(400, {"error": {"message": echo}})
    limits_named(echo)
    assert time.perf_counter() - started < 2
