"""read_file, list_files and search_files: useful inside the workspace, blind outside."""

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest

from netaclaw.tools.base import OUTPUT_LIMIT_BYTES, Tool, ToolContext, ToolOutput, failure
from netaclaw.tools.list_files import ListFiles
from netaclaw.tools.read_file import ReadFile
from netaclaw.tools.search_files import SearchFiles


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "node_modules" / "x").mkdir(parents=True)
    (root / "src" / "app.py").write_text("import os\n\ndef total(a, b):\n    return a + b\n")
    (root / "说明.md").write_text("上下文压缩\n第二行\n", "utf-8")
    (root / ".git" / "config").write_text("total secret")
    (root / "node_modules" / "x" / "index.js").write_text("total")
    (tmp_path / "secret.txt").write_text("total secret")
    return root


async def run(tool: Tool, workspace: Path | None, **arguments: Any) -> ToolOutput:
    return await tool.run(arguments, ToolContext(1, workspace))


async def test_a_file_is_read_with_numbered_lines(workspace: Path) -> None:
    output = await run(ReadFile(), workspace, path="src/app.py")
    assert output == ToolOutput("1\timport os\n2\t\n3\tdef total(a, b):\n4\t    return a + b")


async def test_a_range_of_lines_says_where_it_lies(workspace: Path) -> None:
    output = await run(ReadFile(), workspace, path="src/app.py", start_line=3, end_line=3)
    assert output == ToolOutput("3\tdef total(a, b):\n[src/app.py: lines 3 to 3 of 4]")
    assert (await run(ReadFile(), workspace, path="src/app.py", start_line=9)).is_error


async def test_a_long_file_shows_its_beginning_its_end_and_how_to_read_the_rest(workspace: Path) -> None:
    (workspace / "long.txt").write_text("".join(f"line {number} {'x' * 40}\n" for number in range(1, 20_001)))
    text = (await run(ReadFile(), workspace, path="long.txt")).text
    lines = text.split("\n")
    assert lines[0].startswith("1\tline 1 ")
    assert lines[-1].startswith("20000\tline 20000 ")
    assert sum("left out; read them with start_line and end_line]" in line for line in lines) == 1
    assert len(text.encode()) <= OUTPUT_LIMIT_BYTES


async def test_one_line_of_ten_megabytes_stays_within_the_limit(workspace: Path) -> None:
    (workspace / "one.json").write_bytes(b"[" + b"1," * 5_000_000 + b"1]")
    assert len((await run(ReadFile(), workspace, path="one.json")).text.encode()) <= OUTPUT_LIMIT_BYTES


async def test_a_binary_file_is_named_and_not_shown(workspace: Path) -> None:
    (workspace / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    assert await run(ReadFile(), workspace, path="a.png") == ToolOutput("a.png is a binary file (PNG picture, 11 bytes); it is not shown.")


async def test_a_file_of_chinese_windows_is_read(workspace: Path) -> None:
    (workspace / "gbk.txt").write_bytes("订单号\n".encode("gb18030"))
    assert (await run(ReadFile(), workspace, path="gbk.txt")).text == "1\t订单号"


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "src/../../secret.txt", "/etc/passwd", "link.txt", "folder/secret.txt", "/dev/zero", "a\0b", "x" * 5_000, "loop"],
)
@pytest.mark.parametrize("tool", [ReadFile(), ListFiles(), SearchFiles()])
async def test_nothing_outside_the_workspace_is_reached(workspace: Path, tool: Tool, path: str) -> None:
    (workspace / "link.txt").symlink_to(workspace.parent / "secret.txt")
    (workspace / "folder").symlink_to(workspace.parent)
    (workspace / "loop").symlink_to(workspace / "loop")
    output = await run(tool, workspace, path=path, pattern="total")
    assert output.is_error
    assert "secret" not in output.text.replace(path, "")


async def test_a_fifo_is_refused_at_once(workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    async with asyncio.timeout(3):
        assert (await run(ReadFile(), workspace, path="pipe")).is_error
        assert "src/app.py:3" in (await run(SearchFiles(), workspace, pattern="total")).text


@pytest.mark.parametrize("tool", [ReadFile(), ListFiles(), SearchFiles()])
async def test_without_a_workspace_a_file_tool_says_what_is_missing(tool: Tool) -> None:
    missing = failure("This agent has no workspace; a person must set one in the agent's settings.")
    assert await run(tool, None, path=".", pattern="x") == missing


async def test_a_path_inside_may_be_absolute(workspace: Path) -> None:
    assert not (await run(ReadFile(), workspace, path=str(workspace / "说明.md"))).is_error


async def test_files_are_listed_sorted_with_sizes_and_without_what_nobody_wrote(workspace: Path) -> None:
    (workspace / "out.txt").symlink_to("/etc/passwd")
    output = await run(ListFiles(), workspace)
    assert output == ToolOutput(".git/\nnode_modules/\nout.txt  (link)\nsrc/\nsrc/app.py  45\n说明.md  26")
    assert await run(ListFiles(), workspace, pattern="*.py") == ToolOutput("src/app.py  45")


@pytest.mark.parametrize("pattern", ["*.py", "**/*.py", "src/*.py", "src/**/*.py", "app.py"])
async def test_patterns_of_other_tools_are_understood(workspace: Path, pattern: str) -> None:
    assert (await run(ListFiles(), workspace, pattern=pattern)).text == "src/app.py  45"
    assert (await run(SearchFiles(), workspace, pattern="def", glob=pattern)).text == "src/app.py:3: def total(a, b):"


async def test_a_folder_with_very_many_files_is_cut_and_says_so(workspace: Path) -> None:
    for number in range(1_200):
        (workspace / "src" / f"f{number:04}.txt").touch()
    lines = (await run(ListFiles(), workspace, path="src")).text.split("\n")
    assert (len(lines), lines[-1]) == (1_001, "[there is more; list a folder below, or give a pattern]")


async def test_matches_come_with_file_and_line_and_links_and_ignored_folders_are_left_alone(workspace: Path) -> None:
    (workspace / "out.txt").symlink_to(workspace.parent / "secret.txt")
    assert await run(SearchFiles(), workspace, pattern="tot.l") == ToolOutput("src/app.py:3: def total(a, b):")
    assert await run(SearchFiles(), workspace, pattern="压缩") == ToolOutput("说明.md:1: 上下文压缩")
    assert (await run(SearchFiles(), workspace, pattern="TOTAL", glob="*.md")).text.startswith("No match in 1 files")


async def test_a_pattern_that_is_no_regular_expression_is_searched_as_text(workspace: Path) -> None:
    text = (await run(SearchFiles(), workspace, pattern="total(")).text
    assert text.endswith("\nsrc/app.py:3: def total(a, b):")
    assert text.startswith("[the pattern is no regular expression")


async def test_a_pattern_that_takes_for_ever_is_stopped_and_the_server_goes_on(workspace: Path) -> None:
    (workspace / "trap.txt").write_text("a" * 60 + "!")
    turns = 0
    started = time.monotonic()
    search = asyncio.create_task(run(SearchFiles(max_seconds=0.5, start_seconds=1.0), workspace, pattern="(a+)+$"))
    while not search.done():
        await asyncio.sleep(0.05)
        turns += 1
    assert search.result().is_error
    assert turns > 10
    assert time.monotonic() - started < 5


async def test_a_cancelled_search_leaves_no_process(workspace: Path) -> None:
    (workspace / "trap.txt").write_text("a" * 60 + "!")
    search = asyncio.create_task(run(SearchFiles(), workspace, pattern="(a+)+$"))
    await asyncio.sleep(0.5)
    search.cancel()
    with pytest.raises(asyncio.CancelledError):
        await search
    assert not [folder for folder in Path("/proc").iterdir() if folder.name.isdigit() and _is_our_worker(folder)]


def _is_our_worker(process: Path) -> bool:
    try:
        status = (process / "status").read_text()
        command = (process / "cmdline").read_bytes()
    except OSError:
        return False
    return f"PPid:\t{os.getpid()}\n" in status and b"search_worker" in command


async def test_a_module_in_the_workspace_is_never_imported_by_the_search(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (workspace / "json.py").write_text("raise SystemExit('imported')")
    monkeypatch.chdir(workspace)
    assert "src/app.py:3" in (await run(SearchFiles(), workspace, pattern="total")).text


@pytest.mark.parametrize("tool", [ReadFile(), ListFiles(), SearchFiles()])
def test_a_tool_says_in_one_line_what_it_did_and_knows_when_it_did_the_same_again(tool: Tool) -> None:
    arguments = {"path": "src/app.py", "pattern": "x"}
    assert "src/app.py" in tool.one_line(arguments, "a\nb")
    assert "\n" not in tool.one_line({}, "")
    assert tool.dedup_key(arguments) == tool.dedup_key(dict(reversed(arguments.items())))
    assert tool.dedup_key(arguments) != tool.dedup_key({**arguments, "path": "other"})
