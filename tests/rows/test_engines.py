"""Engines: wherever rows lie, hard cells stand on the same ticks, and the same counts give the same answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.hard_cells import Hard, vectors
from support.postgres import Postgres
from support.soak import some, times

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.laplace import Geometric
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries.mean import Mean
from discreet.rows import ArrowSource, FolderSource, LocalSource, OpenData, Schema
from discreet.rows.counting import Task
from discreet.rows.engines import database
from discreet.rows.engines.connection import DatabaseSource, TableSource
from discreet.rows.source import Batched, Source

HARD = vectors()
TYPES = {
    pa.float64(): "double precision",
    pa.float32(): "real",
    pa.int64(): "bigint",
    pa.string(): "text",
    pa.bool_(): "boolean",
    pa.decimal128(30, 10): "numeric",
}


def counted(source: Source, hard: Hard, step: int = 1) -> list[Any]:
    """Return the counts of a column under all filters that go with it, or each so-manieth of them from none on.

    The last counts are of its usual bands or merged levels, where it has some, and of how its cells are read.
    """
    schema, counts = hard.schema, []
    for where in some(hard.wheres, step):
        columns, by = (("x",), ()) if "x" in schema.numbers else ((), ("x",))
        result = source.counts(Task.of(schema, columns, by, where))
        counts.append((result.places.tolist(), result.rows.tolist()))
    for task in hard.in_bands:
        result = source.counts(task)
        counts.append((result.places.tolist(), result.rows.tolist()))
    read = source.counts(Task.of(schema, (), ("x",), (), how_read=True))
    return [*counts, (read.places.tolist(), read.rows.tolist())]


@cache
def in_memory(name: str) -> list[Any]:
    """Return the counts of a column in memory, with which all ways are compared."""
    return counted(LocalSource(HARD[name].table), HARD[name])


def in_file(hard: Hard, folder: Path) -> Source:
    """Write one file."""
    pq.write_table(hard.table, folder / "x.parquet")
    return LocalSource(folder / "x.parquet")


def in_folder(hard: Hard, folder: Path) -> Source:
    """Write three files."""
    size = hard.table.num_rows
    for at in range(3):
        pq.write_table(
            hard.table.slice(at * size // 3, (at + 1) * size // 3 - at * size // 3), folder / f"{at}.parquet"
        )
    return FolderSource(folder)


def in_stream(hard: Hard, folder: Path) -> Source:
    """Hand rows over a few at a time, and in `make soak` one by one."""
    batches = hard.table.to_batches(max_chunksize=times(13, 1))
    return ArrowSource(pa.RecordBatchReader.from_batches(hard.table.schema, batches))


HERE = [in_file, in_folder, in_stream]


@pytest.mark.soak
@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("way", HERE)
def test_hard_cells_are_the_same_in_files_and_streams(
    name: str, way: Callable[[Hard, Path], Source], tmp_path: Path
) -> None:
    """One by one, in parts, in a file: as in memory; in `make test` under every third filter, from none on.

    A way hands batches over and sees no filter: how rows pass them is held in memory.
    """
    last = 1 + len(HARD[name].in_bands)
    here = in_memory(name)
    assert counted(way(HARD[name], tmp_path), HARD[name], 3) == [*some(here[:-last], 3), *here[-last:]]


@pytest.fixture(scope="module")
def tables(postgres: Postgres) -> Iterator[dict[str, TableSource]]:
    """Fill a database with all columns."""
    url = postgres.database()
    with psycopg.connect(url.replace("+psycopg", "")) as db:
        for at, hard in enumerate(HARD.values()):
            db.execute(f"CREATE TABLE t{at} (x {TYPES[hard.cells.type]})".encode())
            cells = [(cell,) for cell in hard.cells.to_pylist()]
            db.cursor().executemany(f"INSERT INTO t{at} VALUES (%s)".encode(), cells)
    yield {name: TableSource(DatabaseSource(url, f"t{at}")) for at, name in enumerate(HARD)}


def written(name: str) -> Hard:
    """Return a column as PostgreSQL has it: a short float is the number that it is written as."""
    hard = HARD[name]
    if hard.cells.type != pa.float32():
        return hard
    cells = [None if cell is None else float(str(cell)) for cell in hard.cells.to_numpy(zero_copy_only=False)]
    nothing = [not there.is_valid for there in hard.cells]
    return Hard(pa.array([None if none else cell for cell, none in zip(cells, nothing, strict=True)]), hard.declared)


@pytest.mark.soak
@pytest.mark.parametrize("name", HARD)
def test_hard_cells_are_the_same_in_a_database(
    name: str, tables: dict[str, TableSource], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Brought together there, copied out, and row by row: three ways, the same counts, and none of them fails.

    In `make test` under a few filters each: none of them reaches the database, which brings ticks or hands over cells.
    """
    source, hard, local = tables[name], HARD[name], LocalSource(written(name).table)
    here = counted(local, hard, 11)
    assert counted(source, hard, 11) == here
    monkeypatch.setattr(TableSource, "counts", Batched.counts)
    assert counted(source, hard, 11) == here
    monkeypatch.setattr(database, "possible", lambda db: False)
    assert counted(source, hard, 11) == here


def answers(data: OpenData) -> list[Any]:
    """Return answers with the same secret bits."""
    road = Curator(data, SessionLedger(Cost.of(50, "1e-3")), SimulationNoise(8), tick=0)
    asked = [
        (SmoothCoreTail(Mean(), 1.0), "pay"),
        (Geometric(epsilon=1.0), "pay"),
        (PermuteAndFlip(epsilon=1.0), "town"),
    ]
    return [road.ask(Request(mechanism, (column,))).answer for mechanism, column in asked]


def test_the_same_counts_give_the_same_answer(postgres: Postgres, tmp_path: Path) -> None:
    """The same double, from every engine, with the same secret bits."""
    pay, town = HARD["float64 coarse"], HARD["text levels"]
    size = min(pay.table.num_rows, town.table.num_rows)
    table = pa.table({"pay": pay.cells.slice(0, size), "town": town.cells.slice(0, size)})
    schema = Schema({"pay": pay.declared, "town": town.declared})
    url = postgres.database()
    with psycopg.connect(url.replace("+psycopg", "")) as db:
        db.execute("CREATE TABLE people (pay double precision, town text)")
        db.cursor().executemany(
            "INSERT INTO people VALUES (%s, %s)", [tuple(row.values()) for row in table.to_pylist()]
        )
    pq.write_table(table, tmp_path / "part.parquet")
    sources = [FolderSource(tmp_path), ArrowSource(table), TableSource(DatabaseSource(url, "people"))]
    here = answers(OpenData(LocalSource(table), schema))
    assert None not in here and [answers(OpenData(source, schema)) for source in sources] == [here] * 3
