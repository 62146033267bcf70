"""The examples in the documentation are run, and its links lead somewhere."""

import ast
import asyncio
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from netaclaw.transcripts import write_transcript
from tests.papercrane import demo_transcript

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "library.md").read_text("utf-8"), re.DOTALL)
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


async def ask_your_model(prompt: str, temperature: float) -> tuple[str, dict[str, int]]:
    assert prompt
    assert temperature == 0.3
    return "## Goal\nFinish the database migration without touching the public interface of the billing service. " * 4, {
        "input": 9_000,
        "output": 321,
    }


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_of_the_library_page_runs(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_transcript(demo_transcript("en"), "session.jsonl")
    code = compile(EXAMPLES[number], f"docs/library.md example {number + 1}", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    names: dict[str, Any] = {"ask_your_model": ask_your_model}

    outcome = eval(code, names)
    if inspect.isawaitable(outcome):
        asyncio.run(_finish(outcome))

    assert number != 0 or Path("shorter.jsonl").stat().st_size > 0


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


async def _finish(outcome: Any) -> None:
    await outcome
