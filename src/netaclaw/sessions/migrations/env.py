"""Runs the migrations on the connection, and in the transaction, that `sessions.database.migrate` opened."""

from alembic import context

from netaclaw.sessions.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite can change a table only by copying it
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
