"""Proposals wait for a second officer and are not kept for good: for each new kind the table is made anew."""

from __future__ import annotations

from collections.abc import Sequence

from alembic import op


def remade(kinds: Sequence[str], *later: str) -> None:
    """Make the table anew, for these kinds, with the columns that came later."""
    names = ", ".join(f"'{kind}'" for kind in kinds)
    columns = "".join(f"      {column},\n" for column in later)
    op.execute(f"""
    CREATE TABLE proposed (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ({names})),
      about TEXT NOT NULL,
      body TEXT NOT NULL,
      by TEXT NOT NULL REFERENCES people (id),
      until DOUBLE PRECISION NOT NULL,
{columns}      UNIQUE (kind, about)
    )""")
    kept = ", ".join(["id, kind, about, body, by, until", *(column.split()[0] for column in later)])
    op.execute(f"INSERT INTO proposed SELECT {kept} FROM proposals")
    op.execute("DROP TABLE proposals")
    op.execute("ALTER TABLE proposed RENAME TO proposals")
