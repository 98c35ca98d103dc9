"""Alembic's entry: bring the given connection up to date, in one transaction."""

from alembic import context
from sqlalchemy import text

connection = context.config.attributes["connection"]
# SQLite's tables are made in a transaction as well, which Alembic would not believe
context.configure(connection=connection, transaction_per_migration=False, transactional_ddl=True)
with context.begin_transaction():
    if connection.dialect.name == "postgresql":  # two servers that start at once wait here
        connection.execute(text("SELECT pg_advisory_xact_lock(20261122)"))
    context.run_migrations()
