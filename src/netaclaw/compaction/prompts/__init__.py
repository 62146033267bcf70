"""What the engine says, in Chinese and English, and the summary message that goes into the context."""

import re
from typing import assert_never

from netaclaw.compaction.prompts import en, zh
from netaclaw.compaction.prompts.wording import Wording
from netaclaw.compaction.settings import Language

__all__ = ["ALL_WORDINGS", "Wording", "fill", "wording"]

ALL_WORDINGS = (zh.WORDING, en.WORDING)

_NAME = re.compile(r"\{([a-z_]+)\}")


def wording(language: Language) -> Wording:
    """Return the texts of a language."""
    match language:
        case "zh":
            return zh.WORDING
        case "en":
            return en.WORDING
        case _:
            assert_never(language)


def fill(template: str, **values: object) -> str:
    """Put values into `{names}` in one pass, so that braces inside a value stay as they are."""
    return _NAME.sub(lambda found: str(values[found[1]]) if found[1] in values else found[0], template)
