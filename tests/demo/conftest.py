"""The demo is made once; tests work on copies."""

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.demo.open_demo import open_demo


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo in it."""
    folder = tmp_path_factory.mktemp("demo")

    async def make() -> None:
        async with open_demo(folder):
            pass

    asyncio.run(make())
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(made, tmp_path / "demo")
    return tmp_path / "demo"
