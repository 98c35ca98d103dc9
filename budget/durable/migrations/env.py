"""Alembic's entry: bring the given connection up to date, in one transaction."""

from alembic import context
from sqlalchemy import text

connection = context.config.attributes["connection"]
context.configure(connection=connection, transaction_per_migration=False)
with context.begin_transaction():
    if connection.dialect.name == "postgresql":  # two servers that start at once wait here
        connection.execute(text("SELECT pg_advisory_xact_lock(20261122)"))
    context.run_migrations()
