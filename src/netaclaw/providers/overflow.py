"""Is this error a context overflow? Read from status and body, because most providers have no code of their own for it.

Three questions, in this order: does something else explain the error (rate, quota, pictures); does a code name the overflow; does
a sentence say that an input is too long. Sentences about the length of the output, of names or of single fields do not count.
"""

import re
from collections.abc import Iterator, Sequence

from netaclaw.providers.error_body import Body, strings_in
from netaclaw.providers.overflow_limits import limits_named

__all__ = ["is_context_overflow", "limits_named"]

_MOST_CHARS = 4_000
"""A body may echo the whole request; the fault is said at its beginning."""

_NEVER_STATUSES = frozenset({401, 402, 403, 404, 405, 407, 408, 409, 425, 429, 502, 503, 504, 529})

_SOMETHING_ELSE = re.compile(
    r"rate[ _-]?limit|too many requests|throttl|\b[tr]p[mdh]\b|(?:tokens|requests)[ _]per[ _](?:minute|min|day|hour|second)"
    r"|(?<!request )quota|billing|credit balance|insufficient[ _](?:balance|funds|credit)"
    r"|overloaded|please wait|concurren\w+ (?:limit|request)"
    r"|api[ _-]?key|unauthori[sz]ed|context (?:deadline|cancell?ed)|deadline exceeded|timed? ?out|out of memory|system memory"
    r"|subscription|not yet available|限流|限速|频率|频次|配额|余额|欠费|并发",
    re.IGNORECASE,
)
_MEDIA = re.compile(
    r"\b(?:images?|image_url|pictures?|photos?|pixels?|base64|audio|video|pdf|files?|attachments?|uploads?|documents?)\b|图片|图像|文件|附件",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"context[_-]?(?:length|window|size|limit)[_-]?(?:is[_-]?)?(?:exceed|overflow|too|error|reached)\w*"
    r"|exceed(?:s|ed|ing)?[_-]?(?:max[_-]?)?context[_-]?\w*|max[_-]?context[_-]?(?:length|window|size)?[_-]?exceed\w*"
    r"|context[_-]overflow\w*|(?:prompt|input)[_-](?:tokens?[_-])?(?:is[_-])?(?:too[_-](?:long|large)|limit[_-]exceeded|overflow)\w*"
    r"|model_max_prompt_tokens_exceeded|(?:max_)?tokens?_limit_(?:reached|exceeded)|(?:prompt|input)_tokens?_exceed\w*"
    r"|model_context_window_exceeded|string_above_max_length_of_input",
    re.IGNORECASE,
)

_SIZE = (
    r"(?:tokens?|length|long(?:er)?|short(?:er|en)?|context|window|max_model_len|num_ctx|n_ctx|max_seq_len|characters?|chars"
    r"|(?:payload|input|prompt) size|too (?:large|big|many))"
)
_SUBJECT = (
    r"\b(?:context|prompts?|inputs?|messages?|conversation|chat history|history|request(?:ed)?|query|sequence|transcript|dialog(?:ue)?"
    r"|instructions?|tokens?|max_model_len)\b"
)
_EXCESS = (
    r"(?:\btoo (?:long|large|big|many)\b|\bexceed(?:s|ed|ing)?\b|\b(?:is|are|was|were) over\b|\bover (?:the|its|your|this)\b"
    r"|\b(?:longer|larger|bigger|greater|more) than\b|\bmore tokens than\b|\boverflow(?:s|ed|ing)?\b|\boverr[au]ns?\b|\bovershoots?\b"
    r"|\b(?:beyond|above|surpass(?:es|ed)?|outgr[eo]ws?)\b|\bdo(?:es)?(?: not|n't) fit\b"
    r"|\b(?:can ?not|can't|could not|won't) (?:fit|exceed|handle|process)\b"
    r"|\b(?:allows|permits|accepts|takes)\b|\bmust (?:be|have) (?:<=|<|less|fewer|at most|shorter|under|below|no more)"
    r"|\bshould be \[\d|\bonly supports?\b|\bsupports? (?:only|up to|at most)\b"
    r"|\bnot enough\b|\bno (?:room|space)\b|\b(?:ran|run|running|runs) out of\b|\b(?:is|was|were|got) full\b|\btoo small\b|\binsufficient\b"
    r"|\b(?:reduce|shorten|truncate|trim|decrease)\b|\blimit (?:is|of|was|has been|reached)\b|\breached\b"
    r"|\b(?:maximum|max|limit)\b[^.]{0,40}\bbut\b)"
)
_OF_SIZE = re.compile(_SIZE, re.IGNORECASE)
_TOO_LONG = re.compile(rf"(?:{_SUBJECT}.{{0,160}}?{_EXCESS}|{_EXCESS}.{{0,120}}?{_SUBJECT})", re.IGNORECASE | re.DOTALL)
_TWO_SENTENCES = re.compile(
    r"(?:maximum|max|limit of|limited to).{0,30}(?:context|prompt|input|sequence|model).{0,30}(?:length|size|window|tokens).{0,200}?"
    r"\b(?:however|but|yet|while)\b.{0,120}?\d",
    re.IGNORECASE | re.DOTALL,
)
_TOO_LONG_ELSEWHERE = re.compile(
    r"zu lang|zu gro(?:ß|ss)|trop long|demasiado larg|troppo lung|longo demais|слишком длин|長すぎ|너무 (?:길|깁)", re.IGNORECASE
)
_TOO_LONG_ZH = re.compile(
    r"(?:上下文|提示词?|输入|消息|对话|请求|历史|prompt|tokens?|context|input).{0,30}?(?:超长|过长|太长|超出|超过|超限|大于|溢出|过大|过多|已满)"
    r"|(?:超出|超过|大于).{0,20}?(?:上下文|(?:最大|输入)(?:长度|token)|窗口|token)",
    re.IGNORECASE | re.DOTALL,
)
_INPUT = re.compile(
    r"\b(?:context|prompts?|inputs?|messages?|conversation|history|query)\b|max_model_len|total|tokens in|上下文|输入|对话", re.IGNORECASE
)
_OUTPUT = re.compile(
    r"max[_ ](?:new_|completion_|output_)?tokens|(?:output|completion|generated|new|response|reply) tokens|budget_tokens|最大输出|输出长度",
    re.IGNORECASE,
)
_OUTPUT_FIELD = re.compile(
    r"^\W*(?:invalid (?:value )?(?:for )?\W*)?(?:max_(?:new_|completion_|output_)?tokens|.{0,20}budget_tokens)\b"
    r"|range of max_\w+|max_(?:new_|completion_|output_)?tokens (?:is|are|must|should|value)\b|input should be",
    re.IGNORECASE,
)
_FIELD = re.compile(r"(?:invalid|field|parameter|参数)\s*[`'\"]([\w.\[\]-]+)[`'\"]\s*[:：]", re.IGNORECASE)
_CONTENT_FIELD = re.compile(r"(?:^|[.\]])(?:content|input|prompt|text|messages)(?:\[\d+\])?(?:\.(?:text|content))?$", re.IGNORECASE)
_COUNTED_THING = re.compile(
    r"\b(?:tools?|functions?|stop(?:[_ ]sequences?)?|temperature|top_[pk]|schema|metadata|names?|descriptions?|identifiers?|ids?|headers?"
    r"|urls?|cache_control|logit_bias|tags?|labels?|user(?:name)?s?|titles?)\b"
    r"[^.]{0,40}?(?:too (?:long|large|many|big)|exceed|longer than|more than)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[A-Z`'\"])|[。；！？\n]+")


def is_context_overflow(status: int | None, body: Body) -> bool:
    """Return whether an error answer says that the request is larger than the model's window.

    `status` is None for an error inside an open stream. Rate limits, quotas, authentication and empty bodies never are; a 413 is unless
    it speaks of pictures or files.
    """
    if status in _NEVER_STATUSES:
        return False
    strings = [text[:_MOST_CHARS] for text in strings_in(body) if text.strip()]
    everything = "\n".join(strings)
    if not everything or _SOMETHING_ELSE.search(everything):
        return False
    if any(_CODE.search(text) for text in strings) or any(_says_too_long(sentence) for sentence in _sentences(strings)):
        return True
    if any(_TWO_SENTENCES.search(text) and not _is_about_output(text) for text in strings):
        return True
    return status == 413 and not _MEDIA.search(everything)


def _sentences(strings: Sequence[str]) -> Iterator[str]:
    for text in strings:
        yield from (sentence for sentence in _SENTENCE_END.split(text) if sentence and not sentence.isspace())


def _says_too_long(sentence: str) -> bool:
    field = _FIELD.search(sentence)
    if field and not _CONTENT_FIELD.search(field.group(1)):
        return False
    if _is_about_output(sentence) or _COUNTED_THING.search(sentence) or (_MEDIA.search(sentence) and "token" not in sentence.lower()):
        return False
    if field and re.search(r"string too long", sentence, re.IGNORECASE):
        return True
    if _OF_SIZE.search(sentence) and _TOO_LONG.search(sentence):
        return True
    return bool(_TOO_LONG_ELSEWHERE.search(sentence) or _TOO_LONG_ZH.search(sentence))


def _is_about_output(sentence: str) -> bool:
    """Whether only the length of the reply is at fault, which no compaction changes."""
    if _OUTPUT_FIELD.search(sentence) and not re.search(r"context|prompt|input length|input tokens", sentence, re.IGNORECASE):
        return True
    return bool(_OUTPUT.search(sentence)) and not _INPUT.search(sentence)
