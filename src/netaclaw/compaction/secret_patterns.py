"""The table of secrets that can be told by their shape: keys of vendors, tokens, headers, credentials in URLs.

A row is looked for only where one of its literal triggers stands in the text, and every regular expression is matched at
that place alone, so a text without triggers costs one substring search each. Nothing here can backtrack without bound.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SecretPattern:
    """One shape of secret. `regex` is matched where a trigger begins; its group `secret` is what gets hidden."""

    label: str
    triggers: tuple[str, ...]
    regex: re.Pattern[str]


_START = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%3D))"
"""No key begins inside a word (`task-`, `disk_`), but one may follow an escaped newline in JSON text."""

_END = r"(?![A-Za-z0-9_-])"

_VARIABLE = r"(?![$<{%*]|\[REDACTED|\.\.\.)"
"""What stands for a secret in documentation and scripts: `$TOKEN`, `<token>`, `{token}`, `%TOKEN%`, `***`."""


def _key(label: str, triggers: str, body: str) -> SecretPattern:
    """A key that is known by how it begins."""
    return SecretPattern(label, tuple(triggers.split()), re.compile(f"{_START}(?P<secret>{body})", re.ASCII))


def _after(label: str, triggers: tuple[str, ...], body: str) -> SecretPattern:
    """A secret that is known by what stands before it."""
    return SecretPattern(label, triggers, re.compile(body, re.ASCII))


VENDOR_KEYS: tuple[SecretPattern, ...] = (
    _key("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{20,}"),
    _key("openrouter-key", "sk-or-", r"sk-or-v1-[0-9a-f]{40,}"),
    _key("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}"),
    _key("api-key", "sk-", r"sk-(?:[a-z]{2,4}-)?(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{24,}" + _END),
    _key("google-key", "AIza", r"AIza[0-9A-Za-z_-]{35}" + _END),
    _key("google-token", "ya29. GOCSPX- 1//0", r"(?:ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|1//0[\w-]{30,})"),
    _key("aws-key-id", "AKIA ASIA ABIA ACCA", r"A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}" + _END),
    _key("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{30,}"),
    _key("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{36,}"),
    _key("gitlab-token", "glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glimt- glagent-", r"gl[a-z]{2,5}-[\w-]{20,}"),
    _key("slack-token", "xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-", r"(?:xox[abeoprs][-.]|xapp-)[\w.-]{10,}"),
    _key("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[rs]k_(?:live|test)_[A-Za-z0-9]{10,}"),
    _key("webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,}"),
    _key("huggingface-token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    _key("npm-token", "npm_", r"npm_[A-Za-z0-9]{30,}"),
    _key("pypi-token", "pypi-", r"pypi-(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{50,}"),
    _key("twilio-key", "SK", r"SK[0-9a-f]{32}" + _END),
    _key("sendgrid-key", "SG.", r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    _key("mailgun-key", "key-", r"key-[0-9a-f]{32}" + _END),
    _key("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{32,}"),
    _key("xai-key", "xai-", r"xai-[A-Za-z0-9]{40,}"),
    _key("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{32,}"),
    _key("replicate-token", "r8_", r"r8_[A-Za-z0-9]{30,}"),
    _key("search-key", "tvly- fc-", r"(?:tvly-(?:[a-z]{3,4}-)?[A-Za-z0-9]{24,}|fc-[0-9a-f]{32})" + _END),
    _key("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[por]_v1_[0-9a-f]{40,}"),
    _key("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _key("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?" + _END),
    _key("grafana-token", "glsa_ glc_", r"gl(?:sa|c)_[A-Za-z0-9_+/=]{32,}"),
    _key("newrelic-key", "NRAK-", r"NRAK-[A-Z0-9]{27}" + _END),
    _key("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9_+/=-]{40,}"),
    _key("linear-key", "lin_api_", r"lin_api_[A-Za-z0-9]{30,}"),
    _key("notion-token", "ntn_ secret_", r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})" + _END),
    _key("figma-token", "figd_", r"figd_[\w-]{36,}"),
    _key("postman-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _key("vault-token", "hvs. hvb.", r"hv[sb]\.[\w-]{24,}"),
    _key("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}" + _END),
    _key("aliyun-key-id", "LTAI", r"LTAI[A-Za-z0-9]{12,24}" + _END),
    _key("tencent-key-id", "AKID", r"AKID[A-Za-z0-9]{32}" + _END),
    _key("supabase-key", "sbp_ sb_secret_", r"(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})"),
    _key("docker-token", "dckr_pat_", r"dckr_pat_[\w-]{20,}"),
    _key("atlassian-token", "ATATT3", r"ATATT3[\w=-]{60,}"),
    _key("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{40,}"),
    _key("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    _key("jwt", "eyJ", r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?"),
    _key("django-secret", "django-insecure-", r"django-insecure-[^\s\"'`\\]{8,}"),
    _after("azure-secret", ("8Q~",), r"(?P<secret>8Q~[\w.~-]{30,40})"),
    _after("azure-key", ("AccountKey=", "SharedAccessKey="), r"(?:Account|SharedAccess)Key=(?P<secret>[A-Za-z0-9+/]{20,}={0,2})"),
    _after("telegram-token", (":AA",), r"(?<=\d{8}):(?P<secret>AA[\w-]{32,36})" + _END),
)
"""Keys and tokens that vendors made recognisable."""

_SIGNING_PARAMETERS = ("key", "sig", "signature", "auth", "code", "X-Amz-Signature", "X-Amz-Credential", "X-Goog-Signature")

_HEADER_VALUE = r"(?P<secret>[A-Za-z0-9._~+/=:-]{6,})"

IN_CONTEXT: tuple[SecretPattern, ...] = (
    _after(
        "authorization",
        ("uthorization", "UTHORIZATION"),
        r"(?:uthorization|UTHORIZATION)\\{0,3}[\"']?\]?[ \t]{0,3}[:=,][ \t]{0,3}\\{0,3}[\"']?"
        r"(?:(?:[Bb]earer|BEARER|[Bb]asic|[Tt]oken|[Dd]igest|[Aa]pi[Kk]ey|Key) {1,3})" + _VARIABLE + _HEADER_VALUE,
    ),
    _after(
        "bearer-token",
        ("Bearer ", "bearer ", "BEARER "),
        r"(?:[Bb]earer|BEARER) {1,3}" + _VARIABLE + r"(?P<secret>(?=[A-Za-z._~+/=-]{0,64}[0-9])[A-Za-z0-9._~+/=-]{16,})",
    ),
    _after(
        "cookie",
        ("ookie: ", "OOKIE: "),
        r"(?:ookie|OOKIE): (?P<secret>[\w.-]{1,64}=[^\s;\"'\\]{8,}(?:;\s?[\w.-]{1,64}(?:=[^\s;\"'\\]*)?)*)",
    ),
    _after(
        "url-password",
        ("://",),
        r"://[^\s/:@\"'<>\\`]{0,128}:" + _VARIABLE + r"(?P<secret>[^\s/\"'<>\\`]{1,256})@",
    ),
    _after(
        "url-password",
        ("://",),
        r"://[^\s/:@\"'<>\\`]{1,128}:(?!\d{1,5}[/?#])" + _VARIABLE + r"(?P<secret>[^\s@\"'<>\\`]{1,256}+)@[\w.\[-]",
    ),
    _after(
        "url-password",
        (":\\/\\/", ":\\\\/\\\\/"),
        r":\\{1,2}/\\{1,2}/[^\s/:@\"'<>\\`]{0,128}:" + _VARIABLE + r"(?P<secret>[^\s@/\"'<>\\`]{1,256})@",
    ),
    _after("url-token", ("://",), r"://(?P<secret>(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{20,256})@"),
    _after(
        "url-token",
        tuple(f"{mark}{name}=" for mark in "?&" for name in _SIGNING_PARAMETERS),
        r"[?&][A-Za-z-]{3,16}=" + _VARIABLE + r"(?P<secret>(?=[A-Za-z%_-]{0,64}[0-9])[A-Za-z0-9%._~+/=-]{16,})",
    ),
    _after(
        "webhook-url",
        ("hooks.slack.com/", "api/webhooks/", "qyapi.weixin.qq.com/", "open.feishu.cn/", "oapi.dingtalk.com/"),
        r"[\w.]{3,24}/(?:services/|workflows/|webhooks/|cgi-bin/webhook/send\?key=|open-apis/bot/v2/hook/|robot/send\?access_token=)?"
        r"(?P<secret>(?=[A-Za-z/_-]{0,40}[0-9])[\w/-]{24,})",
    ),
    _after(
        "password",
        (" -u ", "--user "),
        r"(?: -u|--user) [\"']?[\w.@+-]{1,64}:" + _VARIABLE + r"(?P<secret>(?=[^\s\"']{0,64}[A-Za-z])[^\s\"'/:]{6,256})",
    ),
    _after("password", (" password ",), r" password (?P<secret>(?=[^\s\"']{0,64}[0-9])[^\s\"',;:.]{6,256})(?=\s|$)"),
    _after("password", ("sshpass -p",), r"sshpass -p ?[\"']?" + _VARIABLE + r"(?P<secret>[^\s\"']{4,256})"),
    _after(
        "password",
        ("mysql", "mariadb"),
        r"(?:mysql|mariadb)[a-z]{0,8}(?: [^\n|;&\"']{0,80}?)? -p[\"']?" + _VARIABLE + r"(?![\d.:]+(?:\s|$))(?P<secret>[^\s\"'`]{4,})",
    ),
    _after(
        "password",
        ("redis-cli",),
        r"redis-cli(?: [^\n|;&\"']{0,80}?)? (?:-a|--pass) [\"']?" + _VARIABLE + r"(?P<secret>[^\s\"'`]{4,})",
    ),
    _after(
        "password",
        ("docker login", "podman login", "registry login", "az login", "mongosh ", "mongodump ", "mongo "),
        r"[a-z]+ (?:login)?[^\n|;&\"']{0,80}? -p [\"']?" + _VARIABLE + r"(?!-)(?P<secret>[^\s\"'`]{4,})",
    ),
    _after(
        "authorization",
        ('auth"', "auth\\", "_auth=", "_auth ="),
        r"_?auth\\{0,3}\"?\s{0,4}[:=]\s{0,4}\\{0,3}\"?"
        r"(?=[A-Za-z/+]{0,128}[0-9])(?=[A-Z0-9/+]{0,128}[a-z])(?=[a-z0-9/+]{0,128}[A-Z])"
        r"(?P<secret>(?:[A-Za-z0-9+/]{4}){2,128}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)|(?:[A-Za-z0-9+/]{4}){5,128})(?![A-Za-z0-9+/=])",
    ),
    _after("password", ("--password ", "--passwd "), r"--passw(?:or)?d [\"']?" + _VARIABLE + r"(?!-)(?P<secret>[^\s\"']{6,256})"),
)
"""Secrets that only their surroundings give away."""
