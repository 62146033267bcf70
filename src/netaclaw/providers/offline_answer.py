"""What the offline model says: the passages of its context that share most words with the question, quoted with where they stand."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

from netaclaw.compaction.settings import Language
from netaclaw.domain.messages import Message, Text

_MOST_PASSAGES = 3
_PASSAGE_CHARS = 320
_QUOTE_CHARS = 240
_REPORT_CHARS = 160
_CJK = re.compile(r"[\u4e00-\u9fff]+")
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*")
_STOP_WORDS = frozenset(
    "the a an of to in on for and or is are was were be do does did what which who how why when where i you we it this that with my our"
    " your me can could please tell about from by at as have has had there then".split()
)
_OWN_SENTENCES = ("I am the offline model", "我是离线模型")

_SAID = {
    "en": {
        "hello": "I am the offline model, not a language model: I can only search this conversation",
        "tools": " and call a tool that you name ({names})",
        "found": "Closest to your question:",
        "nothing": "I found nothing in it that matches your question. Choose a channel with a real model for an answer.",
        "where": "message {number}, {role}",
        "result": "I am the offline model. `{name}` returned {lines} lines, {chars} characters: {quote}",
        "error": "I am the offline model. `{name}` failed: {quote}",
        "empty": "I am the offline model. `{name}` returned nothing.",
    },
    "zh": {
        "hello": "我是离线模型，不是语言模型：我只能在这段对话里搜索",
        "tools": "，也可以调用你点名的工具（{names}）",
        "found": "与你的问题最接近的内容：",
        "nothing": "对话里没有找到与你的问题相符的内容。要得到真正的回答，请选择一个有真实模型的渠道。",
        "where": "第 {number} 条消息，{role}",
        "result": "我是离线模型。`{name}` 返回 {lines} 行、{chars} 个字符：{quote}",
        "error": "我是离线模型。`{name}` 失败：{quote}",
        "empty": "我是离线模型。`{name}` 没有返回内容。",
    },
}
_ROLES = {
    "en": {"user": "you", "assistant": "assistant", "tool": "tool output", "summary": "summary", "system": "system"},
    "zh": {"user": "你", "assistant": "助手", "tool": "工具输出", "summary": "摘要", "system": "系统"},
}


@dataclass(frozen=True, slots=True)
class _Passage:
    number: int
    """Of its message, from 1."""
    role: str
    text: str
    terms: frozenset[str]


def answer_from_context(messages: Sequence[Message], language: Language, tool_names: Sequence[str] = ()) -> str:
    """Return what the offline model is, and the best passages before the newest message, or that there is none."""
    said = _SAID[language]
    tools = said["tools"].format(names=", ".join(tool_names)) if tool_names else ""
    lines = [f"{said['hello']}{tools}{'。' if language == 'zh' else '.'}"]
    passages = _best(messages)
    if not passages:
        return f"{lines[0]}\n\n{said['nothing']}"
    lines.append(f"\n{said['found']}")
    for passage in passages:
        where = said["where"].format(number=passage.number, role=_ROLES[language][passage.role])
        colon = "：" if language == "zh" else ": "
        lines.append(f"- {where}{colon}“{_one_line(passage.text, _QUOTE_CHARS)}”")
    return "\n".join(lines)


def report_of_results(messages: Sequence[Message], language: Language) -> str:
    """Return a sentence for each result at the end of the context."""
    said, results = _SAID[language], []
    names = {call.id: call.name for message in messages for call in message.tool_calls}
    for message in reversed(messages):
        if message.role != "tool":
            break
        name = message.name or names.get(message.tool_call_id or "", "tool")
        text = message.text.strip()
        key = "error" if message.is_error else ("result" if text else "empty")
        counts = {"lines": f"{len(text.splitlines()):,}", "chars": f"{len(text):,}"}
        results.append(said[key].format(name=name, quote=_one_line(text, _REPORT_CHARS), **counts))
    return "\n".join(reversed(results))


def _best(messages: Sequence[Message]) -> list[_Passage]:
    """Rank by the rarity of the shared words; of equals the newer one first. Shown in the order of the conversation."""
    wanted = _terms(own_words(messages[-1])) if messages else frozenset()
    passages = [passage for passage in _passages(messages[:-1]) if passage.terms & wanted]
    spread = Counter(term for passage in passages for term in passage.terms & wanted)
    total = len(passages) + 1

    def score(passage: _Passage) -> tuple[float, int]:
        shared = sum(log(1 + total / spread[term]) for term in passage.terms & wanted)
        return shared / (1 + log(1 + len(passage.terms)) / 4), passage.number

    best = sorted(passages, key=score, reverse=True)
    best = [passage for passage in best if score(passage)[0] >= score(best[0])[0] / 2]
    distinct = list({passage.text: passage for passage in reversed(best)}.values())[::-1]
    return sorted(distinct[:_MOST_PASSAGES], key=lambda passage: passage.number)


def own_words(newest: Message) -> str:
    """Return what the user wrote last: of a joined message (summary, then the request) only its end, without the attached state."""
    texts = [part.text for part in newest.parts if isinstance(part, Text) and not part.text.startswith("<state>")]
    return texts[-1].rsplit("\n\n", 1)[-1] if texts else ""


def _passages(messages: Sequence[Message]) -> Iterator[_Passage]:
    for number, message in enumerate(messages, 1):
        role = "summary" if message.origin == "summary" else message.role
        for text in _split(message.text):
            if not text.startswith(_OWN_SENTENCES):
                yield _Passage(number, role, text, _terms(text))


def _split(text: str) -> Iterator[str]:
    """Paragraphs, long ones cut at line ends."""
    for paragraph in re.split(r"\n\s*\n", text):
        taken = ""
        for line in paragraph.splitlines():
            if taken and len(taken) + len(line) > _PASSAGE_CHARS:
                yield taken
                taken = ""
            taken = f"{taken}\n{line}" if taken else line[: 4 * _PASSAGE_CHARS]
        if taken.strip():
            yield taken.strip()


def _terms(text: str) -> frozenset[str]:
    """Words in lower case, and pairs of Chinese characters."""
    words = {word.lower().strip("./-") for word in _WORD.findall(text)} - _STOP_WORDS - {""}
    pairs = {run[start : start + 2] for run in _CJK.findall(text) for start in range(max(1, len(run) - 1))}
    return frozenset(words | pairs)


def _one_line(text: str, chars: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= chars else line[: chars - 1] + "…"
