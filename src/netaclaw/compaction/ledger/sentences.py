"""Sentences of a text, and which of them lay down a rule or a decision, in Chinese and English."""

import re

from netaclaw.compaction.ledger.observation import Statement

_SCAN_CHARS = 6_000
_LONGEST = 300

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MACHINE = re.compile(
    r"<(system-reminder|local-command-[a-z]+|command-[a-z]+|environment_context|task-notification)>.*?(?:</\1>|\Z)", re.DOTALL
)
_BREAK = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？；!?…])|\n+")
_BULLET = re.compile(r"^(?:\s|[-*•>#|]|\d{1,2}[.)、](?=\D))+|[\s|]+$|\*\*")
_LOG_LINE = re.compile(r"^\s*(?:\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d|at \S+ \(|File \"|[{}<>$]|#include|import |from \S+ import|def |class |return |const |let |var )")

_HARD = re.compile(
    r"(?i:\b(?:must(?:n.t)?|never|always|do(?:es)?n.?t|do not|dont|only|not allowed|forbidden|without|instead(?: of)?|rather than"
    r"|make sure|ensure|avoid|remember|stop \w+ing|can(?:no|.)t|won.t|shouldn.?t|should not"
    r"|mandatory|whatever you do|from now on|allergic)\b)"
    r"|不要|必须|只能|不能|不许|不准|禁止|严禁|别(?![的人墅处克说名])|务必|一定要|记得|记住|改成|改为|换成|优先|不得|切勿"
    r"|不想|不喜欢|不吃|不需要|不用(?!谢|客气)|过敏|统一用|只要|只用|从现在起|以后都"
)
_BOUND = re.compile(r"(?i:\b(?:at least|at most|no more than|under \$?\d|over \$?\d|less than|more than|budget|cheapest|required?|exactly|prefer\w*)\b)|预算|以内|以下|以上|不超过|至少|最多")
_SOFT = re.compile(
    r"(?i:\b(?:should|need(?:s|ed)? to|have to|has to|want(?:s|ed)?|would like|please|use|keep|let.s|go with|my name is|i am|i.m|i like|i love|i hate|my)\b)"
    r"|想要|想找|想吃|想去|希望|要求|喜欢|最好|需要|应该|请|尽量|我叫|我是|我的|我想|用(?=[A-Za-z])"
)
_DECIDED = re.compile(
    r"(?i:\b(?:decid\w+|chose|choos\w+|instead of|rather than|because|root cause|the (?:real )?(?:issue|problem|cause|bug|reason|fix) (?:is|was)"
    r"|turns? out|found (?:that|the)|this means|we(?:'ll| will) use|i(?:'ll| will) use|going with|the key (?:is|insight)|not used|unused|dead code|replaced"
    r"|doesn.t (?:exist|implement|support)|recommend\w*|suggest\w*|confirmed|concluded?|in summary)\b)"
    r"|决定|采用|选择|选用|改用|因为|原因是|根本原因|问题在于|问题是|结论|发现|说明|建议|推荐|确认|最终|总之|因此|所以"
)
_DONE = re.compile(
    r"(?i:\b(?:added|fixed|created|updated|removed|renamed|replaced|moved|implemented|refactored|changed|committed|merged|deleted|installed|deployed"
    r"|booked|cancel+ed|sent|refunded|completed?|done|passe[sd]|passing|works? now|successfully|finished)\b)"
    r"|已(?:经)?[完添修创更删移实提部预取发安]|完成|修复了|添加了|创建了|更新了|删除了|成功|搞定|通过了"
)
_PLANNED = re.compile(
    r"(?i:\b(?:next|todo|to do|remaining|still need|follow[- ]up|later|then (?:we|i)|left to|pending|plan to|will need)\b)|接下来|下一步|待办|还需要|尚未|之后|稍后|计划|剩下"
)


def own_words(text: str) -> str:
    """Return what a person wrote themselves: without code blocks and the notes of machines, long texts cut in the middle."""
    if len(text) > 2 * _SCAN_CHARS:
        text = f"{text[:_SCAN_CHARS]}\n{text[-_SCAN_CHARS:]}"
    if "<" in text:
        text = _MACHINE.sub("\n", text)
    return _FENCE.sub("\n", text) if "```" in text else text


def sentences(text: str) -> list[str]:
    """Split a text at sentence ends and lines; list marks are taken off, lines of code and logs left out."""
    found = []
    for piece in _BREAK.split(text):
        if not piece or piece.isspace() or _LOG_LINE.match(piece):
            continue
        sentence = " ".join(_BULLET.sub("", piece).split())
        if len(sentence) >= 2:
            found.append(sentence)
    return found


def one_line(text: str, limit: int = _LONGEST) -> str:
    """Return a text as one line of at most `limit` characters; the middle of a longer one is left out."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    head = limit * 2 // 3
    return f"{line[:head]} … {line[len(line) - limit + head :]}"


def constraint_strength(sentence: str) -> int:
    """Return 3 for a rule of a person (never, must, 不要), 2 for a bound (at most, 以上), 1 for a wish (I want, 希望), else 0.

    A question is one less: it asks once and lays down nothing.
    """
    strength = 3 if _HARD.search(sentence) else 2 if _BOUND.search(sentence) else 1 if _SOFT.search(sentence) else 0
    return strength - (strength > 0 and sentence[-1] in "?？吗呢")


def constraints(own: str, limit: int = 12) -> tuple[Statement, ...]:
    """Return the sentences of a person's own words that lay down a rule or a wish, as they were said."""
    found = []
    for sentence in sentences(own):
        strength = constraint_strength(sentence)
        if strength and 4 <= len(sentence):
            found.append(Statement(one_line(sentence), strength))
    found.sort(key=lambda statement: -statement.strength)
    return tuple(found[:limit])


def decisions(text: str, limit: int = 6) -> tuple[Statement, ...]:
    """Return the sentences of an assistant that state a decision, a finding or its reason."""
    found = [Statement(one_line(s), 2) for s in sentences(own_words(text)) if len(s) >= 12 and s[-1] not in "?？:：" and is_decision(s)]
    return tuple(found[-limit:])


def is_decision(sentence: str) -> bool:
    """Whether a sentence states a decision, a finding or a reason."""
    return bool(_DECIDED.search(sentence))


def is_done(sentence: str) -> bool:
    """Whether a sentence reports finished work."""
    return bool(_DONE.search(sentence))


def is_planned(sentence: str) -> bool:
    """Whether a sentence says what is still to be done."""
    return bool(_PLANNED.search(sentence))
