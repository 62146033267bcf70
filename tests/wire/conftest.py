"""The SDKs take seconds to import: once for the whole run."""

import os
import warnings

import pytest


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("NETACLAW_") or name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session", autouse=True)
def _sdks() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import netaclaw.providers.anthropic
        import netaclaw.providers.deepseek
        import netaclaw.providers.openai  # noqa: F401
