"""Secrets that a name gives away: `API_KEY=...`, `"password": "..."`, `密码：...`.

The name alone is not enough (`max_tokens = 512`, `password: str`): the value must look like a secret, the more so the less the
writing around it does (a quoted value or an upper-case variable needs less than a word in a sentence).
"""

import re

_PASSWORD_WORDS = (
    "password",
    "Password",
    "PASSWORD",
    "passwd",
    "Passwd",
    "PASSWD",
    "passphrase",
    "PASSPHRASE",
    "pwd",
    "Pwd",
    "PWD",
    "密码",
    "口令",
)
_KEY_WORDS = (
    *("secret", "Secret", "SECRET", "token", "Token", "TOKEN", "credentials", "CREDENTIALS", "密钥", "令牌", "秘钥"),
    *(
        "api_key",
        "apikey",
        "api-key",
        "apiKey",
        "ApiKey",
        "APIKey",
        "API_KEY",
        "APIKEY",
        "Api-Key",
        "API-Key",
        "API-KEY",
        "API Key",
        "API key",
        "api key",
    ),
    *("access_key", "accessKey", "AccessKey", "ACCESS_KEY", "access-key", "private_key", "privateKey", "PrivateKey", "PRIVATE_KEY"),
    *("encryption_key", "ENCRYPTION_KEY", "signing_key", "SIGNING_KEY", "master_key", "MASTER_KEY", "auth_key", "AUTH_KEY", "authKey"),
)

ASSIGNMENT_TRIGGERS = (*_PASSWORD_WORDS, *_KEY_WORDS)
"""Words that name a secret, in the spellings that occur."""

_PASSWORDS = frozenset(_PASSWORD_WORDS)

_ASSIGNED = re.compile(
    r"(?P<suffix>(?:_[A-Z0-9]{1,16}){0,2}|[_-]?[kK]ey|Value|_value)(?![A-Za-z0-9_])"
    r"(?:\\{0,3}[\"'`]|\*\*|`)?\]?"
    r"(?P<sep>[ \t]{0,4}(?:：|=>|:=|[:=])[ \t]{0,4}| (?:is|was) {1,2}| ?[是为] ?[:：]? ?)"
    r"(?:(?<=[: ])(?:[A-Za-z][\w.\[\]|]{0,30})[ \t]{0,3}=[ \t]{0,3})?"
    r"(?P<quote>\\{0,3}[\"'`“]|\*\*)?"
    r"(?P<value>(?(quote)[^\s\"'`”\\]{4,}|[^\s\"'`,;<>(){}\[\]|&\\\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]{4,}))"
)

_NO_VALUE = re.compile(
    r"(?i)[$<{%*]|\.{3}|x{4}|\W*$|your[-_]|my[-_]|some[-_]|the[-_]|new[-_]|old[-_]|test[-_]?(?:password|token|key|secret)|example|sample|placeholder|change_?me"
    r"|dummy|fake$|redacted|hidden|none\b|null\b|true\b|false\b|undefined\b|required\b|optional\b|str\b|string\b|bytes\b|bool|int\b|any\b|text\b"
    r"|os\.|process\.|env[.\b(]|config[.\b]|settings\.|self\.|this\.|args?\.|options?\.|request\.|req\.|ctx\.|data\.|params?\.|props\.|state\."
    r"|https?:|/|\./|~/|file:|0x[0-9a-f]{40}$"
)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|_*[a-z]+(?:_[a-z]+)*_*$|[a-z]+(?:[A-Z][a-z]+)+$", re.ASCII)
"""A name of a program (`user.password`, `get_token`, `newPassword`), no value."""
_CHUNK = re.compile(r"[A-Za-z0-9]{8,}", re.ASCII)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{32,}={0,2}$", re.ASCII)
_ENV_NAME = re.compile(r"[A-Z][A-Z0-9_]*$", re.ASCII)


def assigned_secret(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Return (start, end, label) of the secret assigned to the name whose word stands at `start` to `end`, if there is one."""
    found = _ASSIGNED.match(text, end)
    if not found:
        return None
    value = found["value"] if found["quote"] or "=" in found["sep"] else found["value"].rstrip(".:!?")
    value_start = found.start("value")
    following = text[value_start + len(value) : value_start + len(value) + 1]
    if "[REDACTED:" in value or _NO_VALUE.match(value) or (not found["quote"] and following in ("(", "[", "{")):
        return None
    is_password = text[start:end] in _PASSWORDS
    is_env = "=" in found["sep"] and " " not in found["sep"] and bool(_ENV_NAME.match(text[start:end] + found["suffix"]))
    if not (_is_password(value, found, is_env) if is_password else _is_key(value, bool(found["quote"]), is_env)):
        return None
    return value_start, value_start + len(value), "password" if is_password else "secret"


def _is_password(value: str, found: re.Match[str], is_env: bool) -> bool:
    letters, digits = any(c.isalpha() for c in value), any(c.isdigit() for c in value)
    if letters and digits:
        return len(value) >= (4 if is_env or found["quote"] else 6)
    if digits:
        return len(value) >= 6 or (bool(found["quote"]) and len(value) >= 4)
    if is_env or (found["sep"] == "=" and not _NAME.match(value)):
        return len(value) >= 6
    if found["quote"] and ("=" in found["sep"] or '"' in found["quote"]):
        return len(value) >= 8 and not value[0].isupper() and "assw" not in value
    return len(value) >= 8 and not value.isalpha() and not _NAME.match(value) and "-" not in value and "/" not in value


def _is_key(value: str, is_quoted: bool, is_env: bool) -> bool:
    if is_env and len(value) >= 8 and not value.isdigit():
        return any(c.isdigit() for c in value) or len(value) >= 20
    if _BASE64.match(value) and any(c.isdigit() for c in value) and not value.islower() and not value.isupper():
        return True
    return len(value) >= (12 if is_quoted else 16) and any(_is_random(chunk, is_quoted) for chunk in _CHUNK.findall(value))


def _is_random(chunk: str, is_quoted: bool) -> bool:
    digits = sum(c.isdigit() for c in chunk)
    if 0 < digits < len(chunk):
        return digits > 1 or len(chunk) >= 16
    return is_quoted and digits == 0 and len(chunk) >= 20 and not chunk.islower() and not chunk.isupper()
