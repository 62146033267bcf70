"""The tables (DESIGN section 3). A change here needs a migration beside it; a test compares the two.

The triggers that guard `entry` stand in the first migration.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from netaclaw.sessions.columns import JsonText, UtcDateTime

metadata = MetaData(naming_convention={"ix": "ix_%(table_name)s_%(column_0_name)s", "uq": "uq_%(table_name)s_%(column_0_N_name)s"})

_ID = BigInteger().with_variant(Integer, "sqlite")
"""SQLite gives out ids by itself only for INTEGER, which has 64 bits there."""


def _table(name: str, *columns: Column[Any] | UniqueConstraint) -> Table:
    """A table whose ids are never given out twice, not even after a deletion."""
    return Table(name, metadata, Column("id", _ID, primary_key=True), *columns, sqlite_autoincrement=True)


def _session_id(*, index: bool = False) -> Column[int]:
    return Column("session_id", _ID, ForeignKey("session.id", ondelete="CASCADE"), nullable=False, index=index)


session = _table(
    "session",
    Column("title", Text, nullable=False),
    Column("agent_id", _ID, ForeignKey("agent.id", ondelete="SET NULL")),
    Column("owner", String(200)),
    Column("active_leaf_id", _ID),  # no foreign key: it would make a circle with `entry`; the append keeps it right
    Column("last_seq", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False, index=True),
    Column("deleting_at", UtcDateTime),
)

entry = _table(
    "entry",
    Column("session_id", _ID, ForeignKey("session.id"), nullable=False),
    Column("parent_id", _ID, ForeignKey("entry.id"), index=True),
    Column("seq", Integer, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("context_depth", Integer, nullable=False),
    Column("context_compaction_id", _ID),
    Column("type", String(40), nullable=False),
    Column("payload", JsonText, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("session_id", "seq"),
)

run = _table(
    "run",
    _session_id(index=True),
    Column("kind", String(20), nullable=False),
    Column("state", String(20), nullable=False, index=True),
    Column("detail", JsonText, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
)

queue = _table(
    "queue",
    _session_id(),
    Column("request_id", String(200), nullable=False),
    Column("command", JsonText, nullable=False),
    Column("state", String(20), nullable=False, index=True),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("session_id", "request_id"),
)

compaction_state = Table(
    "compaction_state",
    metadata,
    Column("session_id", _ID, ForeignKey("session.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("strikes", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("cooldown_until", UtcDateTime),
    Column("blocked_reason", Text),
    Column("is_awaiting_usage", Boolean, nullable=False),
    Column("is_auto_compaction", Boolean),
)

channel = _table(
    "channel",
    Column("name", Text, nullable=False),
    Column("vendor", String(40), nullable=False),
    Column("model", Text, nullable=False),
    Column("base_url", Text),
    Column("api_key_encrypted", LargeBinary),
    Column("window_tokens", Integer),
    Column("max_output_tokens", Integer),
    Column("is_auxiliary", Boolean, nullable=False),
    Column("is_enabled", Boolean, nullable=False),
)

channel_calibration = Table(
    "channel_calibration",
    metadata,
    Column("channel_id", _ID, ForeignKey("channel.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("factor", Float, nullable=False),
    Column("samples", Integer, nullable=False),
    Column("learned_limit", Integer),
)

# The channels of an agent are no foreign keys: a deleted channel must fail by name, not quietly become "inherit".
agent = _table(
    "agent",
    Column("name", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("channel_id", _ID),
    Column("thinking_level", String(20), nullable=False),
    Column("tools", JsonText, nullable=False),
    Column("auxiliary_model_channel_id", _ID),
    Column("auxiliary_mode", String(20), nullable=False),
    Column("compaction_strategy", String(20), nullable=False),
    Column("compaction_threshold_percent", Integer),
    Column("compaction_protect_first_n", Integer),
    Column("is_auto_compaction", Boolean, nullable=False),
    Column("use_main_model_when_auxiliary_fails", Boolean, nullable=False),
    Column("workspace", Text),
    Column("max_steps", Integer, nullable=False),
)

dict_type = _table("dict_type", Column("key", String(100), nullable=False, unique=True), Column("name", Text, nullable=False))

dict_info = _table(
    "dict_info",
    Column("dict_type_id", _ID, ForeignKey("dict_type.id", ondelete="CASCADE"), nullable=False),
    Column("key", String(100), nullable=False),
    Column("value", Text, nullable=False),
    UniqueConstraint("dict_type_id", "key"),
)
