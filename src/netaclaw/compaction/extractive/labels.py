"""Labels of the lines that gather many short things of one kind."""

from typing import Literal, TypeAlias

from netaclaw.compaction.settings import Language
from netaclaw.compaction.summary_sections import Section

Gathering: TypeAlias = Literal["edited", "read", "mentioned", "values", "commands"]

LABELS: dict[Language, dict[Gathering, str]] = {
    "zh": {"edited": "修改", "read": "读取", "mentioned": "提到", "values": "值", "commands": "命令"},
    "en": {"edited": "edited", "read": "read", "mentioned": "mentioned", "values": "values", "commands": "commands"},
}

PLACES: dict[Gathering, Section] = {"edited": "files", "read": "files", "mentioned": "files", "values": "context", "commands": "tools"}

SEPARATORS: dict[Gathering, str] = {"edited": ", ", "read": ", ", "mentioned": ", ", "values": ", ", "commands": " ; "}
RECORD_SEPARATOR = "; "

GATHERING_OF: dict[str, Gathering] = {label: gathering for labels in LABELS.values() for gathering, label in labels.items()}
"""{label in any language: what it gathers}"""
