"""Connections: a table answers like the file of its rows; nothing else of a database is touched."""

from __future__ import annotations

import ctypes
import gc
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import psycopg
import pyarrow as pa
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st
from support.bases import PASSWORD, Base
from support.moods import NAMES, ODD, drawn, moods
from support.postgres import Postgres
from support.soak import some, times

from discreet.budget import Cost, ParameterError, SessionLedger
from discreet.curator import Curator, Request
from discreet.lab import explain
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.laplace import Geometric
from discreet.mechanisms.sample_aggregate import BlocksMedian
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries.mean import Mean
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, OpenData, Person, Schema
from discreet.rows.engines import connection, database
from discreet.rows.engines.connection import DatabaseSource, Live, TableSource
from discreet.rows.persons import DrawnLots

AGE = Number(0, 100, integer=True)
TYPES = {
    "age": sa.Integer,
    "pay": sa.Float(53),
    "exact": sa.Numeric,
    "town": sa.Text,
    "who": sa.String(20),
    "member": sa.Boolean,
}
DECLARED = {
    "age": AGE,
    "pay": Number(0, 5000),
    "exact": Number(0, 10),
    "member": Number(0, 1),
    "town": Category(("north", "south"), other=True),
}
PEOPLE = {**DECLARED, "who": Person(rows=1)}
MEANS = {**DECLARED, "who": Person(reduce="mean")}


def victims(base: Base) -> list[int]:
    """Return what must not change."""
    with base.engine.connect() as db:
        return list(db.execute(sa.text("SELECT a FROM victims")).scalars())


def local(rows: list[dict[str, Any]]) -> LocalSource:
    """Return the same rows in memory."""
    kinds = {
        "age": pa.int64(),
        "pay": pa.float64(),
        "exact": pa.float64(),
        "town": pa.string(),
        "who": pa.string(),
        "member": pa.bool_(),
    }
    return LocalSource(pa.table({n: pa.array([r[n] for r in rows], k) for n, k in kinds.items()}))


def steady(data: Dataset) -> list[Any]:
    """Return what no secret word of a row chooses, but of a person at most."""
    where = (Filter("pay", ">", 100.0), Filter("town", "!=", "north"))
    noise, readings = SimulationNoise(3), []
    for name in ("age", "pay", "exact", "member"):
        for filters in ((), where):
            column = data.column(name, filters, DrawnLots(noise))
            readings += [column.levels.tolist(), column.counts.tolist(), column.sums.tolist()]
    for names, filters in product((("age", "pay"), ("exact", "member")), ((), where)):
        pairs = data.pairs(names, filters, DrawnLots(noise))
        readings += [pairs.left.tolist(), pairs.right.tolist(), pairs.counts.tolist()]
    for names, estimator in ((["pay"], "mean"), (["age", "pay"], "slope")):
        blocks = BlocksMedian(estimator=estimator, k=9, lower=-50.0, upper=5000.0)
        readings.append(data.blocks(blocks, names, (), DrawnLots(noise)).estimates.tolist())
    return readings


class OpenLive(Live, OpenData):
    """A table that everybody may see."""


def transcript(data: Dataset) -> list[Any]:
    """Return everything that mechanisms are made of, and answers."""
    noise, readings = SimulationNoise(5), steady(data)
    readings.append(data.scores("town", (Filter("pay", ">", 100.0),), DrawnLots(noise)).counts.tolist())
    for column in data.grouped("age", ("town",), (), DrawnLots(noise)).values():
        readings += [column.levels.tolist(), column.counts.tolist()]
    # only rows that cannot change draw a secret number for finer answers, and each draws what comes after
    road = Curator(data, SessionLedger(Cost.of(50, "1e-3")), SimulationNoise(8), refines=False)
    for mechanism, column in (
        (SmoothCoreTail(Mean(), 1.0), "pay"),
        (Geometric(epsilon=1.0), "age"),
        (PermuteAndFlip(epsilon=1.0), "town"),
        (BlocksMedian(k=5, lower=0.0, upper=90.0), "age"),
    ):
        readings.append(road.ask(Request(mechanism, (column,))).answer)
    return readings


SCHEMAS = {"rows": Schema(DECLARED), "people": Schema(PEOPLE), "means": Schema(MEANS)}


@cache
def in_memory(size: int, columns: str) -> list[Any]:
    """Return what so many rows in memory answer, with which each database is compared."""
    return transcript(OpenData(local(drawn(size)), SCHEMAS[columns]))


@pytest.mark.soak
@pytest.mark.parametrize("columns", SCHEMAS)
def test_a_table_answers_like_the_file_of_its_rows(base: Base, columns: str) -> None:
    """Bit for bit: counts, sums, scores, groups, blocks and answers, with the same noise."""
    size = times(700, 3000)
    source = TableSource(base.table(drawn(size), TYPES))
    assert list(source.names) == list(TYPES)
    assert transcript(OpenLive(source, SCHEMAS[columns])) == in_memory(size, columns)


@pytest.mark.soak
def test_the_order_of_rows_changes_no_bit(base: Base) -> None:
    """One number a person, blocks by person: rows may come as they like (N7)."""
    rows = drawn(times(700, 2000))
    order = np.argsort(SimulationNoise(4).words(len(rows)))
    source = TableSource(base.table([rows[at] for at in order], TYPES))
    there = steady(OpenLive(source, SCHEMAS["means"]))
    assert there == in_memory(len(rows), "means")[: len(there)]


@pytest.mark.soak
@pytest.mark.parametrize("piece", some([1, 100, 7], 2))
def test_pieces_change_nothing(base: Base, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few rows come at once, and however few make a batch; in `make test` one, and seven."""
    rows = drawn(times(40, 100) if piece == 1 else times(150, 500))
    monkeypatch.setattr(connection, "PIECE", piece)
    monkeypatch.setattr(connection, "BATCH", 3 * piece)
    monkeypatch.setattr(database, "possible", lambda db: False)
    sizes: list[int] = []
    source = TableSource(base.table(rows, TYPES))
    source.map(lambda batch: sizes.append(batch.num_rows) or 0, ["age"], 0)
    assert sum(sizes) == len(rows) and set(sizes[:-1]) == {3 * piece}
    assert transcript(OpenLive(source, SCHEMAS["means"])) == in_memory(len(rows), "means")


def test_a_table_without_rows_answers(base: Base) -> None:
    """As a file with a header only would."""
    data = OpenLive(TableSource(base.table([], TYPES)), Schema(DECLARED))
    assert transcript(data) == transcript(OpenData(local([]), Schema(DECLARED)))
    assert data.head(5).num_rows == 0 and data.head(5).column_names == list(DECLARED)


def test_the_first_rows_are_for_open_data(base: Base) -> None:
    """Limited, and refused for protected data."""
    source = TableSource(base.table(drawn(50), TYPES))
    assert OpenLive(source, Schema(DECLARED)).head(7).num_rows == 7
    live: Any = Live(source, Schema(DECLARED))
    assert not hasattr(live, "head")
    with pytest.raises(ParameterError, match="never shown"):
        explain.rows(live)


# cells

NAMELESS = {"real": 1, "double precision": 1, "numeric": 3, "bytea": 2}  # NaN, what no double holds, and bytes
FIVES = {"real", "double precision", "json", "jsonb", "mood", "grade", "grades", '"char"', "char(9)"}


@pytest.mark.soak
def test_no_cell_of_postgresql_is_an_error(server_base: Base) -> None:
    """Any type, any value, read as number, category and person: a row counts or it does not.

    In `make test` every sixth type: test_pushdown.py brings cells of all of them together or streams them.
    """
    moods(server_base)
    for at, (kind, cells) in enumerate(some(ODD.items(), 6)):
        values = ", ".join(f"({cell}, 1)" for cell in (*cells, "NULL"))
        server_base.run(f"CREATE TABLE t{at} (x {kind}, one int)", f"INSERT INTO t{at} VALUES {values}")
        source = TableSource(DatabaseSource(server_base.url, f"t{at}"))
        for declared in (Number(0, 10), AGE, Category(("5", "true"), other=True)):
            data = OpenLive(source, Schema({"x": declared, "one": AGE}))
            if isinstance(declared, Category):
                counts = data.scores("x", (), DrawnLots(SimulationNoise(0))).counts.tolist()
                assert sum(counts) == len(cells) + 1, kind
                assert (counts[0] == 1) == (kind in FIVES), (kind, counts)
                assert (counts[1] == 1) == (kind == "boolean"), (kind, counts)
            else:
                assert data.column("x", (), DrawnLots(SimulationNoise(0))).n <= len(cells), kind
        named = OpenLive(source, Schema({"x": Person(rows=9), "one": AGE}))
        named_rows = len(cells) - NAMELESS.get(kind, 0)
        assert named.column("one", (), DrawnLots(SimulationNoise(0))).n == named_rows, kind


def ticks(base: Base, name: str, declared: Number, column: str = "x") -> dict[int, int]:
    """Return how many rows stand on each tick."""
    data = OpenData(TableSource(DatabaseSource(base.url, name)), Schema({column: declared}))
    histogram = data.column(column, (), DrawnLots(SimulationNoise(0)))
    return dict(zip(histogram.levels.tolist(), histogram.counts.tolist(), strict=True))


def test_what_is_no_finite_number_is_missing(server_base: Base) -> None:
    """By the declared rule: endless ones, and what is none."""
    for at, kind in enumerate(("double precision", "numeric")):
        server_base.run(
            f"CREATE TABLE n{at} (x {kind})",
            f"INSERT INTO n{at} VALUES ('NaN'), ('Infinity'), ('-Infinity'), (NULL)",
            f"INSERT INTO n{at} VALUES (7.9), (1e300)",
        )
        assert ticks(server_base, f"n{at}", AGE) == {7: 1, 100: 1}
        assert ticks(server_base, f"n{at}", replace(AGE, missing=3)) == {3: 4, 7: 1, 100: 1}


MARKED = Number(0, 5000, step=0.001, decimal=",", thousands=".")


def test_a_typed_fraction_is_one_number_under_every_way_of_writing(server_base: Base, tmp_path: Path) -> None:
    """Between points for thousands, a typed 1.234 is no thousand, on a server and in a file; a text is what it says."""
    lite = Base(f"sqlite:///{tmp_path / 'money.db'}")
    values = "INSERT INTO money VALUES (1.234, '1.234'), (1234, '1234,5')"
    server_base.run("CREATE TABLE money (x numeric, t text)", values)
    lite.run("CREATE TABLE money (x REAL, t TEXT)", values)
    for base in (server_base, lite):
        assert ticks(base, "money", MARKED) == {1234: 1, 1_234_000: 1}
        assert ticks(base, "money", MARKED, "t") == {1_234_000: 1, 1_234_500: 1}


def test_large_whole_numbers_are_exact(server_base: Base) -> None:
    """Beyond what a double holds."""
    low, top = 2**53, 2**53 + 9
    server_base.run(
        "CREATE TABLE big (x bigint)",
        "INSERT INTO big SELECT g FROM generate_series(9007199254740992, 9007199254741001) g",
    )
    counts = ticks(server_base, "big", Number(low, top, integer=True))
    assert counts == {tick: 1 for tick in range(10)}


def test_the_usual_settings_of_a_server_change_nothing(server_base: Base) -> None:
    """Dates, times and numbers are written in one way, whoever asks."""
    server_base.run(
        "CREATE TABLE days (d date, t timestamptz, i interval, f double precision)",
        "INSERT INTO days VALUES ('2020-02-03', '2020-02-03 04:05:06+00', '1 day', 0.1)",
    )
    source = TableSource(DatabaseSource(server_base.url, "days"))
    before = source.head(["d", "t", "i", "f"], 5).to_pylist()
    assert before == [{"d": "2020-02-03", "t": "2020-02-03 04:05:06+00", "i": "1 day", "f": 0.1}]
    name = server_base.engine.url.database
    for setting in (
        "datestyle = 'SQL, DMY'",
        "timezone = 'Asia/Tokyo'",
        "extra_float_digits = -9",
        "intervalstyle = 'iso_8601'",
        "client_encoding = 'LATIN1'",
    ):
        server_base.run(f"ALTER DATABASE {name} SET {setting}")
    assert source.head(["d", "t", "i", "f"], 5).to_pylist() == before


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_in_another_encoding_is_refused(postgres: Postgres, encoding: str) -> None:
    """One cell could end the reading there."""
    name = f"old{encoding.lower()}"
    for database_, statement in (
        ("postgres", f"CREATE DATABASE {name} ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"),
        (name, r"CREATE TABLE t AS SELECT E'\xff' AS x"),
    ):
        uri = postgres.uri.replace("/postgres?", f"/{database_}?")
        with psycopg.connect(uri, autocommit=True) as opened:
            opened.execute(statement.encode())
    url = postgres.uri.replace("postgresql:", "postgresql+psycopg:")
    with pytest.raises(ParameterError, match="UTF-8"):
        _ = TableSource(DatabaseSource(url.replace("/postgres?", f"/{name}?"), "t")).names


LITE_CELLS: list[Any] = [
    5,
    "5",
    " 5",
    5.0,
    b"5",
    None,
    "x",
    2**63 - 1,
    -(2**63),
    1e300,
    float("inf"),
    5.5,
    "5e0",
    "",
    "a\x00b",
    "٥",
    "5" * 400,
    0.1,
    -0.0,
]


def test_sqlite_keeps_any_cell_in_any_column(tmp_path: Path) -> None:
    """Text in a number column, bytes, text that is no text: each is one row that counts or not."""
    base = Base(f"sqlite:///{tmp_path / 'odd.db'}")
    base.run("CREATE TABLE t (x INTEGER, d DATE, b BLOB)")
    with base.engine.begin() as db:
        db.connection.driver_connection.executemany(  # type: ignore[union-attr]
            "INSERT INTO t VALUES (?, ?, ?)", [(cell, cell, cell) for cell in LITE_CELLS]
        )
    base.run("INSERT INTO t VALUES (CAST(x'35ff' AS TEXT), CAST(x'ff' AS TEXT), CAST(x'eda080' AS TEXT))")
    for name in ("x", "d", "b"):
        assert ticks(base, "t", AGE, name)[5] == 6, name
        source = TableSource(DatabaseSource(base.url, "t"))
        data = OpenData(source, Schema({name: Category(("5",), other=True)}))
        counts = data.scores(name, (), DrawnLots(SimulationNoise(0))).counts.tolist()
        assert sum(counts) == len(LITE_CELLS) + 1 and counts[0] in (4, 5), counts


CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.binary(max_size=3),
    st.sampled_from(["\udcff", "5", "5.0", "inf", "1e999"]),
)


@pytest.mark.soak
@settings(max_examples=times(50, 300))
@given(st.lists(CELLS, max_size=8))
def test_each_cell_is_read_by_itself(cells: list[Any]) -> None:
    """What else is in a batch changes nothing: a row more or less is a row more or less (P1)."""
    whole = database.array(cells, database.ANY)
    alone = [database.array([cell], database.ANY)[0] for cell in cells]
    assert whole.to_pylist() == [cell.as_py() for cell in alone]
    for declared in (AGE, Number(-5, 5), Number(2**61, 2**61 + 9, integer=True)):
        positions, present = declared.ticks(whole)
        for at, cell in enumerate(alone):
            position, knows = declared.ticks(pa.array([cell.as_py()], pa.large_string()))
            assert present[at] == knows[0] and (not knows[0] or positions[at] == position[0])
    assert len(Category(("5",)).codes(whole)) == len(cells)


# names


def check_that_hostile_names_are_names(base: Base) -> None:
    """Fail if the name of a table, a column or a schema is anything else but a name."""
    rows = [{name: at + row for at, name in enumerate(NAMES)} for row in range(3)]
    schema = Schema({name: AGE for name in NAMES})
    for name in some(NAMES[:17], 1 if base.lite else 2):
        source = TableSource(base.table(rows, dict.fromkeys(NAMES, sa.Integer), name)).settled()
        assert list(source.names) == NAMES
        cells = source.head(NAMES, 5).to_pydict()
        for at, column in enumerate(NAMES):
            assert [int(cell) for cell in cells[column]] == [at, at + 1, at + 2], (name, column)
        data = OpenData(source, schema)
        histogram = data.column(name, (Filter("Upper", ">=", 0),), DrawnLots(SimulationNoise(0)))
        assert histogram.n == 3 and victims(base) == [7]


@pytest.mark.soak
def test_hostile_names_are_names(base: Base) -> None:
    """Quotes, semicolons, signs of placeholders, dots; in `make test` every second of them names a table on PostgreSQL.

    All of them name columns.
    """
    check_that_hostile_names_are_names(base)


@pytest.mark.soak
def test_hostile_schemas_are_names(server_base: Base) -> None:
    """Of PostgreSQL; in `make test` every second."""
    server_base.run("CREATE TABLE victims (a int)", "INSERT INTO victims VALUES (7)")
    for at, name in enumerate(some(NAMES[:17], 2)):
        with server_base.engine.begin() as db:
            db.execute(sa.schema.CreateSchema(name))
        where = server_base.table([{"age": at}], {"age": sa.Integer}, NAMES[0], name)
        source = TableSource(where).settled()
        assert source.connection == where and source.head(["age"], 1).to_pylist() == [{"age": at}]
    assert victims(server_base) == [7]


def naive(quote: str) -> Callable[..., Any]:
    """Return how a hurried person asks: with text in text."""

    def select(schema: str, name: str, columns: dict[str, Any], most: int | None) -> Any:
        names = ", ".join(f"{quote}{column}{quote}" for column in columns)
        limit = "" if most is None else f" LIMIT {most}"
        return sa.text(f"SELECT {names} FROM {quote}{name}{quote}{limit}")

    return select


@pytest.mark.parametrize("quote", ["", '"'])
def test_text_in_text_is_noticed(base: Base, quote: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where a statement is put together by hand, with quotes or without."""
    monkeypatch.setattr(database, "select", naive(quote))
    with pytest.raises((AssertionError, ParameterError)):
        check_that_hostile_names_are_names(base)


def test_a_column_that_has_gone_is_no_text(base: Base) -> None:
    """SQLite takes an unknown quoted name for a text; here it is a refusal."""
    source = TableSource(base.table([{"age": 5, "b": 1}], {"age": sa.Integer, "b": sa.Integer}))
    data = OpenLive(source, Schema({"age": AGE, "b": AGE}))
    base.run("ALTER TABLE people DROP COLUMN age")
    with pytest.raises(ParameterError, match="The table cannot be read"):
        data.column("age", (), DrawnLots(SimulationNoise(0)))
    with pytest.raises(ParameterError, match="no column 'age'"):
        Live(TableSource(source.connection), Schema({"age": AGE}))


UNLISTED = [
    "nobody",
    "People",
    "people ",
    "people;",
    "main.nobody",
    "public.nobody",
    ".people",
    "people.",
    "sqlite_master",
    "main.sqlite_master",
    "pg_class",
    "pg_catalog.pg_class",
    "x'",
    "(select 1)",
    "information_schema.tables",
    "people, victims",
    'main"."people',
    "victims --",
    "a\x00b",
]


def test_a_table_that_is_not_listed_is_refused(base: Base) -> None:
    """Only tables and views of the database's own list, written as there."""
    base.table([], TYPES)
    for name in UNLISTED:
        for work in (lambda s: s.names, lambda s: s.settled(), lambda s: s.head(["age"], 1)):
            with pytest.raises(ParameterError, match="No table or view has this name, or several"):
                work(TableSource(DatabaseSource(base.url, name)))


def test_a_name_with_two_meanings_is_refused(server_base: Base) -> None:
    """A table called public.people beside people in public."""
    server_base.table([], TYPES)
    assert TableSource(DatabaseSource(server_base.url, "public.people")).names
    server_base.table([], TYPES, "public.people")
    with pytest.raises(ParameterError, match="No table or view has this name, or several"):
        _ = TableSource(DatabaseSource(server_base.url, "public.people")).names
    assert TableSource(DatabaseSource(server_base.url, "public.public.people")).names


def test_views_are_tables(base: Base) -> None:
    """And stored views, where there are any."""
    base.table(drawn(40), TYPES)
    base.run("CREATE VIEW seen AS SELECT age FROM people WHERE age > 50")
    if not base.lite:
        base.run("CREATE MATERIALIZED VIEW kept AS SELECT age FROM seen")
    expected = {tick: n for tick, n in ticks(base, "people", AGE, "age").items() if tick > 50}
    for name in ("seen",) if base.lite else ("seen", "kept"):
        assert ticks(base, name, AGE, "age") == expected


# addresses


@pytest.mark.parametrize(
    "url",
    [
        "",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///rows.db",
        "sqlite:////tmp/x.db?mode=memory",
        "sqlite:///file:/tmp/x.db?uri=true",
        "sqlite+pysqlite:////tmp/x.db",
        "sqlite://host/tmp/x.db",
        "sqlite:////tmp/\x00.db",
        "mysql://u:p@h/d",
        "postgres://u:p@h/d",
        "postgresql://u:p@h/d?options=-cdefault_transaction_read_only%3Doff",
        "oracle://u:p@h/d",
        "postgresql+psycopg2://u:p@h/d",
        "postgresql+asyncpg://u:p@h/d",
        "postgresql+psycopg://u:p@h",
        "postgresql+psycopg://u:p@h/d?password=x",
        "postgresql+psycopg://u:p@h/d?service=x",
        "postgresql+psycopg://u:p@h/d?options=-cdefault_transaction_read_only%3Doff",
        "postgresql+psycopg://u:p@h/d?passfile=/etc/passwd",
        "postgresql+psycopg://u:p@h/d?host=/tmp",
        "postgresql+psycopg://u:p@/d?host=elsewhere",
        "postgresql+psycopg://u:p@/d?host=/a&host=/b",
        "postgresql+psycopg://u:p@/d?host=/nowhere,far.example",
        "postgresql+psycopg://u:p@a,b.inside/d",
        "postgresql+psycopg://u:p@/d?host=/run/postgresql/../../tmp",
        "postgresql+psycopg://u:p@h:x/d",
        "file:///etc/passwd",
        "http://h/d",
        "no address",
        None,
        5,
        "duckdb:////tmp/x",
        "postgresql+psycopg_async://u:p@h/d",
        "postgresql+psycopg://u:p@h/",
    ],
)
def test_other_addresses_are_refused(url: Any) -> None:
    """Before anything is opened, in a sentence that repeats nothing of them."""
    with pytest.raises(ParameterError) as refused:
        DatabaseSource(url, "people")
    assert str(refused.value).startswith("This is not a database address")


@pytest.mark.parametrize("table", ["", " ", None, 5])
def test_a_table_needs_a_name(table: Any) -> None:
    """A text."""
    with pytest.raises(ParameterError, match="Enter one table"):
        DatabaseSource("sqlite:////tmp/x.db", table)


START = "postgresql+psycopg://"
SAME = [
    [f"{START}u:p@Host/d", f"{START}v:q@host:5432/d?sslmode=require", f"{START}host/d", "postgresql://host/d"],
    [f"{START}u:p@/d?host=/run/x", f"{START}/d?host=/run/x/", f"{START}u@:5432/d?host=/run/x"],
    [f"{START}u:p@host:5433/d", "postgresql:\u2060//u:p\u2060@host:5433/d"],
    [f"{START}u:p@host/D"],
    ["sqlite:////tmp/x.db", "sqlite:////tmp/../tmp/x.db", "sqlite:////tmp/./x.db"],
    ["sqlite:////tmp/X.db"],
]


def test_an_address_is_known_again_however_it_is_spelled() -> None:
    """A new password, user or spelling makes no new budget; another place or table does."""
    digests = [{DatabaseSource(url, "t").digest for url in urls} for urls in SAME]
    assert all(len(group) == 1 for group in digests) and len(set.union(*digests)) == len(SAME)
    assert DatabaseSource(SAME[0][0], "t").digest != DatabaseSource(SAME[0][0], "T").digest
    assert (  # stands in vaults: never change it
        DatabaseSource(f"{START}u:p@host/d", "public.people").digest
        == "e1d6a6df5c46a62c0dcb6ddc32e83def969981d74a91973afba00bdc4e6d8893"
    )


def test_a_link_to_a_file_is_the_file(tmp_path: Path) -> None:
    """One file, one place."""
    (tmp_path / "a.db").touch()
    (tmp_path / "b.db").symlink_to(tmp_path / "a.db")
    original, other = (DatabaseSource(f"sqlite:///{tmp_path}/{name}.db", "t") for name in "ab")
    assert original.digest == other.digest


def test_a_connection_is_written_and_read() -> None:
    """As text, for the vault."""
    address = DatabaseSource(f"{START}u:{PASSWORD}@host/d", 'a"b')
    assert DatabaseSource.from_json(address.to_json()) == address
    for text in ("", "[]", "{}", "null", '{"url": 1}', address.to_json()[:-1] + ', "x": 1}'):
        with pytest.raises(ParameterError, match="cannot be read"):
            DatabaseSource.from_json(text)


def test_a_file_that_is_missing_is_not_made(tmp_path: Path) -> None:
    """As SQLite would."""
    source = TableSource(DatabaseSource(f"sqlite:///{tmp_path / 'none.db'}", "t"))
    with pytest.raises(ParameterError, match="The table cannot be read"):
        _ = source.names
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a b.db", "a?b.db", "a%20b.db", "ä#b.db"])
def test_any_file_name_is_a_file_name(tmp_path: Path, name: str) -> None:
    """Nothing in it is an option."""
    url = sa.URL.create("sqlite", database=str(tmp_path / name))
    base = Base(url.render_as_string())
    if sa.make_url(base.url) != url:
        pytest.skip("an address cannot say this name")
    base.table([{"age": 5}], {"age": sa.Integer})
    assert ticks(base, "people", AGE, "age") == {5: 1}


# looking only


def check_that_nothing_is_written(base: Base) -> None:
    """Fail if anything that is asked for through a source changes a row."""
    attempts = [
        "INSERT INTO victims VALUES (8)",
        "DELETE FROM victims",
        "DROP TABLE victims",
        "CREATE TABLE more (a INTEGER)",
    ]
    engine = database.engine(DatabaseSource(base.url, "victims").address)
    for attempt in attempts:
        with pytest.raises(ParameterError, match="The table cannot be read"), database.moment(engine) as db:
            db.exec_driver_sql(attempt)
        assert victims(base) == [7]
    if not base.lite:
        base.run(
            "CREATE FUNCTION sly() RETURNS int LANGUAGE sql VOLATILE AS 'INSERT INTO victims VALUES (8) RETURNING a'",
            "CREATE VIEW slyly AS SELECT sly() AS age",
        )
        with pytest.raises(ParameterError, match="The table cannot be read"):
            ticks(base, "slyly", AGE, "age")
        assert victims(base) == [7]


def test_nothing_is_written(base: Base) -> None:
    """Not by us, not by a view."""
    check_that_nothing_is_written(base)


def test_writing_is_noticed(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where a database is opened as usual."""
    monkeypatch.setattr(database, "engine", lambda address: sa.create_engine(address))
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check_that_nothing_is_written(base)


def check_that_one_answer_sees_one_moment(base: Base, patch: pytest.MonkeyPatch) -> None:
    """Fail if rows that come or go while a table is read are in the answer."""
    where = base.table([{"age": 5}] * 40, {"age": sa.Integer})
    patch.setattr(connection, "PIECE", 4)
    patch.setattr(connection, "BATCH", 4)
    patch.setattr(database, "PIECE", 1)
    if base.lite:
        base.run("PRAGMA journal_mode=WAL")
    seen: list[int] = []

    def kernel(batch: pa.RecordBatch) -> int:
        if not seen:
            base.run("DELETE FROM people", *["INSERT INTO people VALUES (99)"] * 3)
        seen.append(batch.num_rows)
        return sum(batch.column(0).cast(pa.int64()).to_pylist())

    assert TableSource(where).map(kernel, ["age"], 0) == 200
    assert TableSource(where).map(kernel, ["age"], 0) == 297


def test_one_answer_sees_one_moment(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes meanwhile."""
    check_that_one_answer_sees_one_moment(base, monkeypatch)


def test_two_moments_are_noticed(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where every piece is a question of its own."""

    def pieces(source: TableSource, columns: Any, most: Any) -> Iterator[pa.RecordBatch]:
        for at in range(0, 99, 4):
            piece = source.head(columns, 99).slice(at, 4)
            if piece.num_rows:
                yield piece.to_batches()[0]

    whole = TableSource._pieces
    monkeypatch.setattr(TableSource, "_pieces", lambda s, c, most: whole(s, c, most) if most else pieces(s, c, most))
    with pytest.raises(AssertionError):
        check_that_one_answer_sees_one_moment(base, monkeypatch)


def test_no_connection_stays_open(base: Base) -> None:
    """Not after an answer, not after an estimate that broke."""
    where = base.table(drawn(20), TYPES)

    def broken(_: pa.RecordBatch) -> int:
        raise KeyError("a kernel")

    source = TableSource(where)
    for _ in range(3):
        source.head(["age"], 3)
        with pytest.raises(KeyError):
            source.map(broken, ["age"], 0)
    if base.lite:
        with sqlite3.connect(str(base.engine.url.database), timeout=0) as db:
            db.execute("PRAGMA locking_mode=EXCLUSIVE")
            db.execute("DELETE FROM people")
        return
    count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    with base.engine.connect() as db:
        for _ in range(50):
            if db.exec_driver_sql(count).scalar_one() == 1:
                return
            time.sleep(0.1)
    raise AssertionError("a connection stayed open")


MANY, BOUND = 1_200_000, 72 * 2**20  # rows, and bytes in which they have no room as Python objects: a twin tries


def give_back() -> None:
    """Let go of what earlier tests have left: a table that fills it would take nothing new."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)


def check_that_memory_is_bounded(folder: Path) -> None:
    """Fail if so many rows are in memory at the same time."""
    base = Base(f"sqlite:///{folder / 'many.db'}")
    base.run(
        "CREATE VIEW many AS WITH RECURSIVE n(i) AS "
        f"(SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY - 1}) SELECT i % 90 AS age FROM n"
    )
    give_back()
    process, peak, done = psutil.Process(), [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            peak.append(process.memory_info().rss)

    before = process.memory_info().rss
    watching = threading.Thread(target=watch)
    watching.start()
    try:
        counts = ticks(base, "many", AGE, "age")
    finally:
        done.set()
        watching.join()
    assert sum(counts.values()) == MANY and len(counts) == 90
    assert max(peak) - before < BOUND, (max(peak) - before) // 2**20


def test_memory_is_bounded(tmp_path: Path) -> None:
    """However many rows a table has."""
    check_that_memory_is_bounded(tmp_path)


def test_all_rows_at_once_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where a table is fetched as a whole."""
    monkeypatch.setattr(connection, "PIECE", 2**22)
    with pytest.raises(AssertionError):
        check_that_memory_is_bounded(tmp_path)
