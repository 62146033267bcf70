"""Column types: JSON kept exactly, and moments in UTC."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, Text
from sqlalchemy.types import TypeDecorator

from netaclaw.sessions import json_text


class JsonText(TypeDecorator[Any]):
    """JSON in a text column. Neither orjson nor PostgreSQL's JSONB can hold every text that a model writes."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, _dialect: Dialect) -> str | None:
        return None if value is None else json_text.to_text(value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> Any:
        return None if value is None else json_text.from_text(value)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment with its time zone; SQLite would lose the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
