"""Backup: all budgets, lines and answers as one text file, and the restore, which reports what may be lost.

An old backup is a sound chain that lacks what was spent since. So a restore needs an empty database and, for every
budget, a head that was kept outside (on a card, in a verification): a line that the backup lacks is budget that would
be refunded, and is refused.

A caller that keeps further tables beside the ledgers passes them: they are written after the ledgers' own and restored
after them, in one transaction.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, insert, select, update

from discreet.budget.durable import store as tables
from discreet.budget.durable.store import Store, private
from discreet.budget.durable.verify import Verdict, examine
from discreet.budget.errors import ParameterError

TABLES = (tables.budgets, tables.lines, tables.answers, tables.seals)
Row = dict[str, Any]
Begun = Callable[[str, Row], Row]


def as_it_ended(table: str, row: Row) -> Row:
    """Identity: restore the row unchanged; right for every table whose guards allow its final state."""
    return row


def backup(store: Store, path: Path, more: Sequence[Table] = ()) -> dict[str, Verdict]:
    """Write everything, as of one moment, to a new private file; return each budget's verdict."""
    rows: list[Row] = []
    with store.reading() as connection:
        for table in (*TABLES, *more):
            query = select(table).order_by(*table.primary_key.columns)
            rows += [{"table": table.name} | dict(row) for row in connection.execute(query).mappings()]
        names = [str(row["id"]) for row in of(rows, "budgets")]
        verdicts = {name: examine(connection, name, seal=store.seal) for name in names}
    with private(path) as sink:
        sink.writelines(json.dumps(row).encode() + b"\n" for row in rows)
        sink.flush()
        os.fsync(sink.fileno())
    return verdicts


def restore(
    store: Store,
    path: Path,
    heads: Mapping[str, Mapping[int, str] | None],
    more: Sequence[Table] = (),
    begun: Begun = as_it_ended,
    called: Mapping[str, str] | None = None,
) -> None:
    """Fill an empty database from a backup, as a whole or not at all.

    `heads` names every budget with the newest line and hash that is known of it; None states, for this budget, that
    none is known and that what was spent since may be lost. `begun` returns the initial state of a row whose table has
    a guard that accepts no final state in a new row; the row is then updated from there. `called` maps each budget to
    its display name.
    """
    rows = read(path)
    whole = (*TABLES, *more)
    names = {str(row.get("id")) for row in of(rows, "budgets")}
    _check_heads(rows, names, heads, called or {})
    other = {row["table"] for row in rows} - {table.name for table in whole}
    if other:
        raise ParameterError(
            "This backup contains more than budgets: {names}. Restore it with the program that wrote it.",
            names=", ".join(sorted(other)),
        )
    with store.writing("") as connection:
        _fill(connection, whole, rows, begun)
        for name in sorted(names):
            why = examine(connection, name).wrong
            if why is not None:
                raise ParameterError("The backup of {name} is damaged: {why}", name=name, why=why)


def _check_heads(
    rows: Sequence[Row], names: set[str], heads: Mapping[str, Mapping[int, str] | None], called: Mapping[str, str]
) -> None:
    """Raise ParameterError if a budget has no head, or if the backup lacks a line that is known to exist."""
    if set(heads) != names:
        raise ParameterError(
            "Give the latest known hash of each budget, or state that none is known: {names}.",
            names=", ".join(sorted(names)),
        )
    for name, anchors in heads.items():
        lines = [row for row in of(rows, "lines") if row.get("budget") == name]
        check(called.get(name, name), lines, anchors or {})


def read(path: Path) -> list[Row]:
    """Return the rows of a backup."""
    try:
        rows = [json.loads(line) for line in path.read_bytes().splitlines()]
        return [row | {"table": str(row["table"])} for row in rows]
    except (ValueError, TypeError, KeyError):
        raise ParameterError("This file is not a backup, or it is damaged.") from None


def of(rows: Sequence[Row], table: str) -> list[Row]:
    """Return the rows of one table."""
    return [row for row in rows if row["table"] == table]


def check(name: str, rows: Sequence[Row], anchors: Mapping[int, str]) -> None:
    """Raise ParameterError if a chain lacks a line that is known to exist."""
    lines = {row.get("seq"): row.get("hash") for row in rows}
    for seq, head in anchors.items():
        if lines.get(seq) != head:
            raise ParameterError(
                "The backup of {name} has no entry {line} with this hash, so later spending would be "
                "lost. Use a newer backup.",
                name=name,
                line=seq,
            )


def heads_of(words: Sequence[str], names: Mapping[str, str]) -> dict[str, dict[int, str]]:
    """Parse NAME=LINE:HASH or NAME=unknown, for every budget of a backup.

    `names` maps each budget to its display name. A budget that is known outside but not to the backup was opened since,
    and raises ParameterError.
    """
    budgets = {name: budget for budget, name in names.items()}
    heads: dict[str, dict[int, str]] = {}
    for word in words:
        name, _, head = word.rpartition("=")
        if name not in budgets:
            raise ParameterError(
                "The backup has no budget {name}, so all its recorded spending would be lost. Use a newer backup.",
                name=name or word,
            )
        heads.setdefault(budgets[name], {}).update({} if head == "unknown" else head_of(head))
    lacking = [name for name, budget in sorted(budgets.items()) if budget not in heads]
    if lacking:
        raise ParameterError(
            "Give the latest known hash of each budget, or state that none is known: {names}.", names=", ".join(lacking)
        )
    return heads


def word_of(name: str, verdict: Verdict) -> str:
    """Return the text that `heads_of` parses: a name with its newest head, or "unknown"."""
    whole = verdict.lines > 0 and verdict.head != ""
    return f"{name}={verdict.lines - 1}:{verdict.head}" if whole else f"{name}=unknown"


def fates(store: Store) -> dict[tuple[str, str], dict[str, Row]]:
    """Return the lines of each budget and request by kind."""
    ends: dict[tuple[str, str], dict[str, Row]] = {}
    with store.reading() as connection:
        for line in connection.execute(select(tables.lines)).mappings():
            ends.setdefault((line["budget"], line["request"]), {})[line["kind"]] = dict(line)
    return ends


def head_of(*texts: str) -> dict[int, str]:
    """Parse LINE:HASH, for any number of texts."""
    heads = {}
    for text in texts:
        line, _, digest = text.partition(":")
        if not (line.isascii() and line.isdigit()) or not digest:
            raise ParameterError("Write a hash as LINE:HASH, as verification prints it.")
        heads[int(line)] = digest
    return heads


def _fill(connection: Connection, whole: Sequence[Table], rows: list[Row], begun: Begun) -> None:
    """Write all rows, in their original order, into tables that must be empty."""
    for table in whole:
        if connection.execute(select(table).limit(1)).first() is not None:
            raise ParameterError("This database is not empty. Restore into an empty one.")
    for table in whole:
        for row in of(rows, table.name):  # one by one: the guards look at the row before
            ended = {name: value for name, value in row.items() if name != "table"}
            began = begun(table.name, ended)
            connection.execute(insert(table).values(**began))
            if began != ended:
                keys = [column == ended[column.name] for column in table.primary_key.columns]
                connection.execute(update(table).where(*keys).values(**ended))
