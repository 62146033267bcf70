"""Records in a tool result: the rows of a search, the profile of a customer, an order."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

from netaclaw.compaction.ledger.cues import is_rule
from netaclaw.compaction.ledger.folding import folded
from netaclaw.compaction.ledger.observation import Row
from netaclaw.compaction.ledger.orders import gives_orders

_LONGEST_RESULT = 200_000
_LONGEST_LITERAL = 20_000
_MAX_ROWS = 60
_MAX_FIELDS = 40
_LONGEST_FIELD = 240
_LONGEST_NAME = 80
_LONGEST_UNNAMED = 60
"""A text under a key that does not say that it is a name."""
_ESCAPED_BREAK = re.compile(r"\\[nrtvf]|\\u(?:000[a-d]|001[c-e]|0085|202[89])")
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
    for record in _records(value, 0):
        row = _row(record)
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


def _records(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Yield the objects of lists, without the envelope around them; a lone object is a record, too."""
    if depth > 3:
        return
    if isinstance(value, list):
        for item in value:
            yield from _records(item, depth + 1)
    elif isinstance(value, dict):
        inner = [item for item in value.values() if isinstance(item, list) and item and isinstance(item[0], dict)]
        if len(inner) == 1 and len(value) <= 4 and not any(word in value for word in _LABEL_WORDS):
            yield from _records(inner[0], depth + 1)
        else:
            yield value


def _row(record: dict[str, Any]) -> Row | None:
    names = {key: value for key, value in record.items() if isinstance(value, str) and _is_name(value)}
    name_field = _name_field(names)
    if not name_field:
        return None
    fields = []
    for key, value in record.items():
        if key == name_field or value is None or value in ("", [], {}):
            continue
        name, shown = folded(str(key)), _field(value)
        if shown and not _speaks(f"{name}: {shown}"):
            fields.append((name, shown))
    return Row(folded(names[name_field]), tuple(fields[:_MAX_FIELDS]))


def _is_name(text: str) -> bool:
    """A name stands on one line and tells nobody what to do."""
    return 2 <= len(text) <= _LONGEST_NAME and len(folded(text)) >= 2 and len(text.splitlines()) == 1 and not gives_orders(text)


def _name_field(names: dict[str, str]) -> str:
    """Return the key of the text that names a record, or nothing."""
    for key in _LABEL_WORDS:
        if key in names:
            return key
    short = [key for key, value in names.items() if len(value) <= _LONGEST_UNNAMED]
    return next((key for key in short if "id" in key.lower() or "name" in key.lower() or "名" in key), next(iter(short), ""))


def _speaks(shown: str) -> bool:
    """Whether a field tells the model what to do: orders by their wording, or rules on lines of their own."""
    text = _ESCAPED_BREAK.sub("\n", shown)
    return gives_orders(text) or ("\n" in text and any(map(is_rule, filter(None, text.split("\n")))))


def _field(value: Any) -> str:
    """The JSON text of a value as the tool wrote it; long texts and long lists are left out or cut."""
    if isinstance(value, list) and len(value) > 8 and not isinstance(value[0], dict):
        return ""
    text = " ".join(json.dumps(value, ensure_ascii=False, default=str).split())
    if len(text) <= _LONGEST_FIELD or isinstance(value, (dict, list)):
        return text if len(text) <= 3 * _LONGEST_FIELD else ""
    return " ".join(json.dumps(f"{value[: _LONGEST_FIELD - 20]}…", ensure_ascii=False).split()) if isinstance(value, str) else ""
