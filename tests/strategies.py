"""Generated conversations with every fault that real transcripts have: ids used again, gaps, orphans, emptiness, both languages."""

import json

from hypothesis import strategies as st

from netaclaw.compaction import CompactionSettings
from netaclaw.domain.messages import Image, Message, Part, Text, Thinking, ToolCall

CALL_IDS = st.sampled_from(["c1", "c1", "c2", "c3", "", "toolu_9"])

_WORDS = "fix the parser in src/app.py 部署 到 生产环境 订单号 ZX-4417 tests-pass error: </transcript> [USER]".split()

texts = st.one_of(
    st.just(""),
    st.just("  \n"),
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=12).map(" ".join),
    st.builds(
        lambda word, times: f"{word}。" * times, st.sampled_from(["压缩上下文", "保留约束", "long line of output"]), st.integers(20, 400)
    ),
    st.text(alphabet=st.characters(codec="utf-8"), max_size=30),
)

arguments = st.one_of(
    st.builds(
        lambda path, text: json.dumps({"path": path, "content": text}, ensure_ascii=False), st.sampled_from(["a.py", "文档.md"]), texts
    ),
    st.sampled_from(["{}", "", '{"path": "cut', "[1, 2]", '"{\\"a\\": 1}"', '{"x": NaN}', "null"]),
)

calls = st.builds(ToolCall, id=CALL_IDS, name=st.sampled_from(["read_file", "run", ""]), arguments=arguments)

thinking = st.builds(Thinking, st.text(max_size=20), signature=st.one_of(st.none(), st.just("sig==")))

images = st.one_of(st.builds(Image, data=st.just("aGVsbG8=")), st.just(Image()))


def _message(role: str, text: str, more: list[Part], call_id: str, origin: str) -> Message:
    parts: list[Part] = [Text(text)] if text else []
    match role:
        case "tool":
            return Message("tool", (*parts, *(p for p in more if isinstance(p, Image))), tool_call_id=call_id or None, name="read_file")
        case "user":
            return Message(
                "user", (*parts, *(p for p in more if isinstance(p, Image))), origin="notice" if origin == "notice" else "conversation"
            )
        case "assistant":
            thoughts = [p for p in more if isinstance(p, Thinking)]
            return Message("assistant", (*thoughts, *parts, *(p for p in more if isinstance(p, ToolCall))))
        case _:
            return Message("system", tuple(parts))


messages = st.builds(
    _message,
    st.sampled_from(["user", "assistant", "assistant", "tool", "tool", "tool", "system"]),
    texts,
    st.lists(st.one_of(calls, calls, thinking, images), max_size=3),
    CALL_IDS,
    st.sampled_from(["conversation", "conversation", "conversation", "notice"]),
)


def _healthy_step(call_id: str, said: str, result: str) -> list[Message]:
    call = ToolCall(call_id or "x", "run", '{"command": "make test"}')
    return [Message("assistant", (Text(said), call) if said else (call,)), Message("tool", (Text(result),), tool_call_id=call_id or "x")]


_steps = st.one_of(
    messages.map(lambda message: [message]),
    st.builds(_healthy_step, CALL_IDS, texts, texts),
    texts.map(lambda text: [Message("user", (Text(text),))]),
)

conversations = st.lists(_steps, max_size=40).map(lambda steps: [message for step in steps for message in step])

settings = st.builds(
    CompactionSettings,
    window_tokens=st.sampled_from([600, 2_000, 8_000]),
    threshold_percent=st.sampled_from([30, 70, 95]),
    protect_first_n=st.integers(0, 6),
    tail_token_budget_ratio=st.sampled_from([0.05, 0.2, 0.5]),
    summary_min_tokens=st.just(200),
    summary_max_tokens=st.just(800),
    min_tail_messages=st.integers(1, 5),
    counter=st.sampled_from(["chars4", "o200k"]),
)
