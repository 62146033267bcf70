"""The first tables: the session tree with its guard, runs and queue, agents, channels and the dictionary."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)

_GUARD = (
    """
    CREATE TRIGGER entry_is_never_updated BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are only ever appended, UPDATE is refused'); END
    """,
    # INSERT OR REPLACE meets this one only with recursive_triggers = ON
    """
    CREATE TRIGGER entry_is_never_deleted BEFORE DELETE ON entry
    WHEN NOT EXISTS (SELECT 1 FROM session WHERE id = OLD.session_id AND deleting_at IS NOT NULL)
    BEGIN SELECT RAISE(ABORT, 'entries are only ever appended, DELETE is refused while the session exists'); END
    """,
)


def upgrade() -> None:
    """Create everything in an empty database."""
    _create_configuration()
    _create_tree()
    _create_work()
    for trigger in _GUARD:
        op.execute(trigger)
    op.execute("INSERT INTO dict_type (key, name) VALUES ('netaclaw', 'NetaClaw配置')")


def _create_configuration() -> None:
    op.create_table(
        "channel",
        sa.Column("id", _ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("vendor", sa.String(length=40), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("base_url", sa.Text()),
        sa.Column("api_key_encrypted", sa.LargeBinary()),
        sa.Column("window_tokens", sa.Integer()),
        sa.Column("max_output_tokens", sa.Integer()),
        sa.Column("is_auxiliary", sa.Boolean(), nullable=False),
        sa.Column("is_enabled", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "channel_calibration",
        sa.Column("channel_id", _ID, autoincrement=False, nullable=False),
        sa.Column("factor", sa.Float(), nullable=False),
        sa.Column("samples", sa.Integer(), nullable=False),
        sa.Column("learned_limit", sa.Integer()),
        sa.ForeignKeyConstraint(["channel_id"], ["channel.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("channel_id"),
    )
    op.create_table(
        "agent",
        sa.Column("id", _ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("channel_id", _ID),
        sa.Column("thinking_level", sa.String(length=20), nullable=False),
        sa.Column("tools", sa.Text(), nullable=False),
        sa.Column("auxiliary_model_channel_id", _ID),
        sa.Column("auxiliary_mode", sa.String(length=20), nullable=False),
        sa.Column("compaction_strategy", sa.String(length=20), nullable=False),
        sa.Column("compaction_threshold_percent", sa.Integer()),
        sa.Column("compaction_protect_first_n", sa.Integer()),
        sa.Column("is_auto_compaction", sa.Boolean(), nullable=False),
        sa.Column("use_main_model_when_auxiliary_fails", sa.Boolean(), nullable=False),
        sa.Column("workspace", sa.Text()),
        sa.Column("max_steps", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "dict_type",
        sa.Column("id", _ID, nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key", name="uq_dict_type_key"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "dict_info",
        sa.Column("id", _ID, nullable=False),
        sa.Column("dict_type_id", _ID, nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["dict_type_id"], ["dict_type.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("dict_type_id", "key", name="uq_dict_info_dict_type_id_key"),
        sqlite_autoincrement=True,
    )


def _create_tree() -> None:
    op.create_table(
        "session",
        sa.Column("id", _ID, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("agent_id", _ID),
        sa.Column("owner", sa.String(length=200)),
        sa.Column("active_leaf_id", _ID),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.Column("deleting_at", _MOMENT),
        sa.ForeignKeyConstraint(["agent_id"], ["agent.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_session_updated_at", "session", ["updated_at"], unique=False)
    op.create_table(
        "entry",
        sa.Column("id", _ID, nullable=False),
        sa.Column("session_id", _ID, nullable=False),
        sa.Column("parent_id", _ID),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("context_depth", sa.Integer(), nullable=False),
        sa.Column("context_compaction_id", _ID),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["parent_id"],
            ["entry.id"],
        ),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["session.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("session_id", "seq", name="uq_entry_session_id_seq"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_entry_parent_id", "entry", ["parent_id"], unique=False)


def _create_work() -> None:
    op.create_table(
        "run",
        sa.Column("id", _ID, nullable=False),
        sa.Column("session_id", _ID, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("started_at", _MOMENT, nullable=False),
        sa.Column("ended_at", _MOMENT),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_run_session_id", "run", ["session_id"], unique=False)
    op.create_index("ix_run_state", "run", ["state"], unique=False)
    op.create_table(
        "queue",
        sa.Column("id", _ID, nullable=False),
        sa.Column("session_id", _ID, nullable=False),
        sa.Column("request_id", sa.String(length=200), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("session_id", "request_id", name="uq_queue_session_id_request_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_queue_state", "queue", ["state"], unique=False)
    op.create_table(
        "compaction_state",
        sa.Column("session_id", _ID, autoincrement=False, nullable=False),
        sa.Column("strikes", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("cooldown_until", _MOMENT),
        sa.Column("blocked_reason", sa.Text()),
        sa.Column("is_awaiting_usage", sa.Boolean(), nullable=False),
        sa.Column("is_auto_compaction", sa.Boolean()),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session_id"),
    )
