"""The real application over a fresh data folder, with a runtime that answers by itself."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from netaclaw.app import create_app
from netaclaw.settings import Settings
from tests.gateway.echo_runtime import EchoRuntime

ADDRESS = "http://127.0.0.1:8765"


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("NETACLAW_") or name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY"):
            monkeypatch.delenv(name)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(Settings(data_dir=tmp_path, max_frame_bytes=100_000), EchoRuntime)
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def session_id(client: TestClient) -> int:
    made: int = client.post("/api/sessions", json={"title": "A talk"}).json()["id"]
    return made
