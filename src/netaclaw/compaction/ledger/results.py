"""What a tool result says went wrong."""

import re

from netaclaw.compaction.ledger.folding import folded

_SCAN_CHARS = 6_000
_LONGEST = 240

_EXIT_CODE = re.compile(r"(?i)\bexit(?:ed with)?(?: code| status)?:? ?(\d{1,3})\b|退出码[:：]? ?(\d{1,3})")
_HINTS = (
    *("rror", "ERROR", "xception", "ail", "FAIL", "atal", "FATAL", "anic", "enied", "ot found", "o such", "oes not exist", "exit", "Exit"),
    *("replacement", "错误", "失败", "异常", "报错", "退出码", "无法", "找不到", "没有权限"),
)
"""A result without any of these strings reports no failure."""
_LISTING = re.compile(r"^\s*\d+\s?[→\t|:│]")
_TAG = re.compile(r"</?[a-z_]+>")
_LOUD = re.compile(
    r"^\W{0,4}(?:E   \S|[Ee]rror\b(?:\[\w+\])?\W|ERROR\b|fatal:|panic:|FAIL(?:ED)?\b|npm (?:ERR!|error)"
    r"|[A-Za-z_.]*(?:Error|Exception)\b\s?[:(]|(?:bash|sh|zsh): |No replacement was performed|Command failed|Failed to |Traceback)"
    r"|: command not found|: No such file or directory|[Pp]ermission denied|does not exist|not found in (?:the )?file"
    r"|(?:错误|失败|异常|报错)[:：]|^(?:无法|找不到|没有权限)"
)
_SOFT = re.compile(
    r"(?i)\b(?:error|failed|failure|exception|cannot|can't|unable|undefined|invalid|denied|not found|missing|expected"
    r"|refused|timed? ?out)\b"
    r"|错误|失败|异常|无法|找不到"
)
_DIAGNOSTIC = re.compile(r"^\S{1,120}\.\w{1,6}[:(]\d+(?:[:,]\d+)?\)?:? ?\S")
_TRACEBACK_END = re.compile(r"^[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt)\b\s?[:(]?")


def error_lines(text: str, is_error: bool) -> tuple[tuple[str, ...], bool]:
    """Return the one or two lines that say what went wrong and whether the tool itself said so (flag, exit code)."""
    if not is_error and not any(hint in text for hint in _HINTS):
        return (), False
    scanned = text if len(text) <= 2 * _SCAN_CHARS else f"{text[:_SCAN_CHARS]}\n{text[-_SCAN_CHARS:]}"
    lines = [line for line in scanned.split("\n") if line and not line.isspace()]
    code = next((found[1] or found[2] for found in [*_EXIT_CODE.finditer(scanned)][-1:]), "0")
    is_certain = is_error or int(code) != 0
    if not is_certain and sum(map(bool, map(_LISTING.match, lines[:3]))) >= 2:
        return (), False
    best = _best(lines, is_certain)
    return tuple(_shown(line) for line in best), is_certain


def diagnostic_lines(text: str) -> tuple[str, ...]:
    """Return up to two lines of the form `file.py:12: message`."""
    found = (line for line in text[:_SCAN_CHARS].split("\n") if len(line) <= 400 and _DIAGNOSTIC.match(line))
    return tuple(_shown(line) for _, line in zip(range(2), found, strict=False))


def _best(lines: list[str], is_certain: bool) -> list[str]:
    """Loud lines first; of a certain failure also diagnostics, then anything that sounds like trouble, then the first line."""
    loud = [line for line in lines if len(line) <= 600 and _LOUD.search(line) and "Traceback" not in line]
    ends = [line for line in loud if _TRACEBACK_END.match(line)]
    if ends:
        return ends[-1:]
    if not is_certain:
        return loud[:1]
    diagnostics = [line for line in lines if _DIAGNOSTIC.match(line)]
    chosen = [line for line in loud if not _DIAGNOSTIC.match(line)][:1] + diagnostics[:2]
    if chosen and (diagnostics or not _is_bare(chosen[0])):
        return chosen[:2]
    told = [line for line in lines if line not in chosen and not _is_bare(line)]
    soft = [line for line in told if _SOFT.search(line)]
    return chosen + (soft[:1] or told[:1])


def _is_bare(line: str) -> bool:
    """`Error:` or `Exit code 1` alone tells nothing."""
    return len(_TAG.sub("", line).strip()) < 16


def _shown(line: str) -> str:
    line = folded(_TAG.sub("", line))
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
