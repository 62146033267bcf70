"""API keys at rest: AES-256-GCM, bound to the row they belong to, so that a stolen or swapped column is worth nothing."""

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from netaclaw.errors import SettingsError

_VERSION = b"\x01"
_NONCE_BYTES = 12
_TAG_BYTES = 16


class KeySeal:
    """Encrypts and decrypts the API keys of channels. Layout: version byte, nonce, ciphertext with tag."""

    def __init__(self, master_key: bytes) -> None:
        self._cipher = AESGCM(master_key)

    def seal(self, channel_id: int, api_key: str) -> bytes:
        """Return the key encrypted for this channel's row; the same key never gives the same bytes twice."""
        nonce = os.urandom(_NONCE_BYTES)
        return _VERSION + nonce + self._cipher.encrypt(nonce, api_key.encode(), _bound_to(channel_id))

    def unseal(self, channel_id: int, sealed: bytes) -> str:
        """Return the key in clear. Raises SettingsError where the master key or the row is another one."""
        nonce, encrypted = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
        if sealed[:1] != _VERSION or len(encrypted) < _TAG_BYTES:
            raise SettingsError(f"The API key of channel {channel_id} is stored in an unknown form; enter it again")
        try:
            return self._cipher.decrypt(nonce, encrypted, _bound_to(channel_id)).decode()
        except InvalidTag:
            raise SettingsError(
                f"The API key of channel {channel_id} cannot be decrypted with this master key; "
                "bring the old master key back or enter the API key again"
            ) from None


def _bound_to(channel_id: int) -> bytes:
    return f"channel:{channel_id}:api_key".encode()
