"""A server as a process of its own, on a free port, ended by its process id."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SERVE = ("-m", "netaclaw", "serve", "--port", "0")
SERVE_ECHO = ("-m", "tests.gateway.serve_echo")
_ROOT = Path(__file__).resolve().parent.parent
_FOREIGN = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY")


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    process: subprocess.Popen[str]
    address: str

    @property
    def socket(self) -> str:
        """Address of its socket."""
        return f"{self.address.replace('http', 'ws', 1)}/ws"

    @property
    def port(self) -> int:
        """Its port."""
        return int(self.address.rsplit(":", 1)[1])

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Make one request and return the JSON of the answer."""
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, content, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read() or b"null")


@contextmanager
def running(data_dir: Path, command: tuple[str, ...] = SERVE, settings: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Start a server and wait for the line that says where it listens; end it with SIGTERM."""
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=_ROOT,
        env=environment(data_dir, settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = next((line for line in process.stdout if line.startswith("NetaClaw listens on ")), None)
        if line is None:
            process.kill()
            raise AssertionError(process.communicate()[1])
        yield Server(process, line.split()[-1])
    finally:
        process.terminate()
        try:
            process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def environment(data_dir: Path, settings: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a server that takes no setting of this machine."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NETACLAW_") and name not in _FOREIGN}
    return {**clean, "NETACLAW_DATA_DIR": str(data_dir), **(settings or {})}
