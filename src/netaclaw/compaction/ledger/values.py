"""Exact values in a text: what must be kept to the letter or is worth nothing."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"[\w$#@~./:+%\\-]{3,}", re.ASCII)
_URL = re.compile(r"https?://[^\s\"'`<>()\[\]{}|\\\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]{4,300}")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:[.:#-]+[A-Za-z_$\d][\w$]*)*", re.ASCII)
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|^[A-Z][a-z0-9]+[A-Z]")
_NUMERIC = re.compile(r"[#$vV+-]?\d[\d.,:/%+-]*[%a-zA-Z]{0,3}", re.ASCII)
_WIDE = re.compile(
    r"[$€£¥￥]\s?\d[\d,.]*"
    r"|\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?|\d{1,2}月\d{1,2}[日号]"
    r"|(?:周[一二三四五六日天](?:至|到|-)周[一二三四五六日天]\s?)?\d{1,2}:\d{2}(?:\s?[-~至到]\s?\d{1,2}:\d{2})+"
    r"|\d[\d,.]*(?:\s?-\s?\d[\d,.]*)?\s?(?:元|块|万|亿|分钟|分|小时|天|晚|公里|千米|米|平|斤|公斤|岁|人|次|号楼|号院|号|层|楼|折|页|%|％)"
)
_QUOTED = re.compile(r"《[^》\n]{1,40}》|「[^」\n]{1,40}」|“[^”\n]{2,30}”|`[^`\n]{2,80}`")
_WORD_CHARS = re.compile(r"\w")
_OWNER = re.compile(r"(?:this|self)\.")
_MONTH_DAY = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4})?")
_FILE_NAME = re.compile(r"[\w@-][\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,7}", re.ASCII)
_PATH = re.compile(r"(?:[A-Za-z]:)?[~.]{0,2}/?(?:[\w.@+~-]+/)+[\w.@+~-]*|/[\w.@+-]+", re.ASCII)
_LINE_NUMBER = re.compile(r":\d+(?::\d+)?$")
_EXTENSIONS = frozenset(
    "py pyi ipynb ts tsx js jsx mjs cjs vue svelte md mdx rst txt json jsonl toml yaml yml ini cfg conf env lock rs go c h cc cpp hpp "
    "java kt swift rb php sh bash zsh ps1 sql html css scss less xml csv tsv ex exs erl hs ml lua pl r jl dart scala gradle proto "
    "graphql tf log png jpg jpeg svg gif pdf doc docx xls xlsx ppt pptx zip gz tar db sqlite mod sum pony cmake mk patch diff tape wasm "
    "plist".split()
)
_PLAIN = frozenset("e.g i.e etc. vs. a.m p.m and/or he/she n/a".split())


class WordReader:
    """Finds exact values and paths. A conversation says the same words again and again: each is looked at once.

    Made for one call and let go with it: the words of a conversation live no longer than the work on it.
    """

    def __init__(self) -> None:
        self._values: dict[str, str | None] = {}
        self._paths: dict[str, str | None] = {}

    def values_and_paths(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the exact values and the paths in a text, read once."""
        values, found_paths = dict.fromkeys(_phrases(text)), dict[str, None]()
        for token in dict.fromkeys(_TOKEN.findall(text)):
            value = self._value(token)
            if value:
                values[value] = None
            path = self._path(token) if "." in token or "/" in token else None
            if path:
                found_paths[path] = None
        return tuple(values), tuple(found_paths)

    def exact_values(self, text: str) -> tuple[str, ...]:
        """Return identifiers, numbers, dates, amounts, addresses and titles in the order they first stand; no paths."""
        return self.values_and_paths(text)[0]

    def paths(self, text: str) -> tuple[str, ...]:
        """Return the file paths and file names in a text, without line numbers, in the order they first stand."""
        return self.values_and_paths(text)[1]

    def _value(self, token: str) -> str | None:
        if token not in self._values:
            self._values[token] = as_value(token)
        return self._values[token]

    def _path(self, token: str) -> str | None:
        if token not in self._paths:
            self._paths[token] = as_path(token)
        return self._paths[token]


def as_path(token: str) -> str | None:
    """Return the path that a word is, without a line number, or None."""
    token = _LINE_NUMBER.sub("", token.lstrip(":,-+%\\$#").rstrip(".:,-+%\\$#"))
    if "://" in token or len(token) < 4 or token.lower() in _PLAIN or "//" in token:
        return None
    name = token.rsplit("/", 1)[-1]
    has_extension = name.rpartition(".")[2].lower() in _EXTENSIONS and bool(_FILE_NAME.fullmatch(name))
    if "/" not in token:
        return token if has_extension else None
    if not _PATH.fullmatch(token) or token.replace("/", "").replace("-", "").isdigit():
        return None
    if has_extension or (token.count("/") >= 2 and not token.endswith("/")) or (token[0] in "/~" and token.count("/") >= 2):
        return token
    return None


def _phrases(text: str) -> Iterator[str]:
    """What is longer than a word or no word: addresses, titles, amounts with their unit."""
    is_ascii = text.isascii()
    if "http" in text:
        for url in _URL.findall(text):
            yield url.rstrip(".,;:!?")
    if not is_ascii or "`" in text:
        for quoted in _QUOTED.findall(text):
            inner = quoted[1:-1].strip(" \"'")
            if len(_WORD_CHARS.findall(inner)) >= 3:
                yield quoted if quoted[0] == "《" else inner
    yield from _MONTH_DAY.findall(text)
    if not is_ascii or "$" in text or "%" in text:
        for amount in _WIDE.findall(text):
            if len(amount) > 1:
                yield amount.rstrip(".,")


def as_value(token: str) -> str | None:
    """Return the identifier, number or date that a word is, or None for a plain word or a path."""
    token = _OWNER.sub("", token.strip(".:,-+/\\~"))
    if len(token) < 3 or "//" in token or len(token) > 120:
        return None
    return token if _is_exact(token) else None


def _is_exact(token: str) -> bool:
    has_digit = any(map(str.isdigit, token))
    if "/" in token:
        return token[0].isdigit() and len(token) > 5 and bool(_NUMERIC.fullmatch(token))
    if "@" in token:
        return "." in token.partition("@")[2] and token[0] != "@"
    if _NUMERIC.fullmatch(token):
        return sum(map(str.isdigit, token)) >= 3 or any(mark in token for mark in "#.%:")
    if _IDENTIFIER.fullmatch(token) and ("_" in token.strip("_") or _CAMEL.search(token)):
        return True
    return has_digit and (bool(_LINE_NUMBER.search(token)) or _is_code(token))


def _is_code(token: str) -> bool:
    """Letters and digits in one word, as in a flight number, a hash or `xterm-256color`."""
    return any(map(str.isalpha, token)) and token[-1] not in "$#@" and "\\" not in token
