"""Copying: a table of PostgreSQL comes in Arrow batches, cell by cell as it comes row by row."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import adbc_driver_postgresql.dbapi as driver
import numpy as np
import psycopg
import pyarrow as pa
import pytest
from support.bases import PASSWORD, Base
from support.moods import NAMES, ODD, moods
from support.postgres import Postgres

from discreet.budget import ParameterError
from discreet.rows.engines import connection, database
from discreet.rows.engines.connection import DatabaseSource, TableSource

Way = Callable[[TableSource, list[str]], pa.Table]
MORE = {
    "bigint": ("9223372036854775806", "9007199254740993", "-9007199254740993", "0"),
    "real": ("'-Infinity'", "-0.0", "0.1", "16777217", "3.4e38", "-1e-45"),
    "double precision": ("'Infinity'", "-0.0", "5e-324", "-5e-324", "2.2250738585072014e-308", "0.3", "1e-320"),
    "numeric": ("1.0000000000000000000000001", "-0.0", "5.000", "1e-3000"),
    "numeric(4,1)": ("5", "'NaN'"),
    "varchar(9)": ("' 5 '", "''", "'täbel 表'", "E'a\\tb\\nc'"),
    "text": ("repeat('x', 300000)", "'NULL'", "E'\\\\N'"),
    "date": ("'9999-12-31'", "'10000-01-01'"),
    "smallint": ("0",),
}


@pytest.fixture
def base(postgres: Postgres) -> Base:
    """Return an empty database on PostgreSQL."""
    return Base(postgres.database())


def everything(source: TableSource, columns: list[str]) -> pa.Table:
    """Return all rows as one table, texts in one form."""
    batches: list[pa.RecordBatch] = source.map(lambda batch: [batch], columns, [])
    table = pa.Table.from_batches(batches)
    texts = {pa.string(): database.TEXT, pa.null(): database.TEXT}
    return table.cast(pa.schema([(field.name, texts.get(field.type, field.type)) for field in table.schema]))


def row_by_row(source: TableSource, columns: list[str], patch: pytest.MonkeyPatch) -> pa.Table:
    """Return the same without the driver."""
    with patch.context() as there:
        there.setattr(database, "find_spec", lambda name: None)
        return everything(source, columns)


def bits(table: pa.Table) -> list[Any]:
    """Return cells so that two are equal only where all of their bits are; one not-a-number is like another."""
    cells: list[Any] = []
    for column in table.columns:
        if pa.types.is_floating(column.type):
            values = column.combine_chunks()
            plain = np.where(np.isnan(np.asarray(values.fill_null(0.0))), np.nan, np.asarray(values.fill_null(0.0)))
            cells.append((str(column.type), plain.view(np.int64).tolist(), values.is_null().to_pylist()))
        else:
            cells.append((str(column.type), column.to_pylist()))
    return cells


def test_a_copied_cell_is_the_cell(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every type, domains and enumerations too: to the last bit, with nothing and endless numbers."""
    moods(base)
    kinds = {kind: (*ODD.get(kind, ()), *MORE.get(kind, ()), "NULL") for kind in (*ODD, *MORE)}
    names = [f"x{at}" for at in range(len(kinds))]
    columns = ", ".join(f"{name} {kind}" for name, kind in zip(names, kinds, strict=True))
    rows = list(zip_longest(*kinds.values(), fillvalue="NULL"))  # a column of every type: read at once
    values = ", ".join(f"({place}, {', '.join(cells)})" for place, cells in enumerate(rows))
    base.run(f"CREATE TABLE odd (place int, {columns})", f"INSERT INTO odd VALUES {values}")
    source = TableSource(DatabaseSource(base.url, "odd"))
    copied, streamed = everything(source, ["place", *names]), row_by_row(source, ["place", *names], monkeypatch)
    assert copied.num_rows == len(rows) == max(map(len, kinds.values()))
    for kind, own, other in zip(("int", *kinds), bits(copied), bits(streamed), strict=True):
        assert own == other, kind


def test_columns_come_in_the_order_and_under_the_names_that_were_asked(
    base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever they are called, also one twice."""
    columns = ", ".join('"{}" int'.format(name.replace('"', '""')) for name in NAMES)
    base.run(f"CREATE TABLE odd ({columns})", f"INSERT INTO odd VALUES ({', '.join(map(str, range(len(NAMES))))})")
    source = TableSource(DatabaseSource(base.url, "odd"))
    copied = everything(source, NAMES[::-1])
    assert copied.to_pylist() == [{name: NAMES.index(name) for name in NAMES[::-1]}]


@pytest.mark.parametrize("rows", [0, 1, 70_000])
def test_a_large_table_comes_in_small_pieces(base: Base, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows once, in their order; an empty table has none."""
    base.run(f"CREATE TABLE many AS SELECT g AS age, repeat('x', g % 100) AS town FROM generate_series(1, {rows}) g")
    monkeypatch.setattr(database, "PIECE", 2**16)
    monkeypatch.setattr(connection, "HEAVY", 2**16)
    source = TableSource(DatabaseSource(base.url, "many"))
    batches: list[list[int]] = source.map(lambda batch: [batch.column("age").to_pylist()], ["age", "town"], [])
    sizes = [len(batch) for batch in batches]
    assert [age for batch in batches for age in batch] == list(range(1, rows + 1))
    assert max(sizes, default=0) < 10_000


def test_both_connections_see_one_moment(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that go after the first has looked are copied by the second."""
    base.run("CREATE TABLE people AS SELECT g AS age FROM generate_series(1, 50) g")
    connect = driver.connect

    def late(conninfo: str) -> Any:
        base.run("DELETE FROM people WHERE age > 7")
        return connect(conninfo)

    monkeypatch.setattr(driver, "connect", late)
    source = TableSource(DatabaseSource(base.url, "people"))
    assert everything(source, ["age"]).num_rows == 50
    monkeypatch.setattr(driver, "connect", connect)
    assert everything(source, ["age"]).num_rows == 7


def test_a_copy_writes_nothing(base: Base) -> None:
    """The second connection is as careful as the first."""
    base.run(
        "CREATE TABLE victims (a int)",
        "CREATE FUNCTION sly() RETURNS int LANGUAGE sql VOLATILE AS 'INSERT INTO victims VALUES (8) RETURNING a'",
        "CREATE VIEW slyly AS SELECT sly() AS age",
    )
    with pytest.raises(ParameterError, match="The table cannot be read"):
        everything(TableSource(DatabaseSource(base.url, "slyly")), ["age"])
    with base.engine.connect() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM victims").scalar_one() == 0


def test_the_usual_settings_of_a_server_change_no_copied_cell(base: Base) -> None:
    """Dates, times and numbers are written in one way."""
    base.run(
        "CREATE TABLE days (d date, t timestamptz, i interval, f real)",
        "INSERT INTO days VALUES ('2020-02-03', '2020-02-03 04:05:06+00', '1 day', 0.1)",
    )
    source = TableSource(DatabaseSource(base.url, "days"))
    before = everything(source, ["d", "t", "i", "f"])
    for setting in ("datestyle = 'SQL, DMY'", "timezone = 'Asia/Tokyo'", "extra_float_digits = -9"):
        base.run(f"ALTER DATABASE {base.engine.url.database} SET {setting}")
    assert everything(source, ["d", "t", "i", "f"]) == before
    assert before.to_pylist() == [{"d": "2020-02-03", "t": "2020-02-03 04:05:06+00", "i": "1 day", "f": 0.1}]


def test_an_address_is_the_same_for_both() -> None:
    """With its precautions, and signs that mean something to nobody."""
    url = "postgresql+psycopg://us%20er:p%27%20w%5C@db.inside:6000/d%20b?sslrootcert=%2Fa%20b%2Fca.crt"
    said = psycopg.conninfo.conninfo_to_dict(database.conninfo(database.engine(DatabaseSource(url, "t").address)))
    assert said["sslmode"] == "verify-full" and said["require_auth"] == "scram-sha-256"
    assert (said["user"], said["password"], said["host"]) == ("us er", "p' w\\", "db.inside")
    assert (said["port"], said["dbname"], said["sslrootcert"]) == ("6000", "d b", "/a b/ca.crt")
    weak = "postgresql+psycopg://u:p@db.inside/d?sslmode=disable"
    said = psycopg.conninfo.conninfo_to_dict(database.conninfo(database.engine(DatabaseSource(weak, "t").address)))
    assert said["sslmode"] == "verify-full"


def test_what_the_driver_says_is_said_by_nobody(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither address nor password nor a cell is in an error."""
    base.run(
        "CREATE TABLE people AS SELECT 4711 AS age", "CREATE VIEW broken AS SELECT 1 / (age - 4711) AS age FROM people"
    )
    source = TableSource(DatabaseSource(base.url, "broken"))
    shown = []
    for wrong in (None, f"host=/nowhere password={PASSWORD} dbname=secret"):
        with monkeypatch.context() as there, pytest.raises(ParameterError, match="The table cannot be read") as refused:
            if wrong is not None:
                there.setattr(database, "conninfo", lambda opened, wrong=wrong: wrong)
            everything(source, ["age"])
        shown += [repr(refused.value), "".join(traceback.format_exception(refused.value))]
    assert not [text for text in shown if PASSWORD in text or "nowhere'" in text or "division" in text]
