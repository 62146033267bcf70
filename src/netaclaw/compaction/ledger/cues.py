"""Words that tell what a sentence does, in Chinese and English: lay down a rule, decide, report, plan."""

import re

from netaclaw.compaction.ledger.folding import shortened
from netaclaw.compaction.ledger.observation import Statement
from netaclaw.compaction.ledger.sentences import own_words, sentences


def _cue(english: str, chinese: str) -> re.Pattern[str]:
    """A pattern, for text in small letters, of any of the English words (separated by `|`, whole words) or the Chinese ones."""
    return re.compile(rf"\b(?:{english})\b|{chinese}")


_RULE = _cue(
    r"must(?:n.t)?|never|always|do(?:es)?n.?t|do not|dont|only|not allowed|forbidden|without|instead(?: of)?|rather than"
    r"|make sure|ensure|avoid|remember|stop \w+ing|can(?:no|.)t|won.t|shouldn.?t|should not|mandatory|whatever you do|from now on|allergic",
    r"不要|必须|只能|不能|不许|不准|禁止|严禁|别(?![的人墅处克说名])|务必|一定要|记得|记住|改成|改为|换成|优先|不得|切勿|不想|不喜欢|不吃"
    r"|不需要|不用(?!谢|客气)|过敏|统一用|只要|只用|从现在起|以后都",
)
_BOUND = _cue(
    r"at least|at most|no more than|under \$?\d+|over \$?\d+|less than|more than|budget|cheapest|required?|exactly|prefer\w*",
    r"预算|以内|以下|以上|不超过|至少|最多",
)
_WISH = _cue(
    r"should|need(?:s|ed)? to|have to|has to|want(?:s|ed)?|would like|please|use|keep|let.s|go with|my name is|i am|i.m|i like|i love"
    r"|i hate|my",
    r"想要|想找|想吃|想去|希望|要求|喜欢|最好|需要|应该|请|尽量|我叫|我是|我的|我想|用(?=[a-z])",
)
_DECISION = _cue(
    r"decid\w+|chose|choos\w+|instead of|rather than|because|root cause|the (?:real )?(?:issue|problem|cause|bug|reason|fix) (?:is|was)"
    r"|turns? out"
    r"|found (?:that|the)|this means|(?:we|i)(?:'ll| will) use|going with|the key (?:is|insight)|not used|unused|dead code|replaced"
    r"|doesn.t (?:exist|implement|support)|recommend\w*|suggest\w*|confirmed|concluded?|in summary",
    r"决定|采用|选择|选用|改用|因为|原因是|根本原因|问题在于|问题是|结论|发现|说明|建议|推荐|确认|最终|总之|因此|所以",
)
_DONE = _cue(
    r"added|fixed|created|updated|removed|renamed|replaced|moved|implemented|refactored|changed|committed|merged|deleted|installed|deployed"
    r"|booked|cancel+ed|sent|refunded|completed?|done|passe[sd]|passing|works? now|successfully|finished",
    r"已(?:经)?[完添修创更删移实提部预取发安]|完成|修复了|添加了|创建了|更新了|删除了|成功|搞定|通过了",
)
_PLAN = _cue(
    r"next|todo|to do|remaining|still need|follow[- ]up|later|then (?:we|i)|left to|pending|plan to|will need",
    r"接下来|下一步|待办|还需要|尚未|之后|稍后|计划|剩下",
)
_ANNOUNCEMENT = re.compile(
    r"(?:(?:now|ok|okay|great|perfect|good|excellent|first|next|then|right|alright)\W{1,3}){0,3}"
    r"(?:let me|let's|let us|i'll|i will|i need to|now i)\b"
)
_SHORTEST_DECISION = 12
_QUESTION_ENDS = "?？吗呢"


def constraint_strength(sentence: str) -> int:
    """Return 3 for a rule of a person (never, must, 不要), 2 for a bound (at most, 以上), 1 for a wish (I want, 希望), else 0.

    A question is one less: it asks once and lays down nothing.
    """
    lowered = sentence.lower()
    strength = 3 if _RULE.search(lowered) else 2 if _BOUND.search(lowered) else 1 if _WISH.search(lowered) else 0
    return strength - (strength > 0 and sentence[-1] in _QUESTION_ENDS)


def is_rule(sentence: str) -> bool:
    """Whether a sentence lays down a rule: strength 3, asked alone."""
    return bool(_RULE.search(sentence.lower())) and sentence[-1] not in _QUESTION_ENDS


def constraints(own: str, limit: int = 12) -> tuple[Statement, ...]:
    """Return the sentences of a person's own words that lay down a rule or a wish, as they were said, hard ones first."""
    found = [Statement(shortened(s), strength) for s in sentences(own) if len(s) >= 4 and (strength := constraint_strength(s))]
    return tuple(sorted(found, key=lambda statement: -statement.strength)[:limit])


def decisions(text: str, limit: int = 6) -> tuple[Statement, ...]:
    """Return the sentences of an assistant that state a decision, a finding or its reason."""
    stated = [s for s in sentences(own_words(text)) if len(s) >= _SHORTEST_DECISION and s[-1] not in "?？:："]
    return tuple([Statement(shortened(s), 2) for s in stated if is_decision(s)][-limit:])


def is_decision(sentence: str) -> bool:
    """Whether a sentence states a decision, a finding or a reason."""
    return bool(_DECISION.search(sentence.lower()))


def is_done(sentence: str) -> bool:
    """Whether a sentence reports finished work."""
    return bool(_DONE.search(sentence.lower()))


def is_planned(sentence: str) -> bool:
    """Whether a sentence says what is still to be done."""
    return bool(_PLAN.search(sentence.lower()))


def is_announcement(sentence: str) -> bool:
    """Whether an assistant only says what it is about to do (`Let me look at ...`)."""
    return bool(_ANNOUNCEMENT.match(sentence.lower()))
