"""What must stay true of the repository as a whole: direction of imports, public names, locks, nothing of one machine."""

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from importlinter.cli import lint_imports
from packaging.requirements import Requirement

import netaclaw
import netaclaw.compaction
import netaclaw.transcripts

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

OF_ONE_MACHINE = {
    "address of a registry": r"https?://[\w.-]*(pypi|pythonhosted|npmjs|npmmirror|yarnpkg)\b|\"resolved\":\s*\"https?:",
    "index or registry setting": r"(?m)^\s*(--?(extra-)?index-url|--find-links|(extra-)?index-url\s*=|registry\s*=)|source = \{ registry",
    "path of a machine": r"['\"(= ]/(home|root|work|Users)/[a-z]",
}


def test_imports_go_down_the_engine_is_pure_and_the_phases_are_strangers() -> None:
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0


def test_the_engine_offers_exactly_these_names() -> None:
    assert sorted(netaclaw.compaction.__all__) == [
        "AuditReport",
        "CompactionPlan",
        "CompactionResult",
        "CompactionSettings",
        "Fact",
        "SummaryReply",
        "SummaryRequest",
        "arguments_object",
        "broken_rules",
        "compact",
        "detect_language",
        "estimate_tokens",
        "join_neighbours",
        "message_counter",
        "offline_summarizer",
        "pair_calls",
        "plan_compaction",
        "project",
    ]


def test_the_transcript_formats_offer_exactly_these_names() -> None:
    assert sorted(netaclaw.transcripts.__all__) == [
        "FORMATS",
        "Transcript",
        "from_anthropic",
        "from_neutral",
        "from_openai",
        "read_transcript",
        "to_anthropic",
        "to_neutral",
        "to_openai",
        "write_transcript",
    ]


def test_the_version_is_the_one_of_pyproject() -> None:
    assert netaclaw.__version__ == PROJECT["project"]["version"]


def test_the_lock_satisfies_pyproject() -> None:
    lock = (ROOT / "requirements" / "dev.txt").read_text("utf-8")
    locked = dict(re.findall(r"^([\w.-]+)==([^ ;]+)", lock, re.MULTILINE))
    wanted = [Requirement(line) for line in [*PROJECT["project"]["dependencies"], *_of_group("dev")]]
    stale = [str(requirement) for requirement in wanted if not requirement.specifier.contains(locked.get(requirement.name, "0"))]
    assert stale == [], "run `make lock`"


def test_every_source_file_says_what_lives_in_it() -> None:
    files = sorted((ROOT / "src").rglob("*.py"))
    assert [str(file.relative_to(ROOT)) for file in files if not ast.get_docstring(ast.parse(file.read_bytes()))] == []


@pytest.mark.parametrize("what", OF_ONE_MACHINE)
def test_no_file_of_the_repository_names_what_belongs_to_one_machine(what: str) -> None:
    pattern = re.compile(OF_ONE_MACHINE[what])
    found = [f"{file}: {match[0]}" for file in _repository_files() for match in pattern.finditer(_text(file))]
    assert found == []


def _of_group(name: str) -> list[str]:
    lines: list[str] = []
    for line in PROJECT["dependency-groups"][name]:
        lines += [line] if isinstance(line, str) else _of_group(line["include-group"])
    return lines


def _repository_files() -> list[str]:
    """The files in git, and those that the next commit would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def _text(name: str) -> str:
    return (ROOT / name).read_text("utf-8", errors="replace")
