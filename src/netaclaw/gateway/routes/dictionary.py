"""The dictionary: system settings as named texts, grouped by type."""

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Path
from pydantic import Field

from netaclaw.errors import CommandRefused, NotFoundError
from netaclaw.gateway.services import Given, Services
from netaclaw.gateway.wire import Wire
from netaclaw.runtime.auxiliary import DEFAULT_AUXILIARY_KEY, DICTIONARY_TYPE

router = APIRouter(prefix="/api/dictionary", tags=["dictionary"])

Key: TypeAlias = Annotated[str, Path(min_length=1, max_length=100, pattern=r"^[\w.-]+$")]


class DictionaryItem(Wire):
    """One setting."""

    key: str
    value: str


class DictionaryType(Wire):
    """A group of settings."""

    key: str
    name: str
    items: list[DictionaryItem]


class Dictionary(Wire):
    """All groups."""

    types: list[DictionaryType]


class TypeName(Wire):
    """The name of a group."""

    name: str = Field(min_length=1, max_length=200)


class ItemValue(Wire):
    """The value of a setting; null removes it."""

    value: str | None = Field(max_length=100_000)


@router.get("")
async def read_dictionary(given: Given) -> Dictionary:
    """Read all groups with their settings."""
    return Dictionary(types=[await _type(key, name, given) for key, name in (await given.store.dictionary.types()).items()])


@router.get("/{type_key}")
async def read_type(type_key: Key, given: Given) -> DictionaryType:
    """Read one group."""
    return await _existing_type(type_key, given)


@router.put("/{type_key}")
async def name_type(type_key: Key, body: TypeName, given: Given) -> DictionaryType:
    """Make a group, or rename it."""
    await given.store.dictionary.add_type(type_key, body.name.strip())
    return await _existing_type(type_key, given)


@router.put("/{type_key}/{item_key}")
async def set_item(type_key: Key, item_key: Key, body: ItemValue, given: Given) -> DictionaryType:
    """Set one setting."""
    if (type_key, item_key) == (DICTIONARY_TYPE, DEFAULT_AUXILIARY_KEY) and body.value is not None:
        await _check_auxiliary(body.value, given)
    await given.store.dictionary.set(type_key, item_key, body.value)
    return await _existing_type(type_key, given)


async def _existing_type(type_key: str, given: Services) -> DictionaryType:
    name = (await given.store.dictionary.types()).get(type_key)
    if name is None:
        raise NotFoundError(f"There is no dictionary type '{type_key}'; make it with PUT /api/dictionary/{type_key}")
    return await _type(type_key, name, given)


async def _type(key: str, name: str, given: Services) -> DictionaryType:
    items = await given.store.dictionary.items(key)
    return DictionaryType(key=key, name=name, items=[DictionaryItem(key=item, value=value) for item, value in items.items()])


async def _check_auxiliary(value: str, given: Services) -> None:
    if not (value.isascii() and value.isdigit() and len(value) < 19):
        raise CommandRefused("bad_request", f"`{DEFAULT_AUXILIARY_KEY}` is the id of a channel in digits; choose one that is auxiliary")
    channel = await given.store.channels.get(int(value))
    if not channel.is_auxiliary:
        raise CommandRefused("bad_request", f"Channel '{channel.name}' may not write summaries; tick it as auxiliary first")
