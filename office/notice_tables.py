"""Notice tables: who stands in for whom for a time, who wants which mail, and in which language."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Integer, Table, Text

from discreet.office.relations import metadata

substitutes = Table(
    "substitutes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("officer", Text, nullable=False),
    Column("substitute", Text, nullable=False),
    Column("since", Float, nullable=False),
    Column("until", Float, nullable=False),
    Column("mark", Text, nullable=False),
)

mailboxes = Table(
    "mailboxes",
    metadata,
    Column("person", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("mark", Text, nullable=False),
    Column("wants", Text, nullable=False),
    Column("daily", Boolean, nullable=False),
    Column("code", Text, nullable=False),
    Column("code_until", Float, nullable=False),
    Column("guesses", Integer, nullable=False),
    Column("codes", Integer, nullable=False),
    Column("day", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("after", Float, nullable=False),
)

tongues = Table("tongues", metadata, Column("person", Text, primary_key=True), Column("language", Text, nullable=False))
