"""Alembic's entry point: migrate the given connection in one transaction."""

from alembic import context
from sqlalchemy import text

connection = context.config.attributes["connection"]
# SQLite's tables are created in a transaction as well, which Alembic does not expect
context.configure(connection=connection, transaction_per_migration=False, transactional_ddl=True)
with context.begin_transaction():
    if connection.dialect.name == "postgresql":  # two servers that start together wait here
        connection.execute(text("SELECT pg_advisory_xact_lock(20261122)"))
    context.run_migrations()
