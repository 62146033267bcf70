"""Keys at rest: bound to their row, worth nothing elsewhere; the master key for this user alone."""

import base64
import stat
from pathlib import Path

import pytest

from netaclaw.errors import SettingsError
from netaclaw.security import KeySeal, load_master_key


def test_a_sealed_key_opens_for_its_own_channel_only() -> None:
    seal = KeySeal(bytes(32))
    sealed = seal.seal(7, "sk-1")
    assert (seal.unseal(7, sealed), sealed[:1], b"sk-1" in sealed) == ("sk-1", b"\x01", False)
    assert seal.seal(7, "sk-1") != sealed
    for opener, channel_id, content in (
        (seal, 8, sealed),
        (KeySeal(b"1" * 32), 7, sealed),
        (seal, 7, sealed[:-1] + bytes([sealed[-1] ^ 1])),
        (seal, 7, b"\x02" + sealed[1:]),
        (seal, 7, b"\x01"),
    ):
        with pytest.raises(SettingsError, match=r"enter .* again"):
            opener.unseal(channel_id, content)


def test_the_master_key_is_made_once_for_this_user_alone(tmp_path: Path) -> None:
    key = load_master_key(tmp_path, None)
    assert (len(key), load_master_key(tmp_path, None)) == (32, key)
    assert stat.S_IMODE((tmp_path / "master.key").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["master.key"]


def test_a_given_master_key_wins_and_leaves_no_file(tmp_path: Path) -> None:
    key = bytes(range(32))
    assert [load_master_key(tmp_path, text) for text in (key.hex(), base64.b64encode(key).decode())] == [key, key]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["short", "x" * 64, base64.b64encode(bytes(16)).decode(), "é"])
def test_a_master_key_of_the_wrong_form_is_refused_and_not_repeated(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError, match="32 bytes") as raised:
        load_master_key(tmp_path, text)
    assert text not in str(raised.value)


def test_a_master_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    load_master_key(tmp_path, None)
    (tmp_path / "master.key").chmod(0o644)
    with pytest.raises(SettingsError, match="chmod 600"):
        load_master_key(tmp_path, None)
