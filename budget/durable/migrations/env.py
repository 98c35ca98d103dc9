"""Alembic's entry: bring the tables of one history up to date, in the transaction of the given connection."""

from alembic import context

given = context.config.attributes
context.configure(connection=given["connection"], version_table=given["table"])
context.run_migrations()
