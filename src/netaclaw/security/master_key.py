"""The master key: 32 bytes from the environment, or from a file that only this user can read, made at the first start."""

import base64
import binascii
import os
import stat
from pathlib import Path

from netaclaw.errors import SettingsError

KEY_BYTES = 32
FILE_NAME = "master.key"


def load_master_key(folder: Path, given: str | None) -> bytes:
    """Return the given key, else that of the file in `folder`, which is made if it is not there. Raises SettingsError."""
    if given:
        return _decode(given, "NETACLAW_MASTER_KEY")
    file = folder / FILE_NAME
    try:
        _make(file)
    except FileExistsError:
        pass
    except OSError as error:
        raise SettingsError(f"The master key {file} cannot be written ({error.strerror}); choose another data folder") from error
    return _read(file)


def _make(file: Path) -> None:
    """Write a new key under another name first, so that a crash never leaves half a key. Raises FileExistsError where there is one."""
    if file.exists():
        raise FileExistsError
    temporary = file.with_name(f".{FILE_NAME}.{os.getpid()}.tmp")
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
            new.write(base64.b64encode(os.urandom(KEY_BYTES)) + b"\n")
            new.flush()
            os.fsync(new.fileno())
        os.link(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)


def _read(file: Path) -> bytes:
    try:
        mode, text = file.stat().st_mode, file.read_text("ascii", errors="replace")
    except OSError as error:
        raise SettingsError(f"The master key {file} cannot be read ({error.strerror}); give this user rights to it") from error
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise SettingsError(f"The master key {file} can be read by other users; run: chmod 600 {file}")
    return _decode(text, str(file))


def _decode(text: str, place: str) -> bytes:
    remedy = f"write {KEY_BYTES} bytes in base64 or hexadecimal digits"
    try:
        stripped = text.strip()
        key = bytes.fromhex(stripped) if len(stripped) == 2 * KEY_BYTES else base64.b64decode(stripped, validate=True)
    except (ValueError, binascii.Error):
        raise SettingsError(f"The master key in {place} cannot be read; {remedy}") from None
    if len(key) != KEY_BYTES:
        raise SettingsError(f"The master key in {place} has {len(key)} bytes; {remedy}")
    return key
