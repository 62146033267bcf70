"""The sections of a summary (spec section 3, template): their titles in both languages, reading a summary back, writing one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from netaclaw.compaction.ledger.folding import folded
from netaclaw.compaction.settings import Language

Section: TypeAlias = Literal["goal", "constraints", "done", "doing", "blocked", "decisions", "files", "next", "context", "tools"]
"""Every place of the template that holds lines, in order."""

SECTIONS: tuple[Section, ...] = get_args(Section)

TITLES: dict[Language, dict[Section, str]] = {
    "zh": {
        "goal": "## 目标",
        "constraints": "## 约束与偏好",
        "done": "### 已完成",
        "doing": "### 进行中",
        "blocked": "### 受阻",
        "decisions": "## 关键决策",
        "files": "## 相关文件",
        "next": "## 下一步",
        "context": "## 关键上下文",
        "tools": "## 工具与模式",
    },
    "en": {
        "goal": "## Goal",
        "constraints": "## Constraints & Preferences",
        "done": "### Done",
        "doing": "### In Progress",
        "blocked": "### Blocked",
        "decisions": "## Key Decisions",
        "files": "## Relevant Files",
        "next": "## Next Steps",
        "context": "## Critical Context",
        "tools": "## Tools & Patterns",
    },
}
PROGRESS_TITLES: dict[Language, str] = {"zh": "## 进度", "en": "## Progress"}
NOTHING: dict[Language, str] = {"zh": "（无）", "en": "(none)"}
NOTHING_AT_ALL: dict[Language, str] = {"zh": "（这几轮对话里没有相关内容）", "en": "(nothing about this in these turns)"}
_FILLERS = frozenset([*NOTHING.values(), *NOTHING_AT_ALL.values()])

_HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s+(?P<title>[^#\n].*?)|\*\*(?P<bold>[^*\n]{2,40})\*\*)\s*[:：]?\s*#*$")
_BULLET = re.compile(r"^\s*(?:[-*•]\s+|\d{1,2}[.)]\s+)")


def _plain(title: str) -> str:
    return re.sub(r"[\W_]+", "", title).lower()


_BY_TITLE: dict[str, Section] = {_plain(title): section for titles in TITLES.values() for section, title in titles.items()}
_PROGRESS = frozenset(map(_plain, PROGRESS_TITLES.values()))


def section_of(line: str) -> Section | None:
    """Return the section that a heading line opens, `done` for the heading of the whole progress part, None for any other line."""
    found = _HEADING.match(line)
    if not found:
        return None
    title = _plain(found["title"] or found["bold"])
    return "done" if title in _PROGRESS else _BY_TITLE.get(title)


def read_sections(summary: str) -> dict[Section, list[str]]:
    """Return the lines of each section without their bullets; what stands under unknown headings goes to `context`."""
    lines: dict[Section, list[str]] = {section: [] for section in SECTIONS}
    current: Section = "context"
    for line in summary.split("\n"):
        opened = section_of(line)
        if opened or (line.startswith("#") and _HEADING.match(line)):
            current = opened or "context"
            continue
        text = _BULLET.sub("", line).strip()
        if text and text not in _FILLERS:
            lines[current].append(text)
    return lines


def write_sections(lines: Mapping[Section, Sequence[str]], language: Language, *, nothing: str | None = None) -> str:
    """Return a summary with every section of the template; `nothing` stands under those without lines."""
    return "\n".join(_written(lines, language, nothing))


def _written(lines: Mapping[Section, Sequence[str]], language: Language, nothing: str | None) -> Iterator[str]:
    for section in SECTIONS:
        if section == "done":
            yield f"\n{PROGRESS_TITLES[language]}"
        title = TITLES[language][section]
        yield title if section in ("goal", "done", "doing", "blocked") else f"\n{title}"
        yield from (f"- {folded(line)}" for line in lines.get(section) or ([nothing] if nothing else ()))


def add_lines(summary: str, lines: Mapping[Section, Sequence[str]], language: Language) -> str:
    """Return the summary with lines added at the end of their sections; a section that is not there is opened at its place."""
    written = summary.split("\n")
    for section in SECTIONS:
        if lines.get(section):
            _add(written, section, [f"- {folded(line)}" for line in lines[section]], language)
    return "\n".join(written)


def _add(written: list[str], section: Section, new: list[str], language: Language) -> None:
    place = _last(written, section)
    if place is None:
        place = _opened(written, section, language)
    end = next((number for number in range(place + 1, len(written)) if _HEADING.match(written[number])), len(written))
    while end > place + 1 and not written[end - 1].strip():
        end -= 1
    if _BULLET.sub("", written[end - 1]).strip() in _FILLERS:
        end -= 1
        del written[end]
    written[end:end] = new


def _last(written: Sequence[str], section: Section) -> int | None:
    """Return where a section's own heading stands; the heading of the whole progress part is nobody's own."""
    places = [n for n, line in enumerate(written) if section_of(line) == section and not _is_progress(line)]
    return places[-1] if places else None


def _is_progress(line: str) -> bool:
    found = _HEADING.match(line)
    return bool(found) and _plain(found["title"] or found["bold"]) in _PROGRESS if found else False


def _opened(written: list[str], section: Section, language: Language) -> int:
    """Write the heading before the first later section and return where it stands."""
    later = SECTIONS[SECTIONS.index(section) + 1 :]
    place = next((n for n, line in enumerate(written) if section_of(line) in later and not _is_progress(line)), len(written))
    titles = [TITLES[language][section]]
    if section in ("done", "doing", "blocked") and not any(map(_is_progress, written)):
        titles.insert(0, PROGRESS_TITLES[language])
    elif titles[0].startswith("## ") and place < len(written) and written[place].startswith("### "):
        place = next((n for n, line in enumerate(written) if _is_progress(line)), place)
    before = [""] if place and written[place - 1].strip() else []
    after = [""] if place < len(written) else []
    written[place:place] = [*before, *titles, *after]
    return place + len(before) + len(titles) - 1
