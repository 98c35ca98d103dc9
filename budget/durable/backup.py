"""Backup: all budgets, lines and answers as one text file, and the way back that tells its price.

An old backup is a sound chain that has forgotten what was spent since. So a restore goes into an
empty database only, and for every budget wants a head that was kept outside (on a card, in a
verification): a line that the backup lacks is money that would come back, and is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select

from budget.durable import tables
from budget.durable.store import PRIVATE, Store
from budget.durable.verify import Verdict, examine
from budget.errors import ParameterError

TABLES = (tables.budgets, tables.lines, tables.answers)
ORDER = {"budgets": ("id",), "lines": ("budget", "seq"), "answers": ("budget", "request")}


def backup(store: Store, path: Path) -> dict[str, Verdict]:
    """Write everything of one moment to a new private file; return each budget's verdict."""
    found: list[dict[str, Any]] = []
    with store.reading() as connection:
        for table in TABLES:
            told = select(table).order_by(*(table.c[name] for name in ORDER[table.name]))
            found += [
                {"table": table.name} | dict(row) for row in connection.execute(told).mappings()
            ]
        names = [str(row["id"]) for row in found if row["table"] == "budgets"]
        verdicts = {name: examine(connection, name) for name in names}
    with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE), "w") as sink:
        sink.writelines(json.dumps(row) + "\n" for row in found)
    return verdicts


def restore(store: Store, path: Path, heads: Mapping[str, Mapping[int, str] | None]) -> None:
    """Fill an empty database from a backup, whole or not at all.

    `heads` names every budget with the newest line and hash that is known of it; None says, for
    this budget, that none is known and that what was spent since may be forgotten.
    """
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    names = {row["id"] for row in rows if row["table"] == "budgets"}
    if set(heads) != names:
        raise ParameterError(
            "Say for each budget which head is known of it, or that none is: {names}.",
            names=", ".join(sorted(names)),
        )
    for name, known in heads.items():
        _check(name, rows, known or {})
    with store.writing("") as connection:
        if connection.execute(select(tables.budgets.c.id).limit(1)).first() is not None:
            raise ParameterError("This database holds budgets. Restore into an empty one.")
        for table in TABLES:
            mine = [_bare(row) for row in rows if row["table"] == table.name]
            for row in mine:  # one by one: the guards look at the line before
                connection.execute(insert(table).values(**row))
        for name in sorted(names):
            why = examine(connection, name).wrong
            if why is not None:
                raise ParameterError("The backup of {name} is damaged: {why}", name=name, why=why)


def _check(name: str, rows: list[dict[str, Any]], known: Mapping[int, str]) -> None:
    """Refuse a backup that lacks a line which is known to exist."""
    lines = {
        row["seq"]: row["hash"] for row in rows if row["table"] == "lines" and row["budget"] == name
    }
    for seq, head in known.items():
        if lines.get(seq) != head:
            raise ParameterError(
                "The backup of {name} has no line {line} with this hash: what was spent since "
                "would come back. Find a newer backup.",
                name=name,
                line=seq,
            )


def _bare(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "table"}
