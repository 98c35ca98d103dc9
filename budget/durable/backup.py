"""Backup: all budgets, lines and answers as one text file, and the way back that tells its price.

An old backup is a sound chain that has forgotten what was spent since. So a restore goes into an
empty database only, and for every budget wants a head that was kept outside (on a card, in a
verification): a line that the backup lacks is money that would come back, and is refused.

Whoever keeps more beside the ledgers hands its tables over: they are written after the ledgers' own
and come back after them, in the same transaction.
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
    """Let a row begin as it is: right wherever no guard refuses that."""
    return row


def backup(store: Store, path: Path, more: Sequence[Table] = ()) -> dict[str, Verdict]:
    """Write everything of one moment to a new private file; return each budget's verdict."""
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
    """Fill an empty database from a backup, whole or not at all.

    `heads` names every budget with the newest line and hash that is known of it; None says, for
    this budget, that none is known and that what was spent since may be forgotten. `begun` says how
    a row of a table began, where a guard lets none begin as it ended: it is moved on from there.
    `called` gives what people call each budget.
    """
    rows = read(path)
    whole = (*TABLES, *more)
    names = {str(row.get("id")) for row in of(rows, "budgets")}
    _check_heads(rows, names, heads, called or {})
    other = {row["table"] for row in rows} - {table.name for table in whole}
    if other:
        raise ParameterError(
            "This backup holds more than budgets: {names}. Restore it with the program that wrote it.",
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
    """Refuse a backup of which a head is not named, or that lacks what is known to exist."""
    if set(heads) != names:
        raise ParameterError(
            "Say for each budget which head is known of it, or that none is: {names}.", names=", ".join(sorted(names))
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
        raise ParameterError("This file is no backup, or it is damaged.") from None


def of(rows: Sequence[Row], table: str) -> list[Row]:
    """Return the rows of one table."""
    return [row for row in rows if row["table"] == table]


def check(name: str, rows: Sequence[Row], anchors: Mapping[int, str]) -> None:
    """Refuse a chain that lacks a line which is known to exist."""
    lines = {row.get("seq"): row.get("hash") for row in rows}
    for seq, head in anchors.items():
        if lines.get(seq) != head:
            raise ParameterError(
                "The backup of {name} has no line {line} with this hash: what was spent since "
                "would come back. Find a newer backup.",
                name=name,
                line=seq,
            )


def heads_of(words: Sequence[str], names: Mapping[str, str]) -> dict[str, dict[int, str]]:
    """Read NAME=LINE:HASH or NAME=unknown, for every budget of a backup.

    `names` gives what each budget is called. One that is known outside, but not to the backup, has
    been opened since, and is refused.
    """
    budgets = {name: budget for budget, name in names.items()}
    heads: dict[str, dict[int, str]] = {}
    for word in words:
        name, _, head = word.rpartition("=")
        if name not in budgets:
            raise ParameterError(
                "The backup has no budget {name}: all that was spent of it would come back. Find a newer backup.",
                name=name or word,
            )
        heads.setdefault(budgets[name], {}).update({} if head == "unknown" else head_of(head))
    lacking = [name for name, budget in sorted(budgets.items()) if budget not in heads]
    if lacking:
        raise ParameterError(
            "Say for each budget which head is known of it, or that none is: {names}.", names=", ".join(lacking)
        )
    return heads


def word_of(name: str, verdict: Verdict) -> str:
    """Return what `heads_of` reads: a name with its newest head, if there is one."""
    whole = verdict.lines > 0 and verdict.head != ""
    return f"{name}={verdict.lines - 1}:{verdict.head}" if whole else f"{name}=unknown"


def fates(store: Store) -> dict[tuple[str, str], dict[str, Row]]:
    """Return the lines of each budget and request by kind: what became of it."""
    ends: dict[tuple[str, str], dict[str, Row]] = {}
    with store.reading() as connection:
        for line in connection.execute(select(tables.lines)).mappings():
            ends.setdefault((line["budget"], line["request"]), {})[line["kind"]] = dict(line)
    return ends


def head_of(*texts: str) -> dict[int, str]:
    """Read LINE:HASH, as often as it is said."""
    heads = {}
    for text in texts:
        line, _, digest = text.partition(":")
        if not (line.isascii() and line.isdigit()) or not digest:
            raise ParameterError("A head is LINE:HASH, as verification prints it.")
        heads[int(line)] = digest
    return heads


def _fill(connection: Connection, whole: Sequence[Table], rows: list[Row], begun: Begun) -> None:
    """Write all rows into tables that must be empty, in the order in which they came about."""
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
