"""Our messages as those of pydantic-ai: one direction of the translation; `reply.py` is the other.

Thinking goes back only to the provider it came from. Which one that is stands in `Message.meta["provider"]`, written by `reply.py`;
a signed block without it (an imported transcript) is taken for Anthropic's, the only one whose transcripts carry signatures.
"""

from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pydantic_ai.messages import (
    BinaryContent,
    ImageUrl,
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from netaclaw.domain.messages import Image, Message, Opaque, Text, Thinking, ToolCall
from netaclaw.providers import base

PROVIDER_KEY = "provider"
"""Key of `Message.meta`: the provider whose thinking a message carries."""

ThinkingPolicy: TypeAlias = Literal["signed", "tool_turns", "never"]
"""`signed`: blocks with a signature or payload of this provider. `tool_turns`: also unsigned ones, in turns with tool calls."""


def request_parameters(request: base.ModelRequest) -> ModelRequestParameters:
    """Return tools and system prompt; the prompt travels with each request, so that no compaction can lose it."""
    return ModelRequestParameters(
        function_tools=[
            ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters), strict=False)
            for tool in request.tools
        ],
        instruction_parts=[InstructionPart(content=section) for section in request.system_prompt if section.strip()],
    )


def model_messages(messages: Sequence[Message], provider: str, policy: ThinkingPolicy) -> list[ModelMessage]:
    """Return the messages as alternating requests and responses."""
    translated: list[ModelMessage] = []
    run = _Run(_tool_names(messages))
    keeps_thinking = _thinking_choice(messages, provider, policy)
    for message in messages:
        if message.role == "assistant":
            parts = list(_response_parts(message, provider, keeps_thinking))
            if parts:  # a reply of foreign thinking alone leaves nothing; its neighbours then are one request
                translated += run.take()
                translated.append(ModelResponse(parts=parts, provider_name=provider))
        elif message.role == "tool":
            run.results.append(_tool_return(message, run.tool_names))
        else:
            run.spoken += _user_content(message)
    translated += run.take()
    return translated


@dataclass
class _Run:
    """Results and user messages between two replies: they become one request."""

    tool_names: dict[str, str]
    results: list[ModelRequestPart] = field(default_factory=list)
    spoken: list[UserContent] = field(default_factory=list)

    def take(self) -> Iterator[ModelRequest]:
        parts = [*self.results]
        if self.spoken:
            only = self.spoken[0]
            parts.append(UserPromptPart(content=only if len(self.spoken) == 1 and isinstance(only, str) else [*self.spoken]))
        self.results, self.spoken = [], []
        if parts:
            yield ModelRequest(parts=parts)


def _tool_names(messages: Sequence[Message]) -> dict[str, str]:
    return {call.id: call.name for message in messages for call in message.tool_calls}


def _thinking_choice(messages: Sequence[Message], provider: str, policy: ThinkingPolicy) -> Callable[[Message, Thinking], bool]:
    tool_turns = _messages_of_tool_turns(messages) if policy == "tool_turns" else frozenset[int]()

    def keeps(message: Message, block: Thinking) -> bool:
        origin = message.meta.get(PROVIDER_KEY, "anthropic" if block.is_sent else None)
        if policy == "never" or origin != provider:
            return False
        return block.is_sent or id(message) in tool_turns

    return keeps


def _messages_of_tool_turns(messages: Sequence[Message]) -> frozenset[int]:
    """Identities of the replies in turns that call tools: DeepSeek wants their reasoning back in every later request."""
    found: set[int] = set()
    turn: list[Message] = []
    for message in (*messages, Message("user")):
        if message.role == "user":
            if any(reply.tool_calls for reply in turn):
                found.update(id(reply) for reply in turn)
            turn = []
        elif message.role == "assistant":
            turn.append(message)
    return frozenset(found)


def _response_parts(message: Message, provider: str, keeps: Callable[[Message, Thinking], bool]) -> Iterator[ModelResponsePart]:
    for part in message.parts:
        match part:
            case Text() if part.text:
                yield TextPart(content=part.text)
            case ToolCall():
                yield ToolCallPart(tool_name=part.name, args=part.arguments or "{}", tool_call_id=part.id, id=_id_of(part))
            case Thinking() if keeps(message, part):
                yield _thinking_part(part, provider)
            case _:
                pass  # pictures and foreign blocks in a reply are of no use to another request


def _thinking_part(block: Thinking, provider: str) -> ThinkingPart:
    if block.encrypted is not None:
        return ThinkingPart(content="", id="redacted_thinking", signature=block.encrypted, provider_name=provider)
    if block.signature is not None:
        return ThinkingPart(content=block.text, id=_id_of(block), signature=block.signature, provider_name=provider)
    return ThinkingPart(content=block.text, id="reasoning_content", provider_name=provider)


def _id_of(part: Thinking | ToolCall) -> str | None:
    """The provider's own id of an item, such as OpenAI's `rs_...`."""
    return str(part.extra["id"]) if part.extra and "id" in part.extra else None


def _tool_return(message: Message, tool_names: dict[str, str]) -> ToolReturnPart:
    call_id = message.tool_call_id or ""
    content = _user_content(message)
    return ToolReturnPart(
        tool_name=message.name or tool_names.get(call_id, "tool"),
        content=[*content] if message.images else message.text,
        tool_call_id=call_id,
        outcome="failed" if message.is_error else "success",
    )


def _user_content(message: Message) -> list[UserContent]:
    content: list[UserContent] = []
    for part in message.parts:
        match part:
            case Text() if part.text:
                content.append(part.text)
            case Image() if part.data is not None:
                content.append(BinaryContent(data=b64decode(part.data), media_type=part.media_type))
            case Image() if part.url is not None:
                content.append(ImageUrl(url=part.url, media_type=part.media_type))
            case Image():
                content.append(f"[image {part.media_type}]")
            case Opaque():
                content.append(f"[{part.kind}]")
            case _:
                pass
    return content
