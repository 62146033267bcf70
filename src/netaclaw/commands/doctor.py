"""The command `doctor`: one line a check, nothing is changed."""

import asyncio
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from netaclaw.configuration import StoredConfiguration
from netaclaw.domain.agents import Channel
from netaclaw.errors import NetaClawError
from netaclaw.gateway.server import need_loopback
from netaclaw.gateway.static import PAGE_FOLDER
from netaclaw.runtime.auxiliary import DEFAULT_AUXILIARY_KEY, DICTIONARY_TYPE
from netaclaw.security import KeySeal, load_master_key
from netaclaw.security.master_key import FILE_NAME
from netaclaw.sessions import ConfigStore, current_version, newest_version, open_database
from netaclaw.settings import DATABASE_FILE, Settings

Verdict: TypeAlias = Literal["ok", "note", "bad"]

_NEEDS_KEY = ("openai", "openai_responses", "anthropic", "deepseek")


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check."""

    subject: str
    verdict: Verdict
    text: str


def run_doctor(settings: Settings) -> int:
    """Print what was found and return 0, or 1 if something stands in the way of the server."""
    findings = list(_findings(settings))
    for finding in findings:
        print(f"{finding.verdict:4}  {finding.subject:16} {finding.text}")
    return 1 if any(finding.verdict == "bad" for finding in findings) else 0


def _findings(settings: Settings) -> Iterator[Finding]:
    yield _check("address", lambda: _address(settings))
    folder = _data_folder(settings)
    yield folder
    if folder.verdict == "ok":
        yield from _database(settings)
    yield _check("vocabulary", _vocabulary)
    yield _page()


def _check(subject: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(subject, "ok", look())
    except (NetaClawError, OSError, ValueError) as error:
        return Finding(subject, "bad", str(error))


def _address(settings: Settings) -> str:
    need_loopback(settings.host)
    return f"{settings.host}, port {settings.port}"


def _data_folder(settings: Settings) -> Finding:
    folder = settings.data_dir
    if not folder.exists():
        return Finding("data folder", "note", f"{folder} is not there yet; netaclaw serve makes it")
    if not folder.is_dir() or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Finding(
            "data folder", "bad", f"{folder} cannot be written to; give this user rights to it or choose another with --data-dir"
        )
    return Finding("data folder", "ok", str(folder))


def _database(settings: Settings) -> Iterator[Finding]:
    if settings.database_url is None and not (settings.data_dir / DATABASE_FILE).exists():
        yield Finding("database", "note", "not there yet; netaclaw serve makes it")
        return
    try:
        findings = asyncio.run(_look_into_database(settings))
    except NetaClawError as error:
        findings = [Finding("database", "bad", str(error))]
    yield from findings


async def _look_into_database(settings: Settings) -> list[Finding]:
    engine = open_database(settings.database)
    try:
        version, newest = await current_version(engine), newest_version()
        if version != newest:
            return [Finding("database", "note", f"version {version}, this NetaClaw writes {newest}; run: netaclaw migrate")]
        store = ConfigStore(engine)
        return [Finding("database", "ok", f"version {version}"), *await _channels(settings, store)]
    finally:
        await engine.dispose()


async def _channels(settings: Settings, store: ConfigStore) -> list[Finding]:
    if settings.master_key is None and not (settings.data_dir / FILE_NAME).exists():
        return [_missing_master_key(settings, bool(await store.channels.ids_with_key())), await _auxiliary(store)]
    try:
        given = settings.master_key.get_secret_value() if settings.master_key else None
        configuration = StoredConfiguration(store, KeySeal(load_master_key(settings.data_dir, given)))
    except NetaClawError as error:
        return [Finding("master key", "bad", str(error))]
    channels = [await _channel(channel, configuration) for channel in await store.channels.list()]
    return [Finding("master key", "ok", "can be read"), *channels, await _auxiliary(store)]


def _missing_master_key(settings: Settings, has_keys: bool) -> Finding:
    file = settings.data_dir / FILE_NAME
    if has_keys:
        return Finding("master key", "bad", f"{file} is missing; bring it back, or enter the keys of the channels again")
    return Finding("master key", "note", f"{file} is not there yet; netaclaw serve makes it")


async def _channel(stored: Channel, configuration: StoredConfiguration) -> Finding:
    subject = f"channel {stored.id}"
    try:
        channel = await configuration.find_channel(stored.id)
    except NetaClawError as error:
        return Finding(subject, "bad", str(error))
    if channel is not None and channel.vendor in _NEEDS_KEY and not channel.api_key:
        return Finding(subject, "note", f"'{stored.name}' has no key; enter one under model channels")
    state = "" if stored.is_enabled else ", disabled"
    return Finding(subject, "ok", f"'{stored.name}', {stored.vendor}, {stored.model}{state}")


async def _auxiliary(store: ConfigStore) -> Finding:
    subject = "auxiliary model"
    named = await store.dictionary.get(DICTIONARY_TYPE, DEFAULT_AUXILIARY_KEY)
    if not named:
        return Finding(subject, "note", "none by default; choose one in the system settings, or compaction fails")
    channels = {str(channel.id): channel for channel in await store.channels.list()}
    channel = channels.get(named)
    if channel is None or not channel.is_enabled or not channel.is_auxiliary:
        return Finding(subject, "note", f"channel {named} cannot be used (missing, disabled or not auxiliary); choose another")
    return Finding(subject, "ok", f"'{channel.name}'")


def _vocabulary() -> str:
    from netaclaw.compaction.tokens import count_o200k

    return f"o200k counts ({count_o200k('Nothing is lost.')} tokens)"


def _page() -> Finding:
    if (PAGE_FOLDER / "index.html").is_file():
        return Finding("page", "ok", "built")
    return Finding("page", "note", "not built; run: make setup")
