"""Phase 3: the middle as text, the prompt, and what is accepted as a summary."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import get_args

from netaclaw.compaction.audit import Fact
from netaclaw.compaction.plan import Summarize, SummaryReply, SummaryRequest
from netaclaw.compaction.prompts import fill, wording
from netaclaw.compaction.pruned_text import head_and_tail, one_line
from netaclaw.compaction.settings import CompactionSettings, Language
from netaclaw.compaction.summary_message import SUMMARY_FRAME_TOKENS, plain_body
from netaclaw.domain.messages import Image, Message
from netaclaw.errors import FailureReason, SummarizerError

HEAD_CHARS = 4_000
TAIL_CHARS = 1_500
MIN_SUMMARY_CHARS = 200
MAX_PREVIOUS_CHARS = 60_000

_LINE_STARTS = r"(?:^|(?<=[\r\v\f\x1c-\x1e\x85\u2028\u2029]))"
_LOOKS_LIKE_A_MARK = re.compile(_LINE_STARTS + r"(?=\[(?:USER|ASSISTANT|SYSTEM|TOOL|CALL)\b)", re.MULTILINE)
_TRANSCRIPT_TAG = re.compile(r"<(\s*/?\s*)(?=transcript\b)", re.IGNORECASE)
_REASONING = re.compile(r"\A\s*<(think|thinking|reasoning|analysis)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "incomplete"})
_FILTERED = frozenset({"content_filter", "refusal", "safety"})
_REFUSAL = re.compile(
    r"^\W*(?:I(?:'m| am) (?:sorry|unable|not able)|I (?:can(?:no|')t|won't|must decline)|Sorry, (?:but )?I|As an AI"
    r"|抱歉|对不起|很抱歉|我(?:不能|无法|没法)|作为(?:一个)?(?:AI|人工智能))",
    re.IGNORECASE,
)
_NAME_CHARS = 64
_REFUSAL_MAX_CHARS = 600
_WORTH_ANOTHER_TRY = ("empty_summary", "short_summary", "truncated_summary", "inflated_summary", "refused_summary")


def serialize(messages: Iterable[Message], language: Language) -> str:
    """Return the messages as `[ROLE] content` blocks, long ones cut to 4,000 characters of head and 1,500 of tail.

    Pictures become placeholders; thinking is left out; a line that looks like a mark of ours is escaped.
    """
    return "\n\n".join([_block(message, language) for message in messages])


def summary_budget_tokens(settings: CompactionSettings, middle_tokens: int, room_tokens: int) -> int:
    """Return `max(2000, min(middle x 0.20, 12000))`, or the fixed `summary_tokens`.

    The formula yields to the room that head and tail leave under the threshold; and whatever the settings say, a summary is
    smaller than what it replaces, so it gets at most three quarters of that.
    """
    worthwhile = max((middle_tokens - SUMMARY_FRAME_TOKENS) * 3 // 4, 1)
    if settings.summary_tokens is not None:
        return min(settings.summary_tokens, worthwhile)
    formula = max(settings.summary_min_tokens, min(int(middle_tokens * settings.summary_ratio), settings.summary_max_tokens))
    least = min(settings.summary_min_tokens, settings.threshold_tokens // 4)
    return min(max(min(formula, room_tokens), least), worthwhile)


def build_request(
    serialized: str,
    facts: Sequence[Fact],
    *,
    previous_summary: str | None,
    budget_tokens: int,
    language: Language,
    focus: str | None,
) -> SummaryRequest:
    """Return the filled prompt with its ingredients: the first template, or the update template where a summary exists."""
    words = wording(language)
    fenced = f"<transcript>\n{serialized}\n</transcript>"
    if previous_summary:
        earlier = head_and_tail(previous_summary, MAX_PREVIOUS_CHARS - TAIL_CHARS, TAIL_CHARS, words)
        prompt = fill(words.update_prompt, previous_summary=_defused(earlier), serialized_new_turns=fenced, summary_budget=budget_tokens)
    else:
        prompt = fill(words.first_prompt, serialized_conversation=fenced, summary_budget=budget_tokens)
    wish = fill(words.focus, focus=_defused(focus).replace('"', "'").replace("\n", " ")) if focus else ""
    return SummaryRequest(
        prompt=f"{prompt}{words.rules}{wish}",
        serialized=serialized,
        previous_summary=previous_summary,
        budget_tokens=budget_tokens,
        language=language,
        focus=focus,
        facts=tuple(facts),
    )


async def ask(summarize: Summarize, request: SummaryRequest, check: Callable[[str], None]) -> SummaryReply:
    """Return the summariser's reply with a usable body; one more try after an unusable or a transient failure.

    `check` raises SummarizerError for a body that must be refused. Whatever a foreign summariser raises becomes a
    SummarizerError (`auxiliary_timeout`, `auxiliary_error`), so that a failed summary never ends a conversation.
    """
    for is_last in (False, True):
        try:
            reply = await _call(summarize, request)
            body = accept_summary(reply)
            check(body)
        except SummarizerError as error:
            if is_last or not (error.is_transient or error.reason in _WORTH_ANOTHER_TRY):
                raise
        else:
            return replace(reply, text=body)
    raise AssertionError("unreachable: the last try returns or raises")


async def _call(summarize: Summarize, request: SummaryRequest) -> SummaryReply:
    try:
        reply = await summarize(request)
    except SummarizerError as error:
        if error.reason not in get_args(FailureReason):
            raise SummarizerError("auxiliary_error", str(error), is_transient=error.is_transient) from error
        raise
    except TimeoutError as error:
        raise SummarizerError("auxiliary_timeout", "the auxiliary model did not answer in time; try again", is_transient=True) from error
    except Exception as error:  # the edge to code that is not ours
        said = one_line("".join(filter(str.isprintable, str(error).replace("\n", " "))) or type(error).__name__, 200)
        raise SummarizerError("auxiliary_error", f"the auxiliary model failed: {said}", is_transient=True) from error
    if isinstance(reply, str):
        return SummaryReply(reply)
    if isinstance(reply, SummaryReply) and isinstance(reply.text, str):
        return reply
    raise SummarizerError("empty_summary", f"the summariser returned {type(reply).__name__} instead of text; return str or SummaryReply")


def accept_summary(reply: SummaryReply) -> str:
    """Return the body of a usable reply, without the reasoning before it.

    Raises SummarizerError: truncated_summary, empty_summary (also reasoning only), refused_summary, short_summary.
    """
    finish_reason = (reply.finish_reason or "").casefold()
    if finish_reason in _FILTERED:
        raise SummarizerError("refused_summary", "the auxiliary model refused to summarise; try another auxiliary model")
    if finish_reason in _CUT_OFF:
        raise SummarizerError("truncated_summary", "the summary was cut off by the output limit; raise the limit of the auxiliary model")
    text = reply.text
    while (without := _REASONING.sub("", text)) != text:
        text = without
    text = plain_body(text)
    if not text:
        raise SummarizerError("empty_summary", "the auxiliary model returned no text; try another auxiliary model")
    if len(text) <= _REFUSAL_MAX_CHARS and _REFUSAL.match(text):
        raise SummarizerError("refused_summary", "the auxiliary model refused to summarise; try another auxiliary model")
    if len(text) < MIN_SUMMARY_CHARS:
        raise SummarizerError("short_summary", f"the summary has {len(text)} characters, at least {MIN_SUMMARY_CHARS} are expected")
    return text


def _block(message: Message, language: Language) -> str:
    lines = [f"{_mark(message)} {_cut(_spoken(message), language)}".rstrip()]
    lines += [f"[CALL {_name(call.name)}] {_cut(call.arguments, language)}" for call in message.tool_calls]
    return "\n".join(lines)


def _cut(text: str, language: Language) -> str:
    if len(text) > HEAD_CHARS + TAIL_CHARS:
        text = head_and_tail(text, HEAD_CHARS, TAIL_CHARS, wording(language))
    return _defused(_LOOKS_LIKE_A_MARK.sub(r"\\", text)) if "[" in text or "<" in text else text


def _mark(message: Message) -> str:
    if message.role == "tool":
        return f"[TOOL {_name(message.name or 'tool')}{' ERROR' if message.is_error else ''}]"
    return f"[{message.role.upper()}]"


def _name(name: str) -> str:
    """A name is foreign text, too: one short line that cannot end its mark."""
    return _defused(one_line(name.replace("]", ")"), _NAME_CHARS))


def _spoken(message: Message) -> str:
    pictures = [_picture(part) for part in message.parts if isinstance(part, Image)]
    return "\n".join([text for text in (message.text, *pictures) if text])


def _picture(image: Image) -> str:
    size = f" {image.width}x{image.height}" if image.width and image.height else ""
    return f"[image {image.media_type}{size}]"


def _defused(text: str) -> str:
    """Break tags that would end the fence around the transcript."""
    return _TRANSCRIPT_TAG.sub(r"<\\\1", text)
