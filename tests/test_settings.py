"""Settings: the environment, and options that win over it."""

from pathlib import Path

import pytest

from netaclaw.errors import SettingsError
from netaclaw.settings import read_settings


def test_options_win_over_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NETACLAW_PORT", "9000")
    monkeypatch.setenv("NETACLAW_DATA_DIR", str(tmp_path))
    settings = read_settings(port=9001, host=None)
    assert (settings.port, settings.host, settings.database) == (9001, "127.0.0.1", tmp_path / "netaclaw.db")


@pytest.mark.parametrize(("name", "value"), [("NETACLAW_PORT", "70000"), ("NETACLAW_PORT", "x"), ("NETACLAW_MAX_FRAME_BYTES", "1")])
def test_a_bad_setting_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=f"^{name}: .*; correct it"):
        read_settings()


def test_keys_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    settings = read_settings()
    assert settings.openai_api_key is not None
    assert "sk-secret" not in repr(settings)
