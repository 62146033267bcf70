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
    "Passwort",
    "passwort",
    "Kennwort",
    "mot de passe",
    "contraseña",
    "пароль",
    "Пароль",
    "パスワード",
    "密码",
    "密碼",
    "口令",
)
_CODE_WORDS = (
    *("passcode", "Passcode", "PASSCODE", "验证码", "驗證碼", "校验码", "动态码"),
    *("verification code", "Verification code", "security code", "Security code", "one-time code", "OTP"),
)
_SHORT_WORDS = ("pass", "PASS", "Pass")
"""They mean many things: only where the writing around them is that of an assignment do they name a password."""
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

ASSIGNMENT_TRIGGERS = (*_PASSWORD_WORDS, *_CODE_WORDS, *_KEY_WORDS)
"""Words that name a secret, in the spellings that occur."""

SHORT_TRIGGERS = tuple(f"{word}{mark}" for word in _SHORT_WORDS for mark in ('"', "'", "=", "\\", ": ", " = "))
"""Short words that name a secret if they stand alone or after a `_`, with what must follow: `DB_PASS=...`, `"pass": "..."`."""

_PASSWORDS = frozenset([*_PASSWORD_WORDS, *_CODE_WORDS, *_SHORT_WORDS])
_CODES = frozenset(_CODE_WORDS)
_LONGEST_LOOKED_AT = 96
"""Whether a value is a secret is told by its beginning, so that a long line full of names takes linear time."""

_ASSIGNED = re.compile(
    r"(?P<suffix>(?:_[A-Z0-9]{1,16}){0,2}|[_-]?[kK]ey|Value|_value)(?![A-Za-z0-9_])"
    r"(?:\\{0,3}[\"'`]|\*\*|`)?\]?"
    r"(?P<sep>[ \t\u00a0\u202f\u3000]{0,4}(?:：|=>|:=|[:=])[ \t\u00a0\u202f\u3000]{0,4}"
    r"| (?:is|was) {1,2}| ?[是为] ?[:：]? ?|(?<=[码碼令])[ \t]{0,2}(?=[!-~]))"
    r"(?:(?<=[: ])(?:[A-Za-z][\w.\[\]|]{0,30})[ \t]{0,3}=[ \t]{0,3})?"
    r"(?P<quote>\\{0,3}[\"'`“]|\*\*)?"
    r"(?P<value>(?(quote)[^\s\"'`”\\]{1,96}|[^\s\"'`,;<>(){}\[\]|&\\\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]{4,96}))"
)
_PLAIN_VALUE = r"(?P<value>[^\s\"'`,;<>(){}\[\]|&\\\u00a0\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]{4,256})"
_LAID_OUT = tuple(
    re.compile(r"(?![A-Za-z0-9_])" + before + _PLAIN_VALUE + after)
    for before, after in (
        (r"[\"']?[ \t]{0,4}[:：][ \t]{0,4}(?:[>|][+-]?)?[ \t]{0,4}\r?\n[ \t]{1,40}[\"']?", r"[\"']?[ \t]{0,4}(?=[\r\n]|$)"),
        (r"\s{0,4}(?:>|&gt;)\s{0,4}", r"\s{0,4}(?=</|&lt;/)"),
        (r"&(?:quot|apos|#34|#39);[ \t]{0,4}[:=][ \t]{0,4}&(?:quot|apos|#34|#39);", r"(?=&|\s|$)"),
        (r"[*`]{0,3}[ \t]{0,24}\|[ \t]{0,4}[*`]{0,3}", r"[*`]{0,3}[ \t]{0,24}(?=\|)"),
        (r" (?:for|of|to|on) \S{1,24}(?: \S{1,24}){0,3}? (?:is|was)(?: now)?:? {1,2}[\"'`“]", r"(?=[\"'`”])"),
    )
)
"""Values under their name (YAML), in a tag, between entities, in the next cell of a table, after `the password for bob is`."""
_SHORTEST_LAID_OUT = 6
_SCHEMA_WORD = re.compile(
    r"(?i)(?:(?:tiny|medium|long)?text|n?varchar|char|string|int|integer|number|field|input|column|line|row|step|page|item|version|v|user|name"
    r"|test|type|level|option|example|required|optional|password|passwd|default|value|label|key|id)[_-]?\d{1,4}$"
)
"""A word of a schema or a form with its number (`varchar255`)."""
_REST_IN_QUOTES = re.compile(r"[^\s\"'`”\\]*")
_REST = re.compile(r"[^\s\"'`,;<>(){}\[\]|&\\\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]*")

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
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[a-z]+")
_RARE_SIGNS = re.compile(r"[$!@#^*()=+%&~?;]")
_HASH_NAME = re.compile(r"(?i)sha|md5|aes|argon|bcrypt|pbkdf|base|utf|rsa|hmac|oauth|rc4|[\w-]*[(（/.]")
_TYPE_OR_LABEL = re.compile(
    r"(?i)assw|secret|[^!-~]|^(?:text|test|input|hidden|varchar|char|object|number|integer|nil|empty|blank|missing|invalid|valid|wrong"
    r"|incorrect|unknown|default|plaintext|credentials|bytearray|length|minimum|maximum|hashed|security|account|username)$"
    r"|(?:ed|tion|sion|able|ible|ing|ment|ory|ional|type|field|schema|value|string|hash)$"
)
"""What stands after `password` in a schema, a form or a text of a screen."""
_BARE_NAMES = frozenset(["password", "Password", "passwd", "passphrase", "Passwort", "passwort"])
_SHORTEST_BARE = 4
_SHORTEST_AFTER_SPACE = 6
_SHORTEST_BARE_WORD = 8
_ENV_NAME = re.compile(r"[A-Z][A-Z0-9_]*$", re.ASCII)


def assigned_secret(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Return (start, end, label) of the secret assigned to the name whose word stands at `start` to `end`, if there is one."""
    found = _ASSIGNED.match(text, end)
    if not found:
        return _laid_out_secret(text, start, end)
    if not found["quote"] and len(found["value"]) < _SHORTEST_BARE:
        return None
    value = found["value"] if found["quote"] or "=" in found["sep"] else found["value"].rstrip(".:!?")
    value_start = found.start("value")
    value_end = value_start + len(value)
    following = text[value_end : value_end + 1]
    if "[REDACTED:" in value or _NO_VALUE.match(value) or (not found["quote"] and following in ("(", "[", "{")):
        return None
    if not _is_secret(text, start, value, found):
        return None
    if len(found["value"]) == _LONGEST_LOOKED_AT:
        rest = (_REST_IN_QUOTES if found["quote"] else _REST).match(text, found.end())
        value_end = rest.end() if rest else value_end
    return value_start, value_end, "password" if text[start:end] in _PASSWORDS else "secret"


def _laid_out_secret(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Return the secret that a layout, no sign of assignment, ties to the name; it must be a mix of letters and digits."""
    word = text[start:end]
    found = next((match for pattern in _LAID_OUT if (match := pattern.match(text, end))), None)
    if not found or word in _SHORT_WORDS or text[start - 1 : start] == "_":
        return None
    value = found["value"]
    if _NO_VALUE.match(value) or _HASH_NAME.match(value) or _SCHEMA_WORD.match(value) or value.endswith(":"):
        return None
    is_secret = _is_mixed(value) and len(value) >= _SHORTEST_LAID_OUT if word in _PASSWORDS else _is_key(value, True, False)
    return (*found.span("value"), "password" if word in _PASSWORDS else "secret") if is_secret else None


def short_secret(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Return the secret assigned to a short word such as `pass`; `start` and `end` are those of a word of `SHORT_TRIGGERS`."""
    before = text[start - 1 : start]
    if before.isalnum() or (before == "_" and text[start - 2 : start - 1] == "_"):
        return None
    word_end = start + len("pass")
    found = assigned_secret(text, start, word_end)
    if not found or before in ('"', "'") or text[end - 1] == "=":
        return found
    return found if text[start] == "p" and _is_strong(text[found[0] : found[1]]) else None


def _is_secret(text: str, start: int, value: str, found: re.Match[str]) -> bool:
    word = text[start : found.start()]
    is_env = "=" in found["sep"] and " " not in found["sep"] and bool(_ENV_NAME.match(word + found["suffix"]))
    if word not in _PASSWORDS:
        return _is_key(value, bool(found["quote"]), is_env)
    if not found["sep"].strip(" \t"):
        return len(value) >= _SHORTEST_AFTER_SPACE and _is_mixed(value) and not _HASH_NAME.match(value)
    if word in _CODES and value.isdigit():
        return len(value) >= _SHORTEST_BARE
    if word not in _SHORT_WORDS and _is_json_value(text, start, found):
        return not _TYPE_OR_LABEL.search(value)
    return _is_password(value, found, is_env) or _is_bare_word(text, word, value, found)


def _is_json_value(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether the word is a whole quoted key and its value a whole quoted text: `"password": "hunter"`."""
    quote = found["quote"] or ""
    mark = quote[-1:]
    key_mark = text[found.end("suffix") : found.start("sep")]
    if mark not in ('"', "'") or not key_mark or found["suffix"] or ":" not in found["sep"]:
        return False
    return key_mark == quote and text.startswith(quote, found.end("value")) and text.endswith(quote, 0, start)


def _is_bare_word(text: str, word: str, value: str, found: re.Match[str]) -> bool:
    """Whether the rest of a line after `password:` is one long word that no form, schema or sentence would have there."""
    if found["quote"] or found["suffix"] or word not in _BARE_NAMES or found["sep"].strip() not in (":", "："):
        return False
    ends_line = text[found.end("value") : found.end("value") + 1] in ("", "\n", "\r")
    return ends_line and len(value) >= _SHORTEST_BARE_WORD and bool(_LETTERS.fullmatch(value)) and not _TYPE_OR_LABEL.search(value)


def _is_mixed(value: str) -> bool:
    return bool(_LETTER.search(value) and _DIGIT.search(value))


def _is_strong(value: str) -> bool:
    """Letters in both cases and digits, and no path."""
    return _is_mixed(value) and value != value.lower() and value != value.upper() and "/" not in value


def _is_password(value: str, found: re.Match[str], is_env: bool) -> bool:
    letters, digits = bool(_LETTER.search(value)), bool(_DIGIT.search(value))
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
    has_digit = bool(_DIGIT.search(value))
    if is_env and len(value) >= 8 and not value.isdigit():
        return has_digit or len(value) >= 20
    if not has_digit and not is_quoted:
        return False
    if has_digit and _BASE64.match(value) and not value.islower() and not value.isupper():
        return True
    if is_quoted and len(value) >= 16 and _is_mixed(value) and len(set(_RARE_SIGNS.findall(value))) >= 2:
        return True
    return len(value) >= (12 if is_quoted else 16) and any(_is_random(chunk, is_quoted) for chunk in _CHUNK.findall(value))


def _is_random(chunk: str, is_quoted: bool) -> bool:
    digits = sum(c.isdigit() for c in chunk)
    if 0 < digits < len(chunk):
        return digits > 1 or len(chunk) >= 16
    return is_quoted and digits == 0 and len(chunk) >= 20 and not chunk.islower() and not chunk.isupper()
