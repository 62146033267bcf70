"""The short texts that stand for cleared content. They must never raise, whatever a foreign tool left behind."""

import json
import re
from typing import Any

from netaclaw.compaction.prompts import Wording, fill
from netaclaw.domain.messages import Message, ToolCall

_MAIN_ARGUMENTS = tuple("command cmd path file_path filePath filename file query pattern url uri code name id".split())
_EXIT_CODE = re.compile(r"(?:exit(?:ed with)?[ _]?(?:code|status)|returncode|退出码)\W{0,4}(-?\d{1,5})", re.IGNORECASE)
_EXIT_CODE_WORDS = ("xit", "XIT", "eturncode", "退出码")
_EXIT_CODE_CHARS = 2_000
_MAX_CHARS = 200
_MAX_ARGUMENT_CHARS = 80


def cleared_result(result: Message, call: ToolCall | None, words: Wording, *, is_duplicate: bool = False) -> str:
    """Return one line of at most 200 characters: the marker, then tool, main argument, outcome and size."""
    name = one_line((call.name if call else "") or result.name or "tool", 40)
    argument = main_argument(call.arguments) if call else ""
    text = result.text
    facts = [f"{name} {one_line(argument, _MAX_ARGUMENT_CHARS)}".strip()]
    if is_duplicate:
        facts.append(words.cleared_duplicate)
    if result.is_error:
        facts.append(words.failed)
    code = _exit_code(text)
    if code is not None:
        facts.append(fill(words.exit_code, code=code))
    facts.append(fill(words.size, lines=text.count("\n") + 1, chars=len(text)))
    if result.entry_id is not None:
        facts.append(fill(words.entry, entry_id=result.entry_id))
    return one_line(f"{words.cleared} {' · '.join(facts)}", _MAX_CHARS)


def head_and_tail(text: str, head_chars: int, tail_chars: int, words: Wording) -> str:
    """Return a long text with its middle left out, and the text itself where that would not make it shorter."""
    left_out = len(text) - head_chars - tail_chars
    if left_out <= len(words.left_out):
        return text
    tail = text[len(text) - tail_chars :]
    return f"{text[:head_chars]}\n{fill(words.left_out, chars=left_out)}\n{tail}"


def shorter_arguments(arguments: str, words: Wording, *, over_chars: int, keep_chars: int = 120) -> str:
    """Return the JSON text with its long string values shortened inside the parsed value; text that is no JSON is returned as it is."""
    try:
        value = json.loads(arguments)
        shortened = json.dumps(_shorter(value, words, over_chars, keep_chars), ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments
    return shortened if len(shortened) < len(arguments) else arguments


def main_argument(arguments: str) -> str:
    """Return the argument that says most about a call (a path, a command, a query), else the first string, else nothing."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    named = [value[key] for key in _MAIN_ARGUMENTS if isinstance(value.get(key), str)]
    strings = named or [item for item in value.values() if isinstance(item, str)]
    return strings[0] if strings else ""


def one_line(text: str, max_chars: int) -> str:
    """Return `text` with its white space folded, cut to `max_chars` with an ellipsis."""
    folded = " ".join(text[: max_chars * 4].split())
    return folded if len(folded) <= max_chars and len(text) <= max_chars * 4 else f"{folded[: max_chars - 1]}…"


def _exit_code(text: str) -> str | None:
    """Return the exit code that stands near the start or the end of an output."""
    ends = (text,) if len(text) <= _EXIT_CODE_CHARS else (text[:_EXIT_CODE_CHARS], text[-_EXIT_CODE_CHARS:])
    for end in ends:
        if any(word in end for word in _EXIT_CODE_WORDS):
            found = _EXIT_CODE.search(end)
            if found:
                return found[1]
    return None


def _shorter(value: Any, words: Wording, over_chars: int, keep_chars: int) -> Any:
    if isinstance(value, str) and len(value) > over_chars:
        return f"{value[:keep_chars]}{fill(words.left_out, chars=len(value) - keep_chars)}"
    if isinstance(value, dict):
        return {key: _shorter(item, words, over_chars, keep_chars) for key, item in value.items()}
    if isinstance(value, list):
        return [_shorter(item, words, over_chars, keep_chars) for item in value]
    return value
