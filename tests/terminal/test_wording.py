"""Both languages say everything."""

import re
from dataclasses import fields
from typing import get_args

import pytest

from netaclaw.errors import FailureReason
from netaclaw.terminal.wording import screen_language
from netaclaw.terminal.words_en import ENGLISH as EN
from netaclaw.terminal.words_zh import CHINESE as ZH

_NAME = re.compile(r"\{\w+\}")


@pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
def test_every_reason_has_words(words: object) -> None:
    reasons = words.reasons  # type: ignore[attr-defined]
    assert sorted(reasons) == sorted(get_args(FailureReason))


@pytest.mark.parametrize(("english", "chinese"), [(EN, ZH)], ids=["screens"])
def test_both_languages_fill_in_the_same_values(english: object, chinese: object) -> None:
    for field in fields(english):  # type: ignore[arg-type]
        one, other = getattr(english, field.name), getattr(chinese, field.name)
        if isinstance(one, str):
            assert sorted(_NAME.findall(one)) == sorted(_NAME.findall(other)), field.name
        else:
            assert sorted(one) == sorted(other), field.name


@pytest.mark.parametrize(
    ("environment", "choice", "language"),
    [
        ({}, None, "en"),
        ({"LANG": "zh_CN.UTF-8"}, None, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, None, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "zh_TW"}, None, "zh"),
        ({"LANG": "zh_CN.UTF-8"}, "en", "en"),
        ({"LANG": "C"}, "zh", "zh"),
    ],
)
def test_the_language_is_the_chosen_one_or_the_one_of_the_locale(environment: dict[str, str], choice: str | None, language: str) -> None:
    assert screen_language(environment, choice) == language
