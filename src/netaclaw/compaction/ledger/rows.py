"""Records in a tool result: the rows of a search, the profile of a customer, an order."""

import ast
import json
from collections.abc import Iterator
from typing import Any

from netaclaw.compaction.ledger.observation import Row
from netaclaw.compaction.ledger.orders import gives_orders

_LONGEST_RESULT = 200_000
_LONGEST_LITERAL = 20_000
_MAX_ROWS = 60
_MAX_FIELDS = 40
_LONGEST_FIELD = 240
_LABEL_WORDS = (
    "名称",
    "name",
    "名字",
    "标题",
    "title",
    "flight_number",
    "order_id",
    "id",
    "id_",
    "编号",
    "订单号",
    "subject",
    "hotel",
    "key",
    "login",
)


def find_rows(text: str) -> tuple[Row, ...]:
    """Return the records of a JSON result (or a Python literal), each with what names it; nothing for other texts."""
    start = text[:64].lstrip()[:1]
    if start not in ("[", "{") or len(text) > _LONGEST_RESULT:
        return ()
    value = _parsed(text)
    rows: list[Row] = []
    for label, record in _records("", value, 0):
        row = _row(label, record)
        if row:
            rows.append(row)
        if len(rows) == _MAX_ROWS:
            break
    return tuple(rows)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    if len(text) > _LONGEST_LITERAL or text.lstrip()[1:2] not in ("'", '"', "{"):
        return None
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _records(label: str, value: Any, depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (label, record): the objects of lists, and a mapping of names to objects or texts as one record a name."""
    if depth > 3:
        return
    if isinstance(value, list):
        for item in value:
            yield from _records("", item, depth + 1)
    elif isinstance(value, dict):
        inner = [(key, item) for key, item in value.items() if isinstance(item, list) and item and isinstance(item[0], dict)]
        is_envelope = len(inner) == 1 and len(value) <= 4 and not any(word in value for word in _LABEL_WORDS)
        if is_envelope:
            yield from _records("", inner[0][1], depth + 1)
        else:
            yield label, value


def _row(label: str, record: dict[str, Any]) -> Row | None:
    name_field, name = _name(record)
    name = label or name
    if not name:
        return None
    fields = []
    for key, value in record.items():
        if key == name_field or value is None or value in ("", [], {}):
            continue
        shown = _field(value)
        if shown and not gives_orders(shown):
            fields.append((str(key), shown))
    return Row(name, tuple(fields[:_MAX_FIELDS]))


def _name(record: dict[str, Any]) -> tuple[str, str]:
    for key in _LABEL_WORDS:
        if isinstance(record.get(key), str) and 2 <= len(record[key]) <= 80:
            return key, record[key]
    for key, value in record.items():
        if isinstance(value, str) and 2 <= len(value) <= 60 and ("id" in key.lower() or "name" in key.lower() or "名" in key):
            return key, value
    return next(((key, value) for key, value in record.items() if isinstance(value, str) and 2 <= len(value) <= 60), ("", ""))


def _field(value: Any) -> str:
    """The JSON text of a value as the tool wrote it; long texts and long lists are left out or cut."""
    if isinstance(value, list) and len(value) > 8 and not isinstance(value[0], dict):
        return ""
    text = json.dumps(value, ensure_ascii=False, default=str)
    if len(text) <= _LONGEST_FIELD or isinstance(value, (dict, list)):
        return text if len(text) <= 3 * _LONGEST_FIELD else ""
    return json.dumps(f"{value[: _LONGEST_FIELD - 20]}…", ensure_ascii=False) if isinstance(value, str) else ""
