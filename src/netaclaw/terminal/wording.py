"""Which language the terminal speaks. Errors are English always: they come from every layer."""

from collections.abc import Mapping

from netaclaw.terminal.words import ScreenLanguage, Words
from netaclaw.terminal.words_en import ENGLISH
from netaclaw.terminal.words_zh import CHINESE


def screen_language(environment: Mapping[str, str], choice: str | None = None) -> ScreenLanguage:
    """Return `choice`, or what the locale variables ask for; anything that is not Chinese is English."""
    locale = choice or environment.get("LC_ALL") or environment.get("LC_MESSAGES") or environment.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"


def words_of(language: ScreenLanguage) -> Words:
    """Return the texts of a language."""
    return CHINESE if language == "zh" else ENGLISH
