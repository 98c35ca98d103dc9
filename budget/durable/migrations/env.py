"""Alembic's entry point: migrate the given connection in one transaction."""

from alembic import context

given = context.config.attributes
context.configure(connection=given["connection"], version_table=given["table"])
context.run_migrations()
