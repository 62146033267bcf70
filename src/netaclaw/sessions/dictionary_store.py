"""The dictionary: system settings as named texts, grouped by type (`netaclaw` comes with the tables)."""

from sqlalchemy import Select, delete, select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from netaclaw.errors import NotFoundError
from netaclaw.sessions import tables
from netaclaw.sessions.transactions import finishes_when_cancelled, reading, writing

_type = tables.dict_type
_item = tables.dict_info


@finishes_when_cancelled
class DictionaryStore:
    """All dictionary types and their items."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def types(self) -> dict[str, str]:
        """Return {key: name} of all types."""
        async with reading(self._engine) as connection:
            return {row.key: row.name for row in await connection.execute(select(_type).order_by(_type.c.id))}

    async def add_type(self, type_key: str, name: str) -> None:
        """Add a type, or rename the one with this key."""
        named = insert(_type).values(key=type_key, name=name).on_conflict_do_update(index_elements=["key"], set_={"name": name})
        async with writing(self._engine) as connection:
            await connection.execute(named)

    async def items(self, type_key: str) -> dict[str, str]:
        """Return {key: value} of all items of a type; empty if there is no such type."""
        items = select(_item.c.key, _item.c.value).join(_type).where(_type.c.key == type_key).order_by(_item.c.id)
        async with reading(self._engine) as connection:
            return {row.key: row.value for row in await connection.execute(items)}

    async def get(self, type_key: str, item_key: str) -> str | None:
        """Return the value of an item, or None."""
        return (await self.items(type_key)).get(item_key)

    async def set(self, type_key: str, item_key: str, value: str | None) -> None:
        """Set an item, None to remove it. Raises NotFoundError for a type that does not exist."""
        async with writing(self._engine) as connection:
            type_id = await connection.scalar(_type_id(type_key))
            if type_id is None:
                raise NotFoundError(f"There is no dictionary type '{type_key}'")
            if value is None:
                await connection.execute(delete(_item).where(_item.c.dict_type_id == type_id, _item.c.key == item_key))
                return
            written = insert(_item).values(dict_type_id=type_id, key=item_key, value=value)
            await connection.execute(written.on_conflict_do_update(index_elements=["dict_type_id", "key"], set_={"value": value}))


def _type_id(type_key: str) -> Select[tuple[int]]:
    return select(_type.c.id).where(_type.c.key == type_key)
