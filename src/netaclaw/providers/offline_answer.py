"""What the offline model answers: the words of its context that share most with the question, quoted with who said them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

from netaclaw.compaction.settings import Language
from netaclaw.domain.messages import Message
from netaclaw.providers.offline_report import one_line
from netaclaw.providers.offline_words import own_words, spoken_parts

_MOST_PASSAGES = 2
_NEARLY_AS_GOOD = 0.75
"""What is quoted beside the best passage."""
_PASSAGE_CHARS = 320
_QUOTE_CHARS = 240
_CJK = re.compile(r"[\u4e00-\u9fff]+")
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_STOP_WORDS = frozenset(
    "the a an of to in on for and or is are was were be do does did what which who how why when where i you we it this that with my our"
    " your me can could please tell about from by at as have has had there then".split()
)

_SAID = {
    "en": {
        "hello": "I am the offline model, not a language model: I can only search this conversation",
        "tools": " and call a tool that you name ({names})",
        "found": "Closest to your question:",
        "nothing": "I found nothing in it that matches your question. Choose a channel with a real model for an answer.",
    },
    "zh": {
        "hello": "我是离线模型，不是语言模型：我只能在这段对话里搜索",
        "tools": "，也可以调用你点名的工具（{names}）",
        "found": "与你的问题最接近的内容：",
        "nothing": "对话里没有找到与你的问题相符的内容。要得到真正的回答，请选择一个有真实模型的渠道。",
    },
}
_WHO = {
    "en": {
        "user": "you wrote: ",
        "assistant": "the assistant wrote: ",
        "tool": "a tool returned: ",
        "summary": "the summary says: ",
        "system": "the system said: ",
    },
    "zh": {"user": "你写过：", "assistant": "助手写过：", "tool": "工具返回过：", "summary": "摘要里有：", "system": "系统说过："},
}
_OWN_ANSWERS = tuple(said[key] for said in _SAID.values() for key in ("hello", "found"))


@dataclass(frozen=True, slots=True)
class _Passage:
    number: int
    """Of its message."""
    role: str
    text: str
    terms: frozenset[str]


def answer_from_context(messages: Sequence[Message], language: Language, tool_names: Sequence[str] = ()) -> str:
    """Return the best passages before the newest message, or that there is none; what the offline model is, unless it stands there."""
    said = _SAID[language]
    passages = _best(messages)
    lines = [] if passages and _has_introduced_itself(messages) else [_introduction(language, tool_names), ""]
    if not passages:
        return "\n".join([*lines, said["nothing"]])
    lines.append(said["found"])
    lines += [f"- {_WHO[language][passage.role]}“{one_line(passage.text, _QUOTE_CHARS)}”" for passage in passages]
    return "\n".join(lines)


def _introduction(language: Language, tool_names: Sequence[str]) -> str:
    said = _SAID[language]
    tools = said["tools"].format(names=", ".join(tool_names)) if tool_names else ""
    return f"{said['hello']}{tools}{'。' if language == 'zh' else '.'}"


def _has_introduced_itself(messages: Sequence[Message]) -> bool:
    hellos = tuple(said["hello"] for said in _SAID.values())
    return any(message.role == "assistant" and message.text.startswith(hellos) for message in messages)


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
    best = [passage for passage in best if score(passage)[0] >= score(best[0])[0] * _NEARLY_AS_GOOD]
    distinct = list({passage.text: passage for passage in reversed(best)}.values())[::-1]
    return sorted(distinct[:_MOST_PASSAGES], key=lambda passage: passage.number)


def _passages(messages: Sequence[Message]) -> Iterator[_Passage]:
    """Earlier answers of this model only quoted."""
    for number, message in enumerate(messages, 1):
        if message.role == "assistant" and message.text.startswith(_OWN_ANSWERS):
            continue
        for role, text in spoken_parts(message):
            for piece in _spoken(text) if role in ("user", "assistant") else _split(text):
                yield _Passage(number, role, piece, _terms(piece))


def _spoken(text: str) -> Iterator[str]:
    """Sentences; questions tell nothing."""
    for sentence in _SENTENCE.split(text):
        if sentence.strip() and not sentence.rstrip(" \"'”’）)").endswith(("?", "？")):
            yield sentence.strip()


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
