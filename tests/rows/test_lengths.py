"""Lengths: a cell that its kind cannot need is missing by its bytes alone, and a number that is none names nobody."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from support.hard_cells import LONG
from support.postgres import Postgres

from discreet.lab.simulation import SimulationNoise
from discreet.rows import ArrowSource, Category, Dataset, FolderSource, LocalSource, Number, Person, Schema, calendar
from discreet.rows.cells import LONGEST, LONGEST_NAME, within
from discreet.rows.columns import Quantity, YesNo
from discreet.rows.engines import database
from discreet.rows.engines.connection import DatabaseSource, TableSource
from discreet.rows.persons import DrawnLots
from discreet.rows.source import Batched, Source

LOTS = DrawnLots(SimulationNoise(4))
VALUE = Number(-100, 100, integer=True)
FORMS = (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string()))


READABLE = {  # of the examples, one after the other
    "number": "yes no yes no yes no yes yes no no yes",
    "grouped": "yes no yes no yes no yes",
    "date": "yes yes no no yes yes",
    "level": "yes no yes no yes no",
    "other": "no no yes no no",
    "word": "yes yes no no yes no",
}


@pytest.mark.parametrize("name", LONG)
def test_whatever_may_stand_in_a_cell_is_read(name: str) -> None:
    """Up to the last byte, however its blanks and capitals are written."""
    kind, cells = LONG[name]
    read: Any = kind
    there = read.ticks(pa.array(cells))[1] if isinstance(kind, Quantity) else read.codes(pa.array(cells)) >= 0
    if name == "other":  # which what is too long is as well
        there = read.codes(pa.array(cells)) == 0
    assert " ".join("yes" if cell else "no" for cell in there) == READABLE[name]


def outside(cell: str | None) -> str | None:
    """Return a cell as the rule has it, said once more and slowly; `most` bytes are those of the examples."""
    return None if cell is None or len(cell.encode()) > LONGEST else cell.strip()


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("name", LONG)
def test_a_cell_that_is_too_long_is_read_as_a_missing_one(name: str, form: pa.DataType) -> None:
    """In each of the forms in which texts come; and one that is not, as if it had no blanks around it."""
    kind, cells = LONG[name]
    most = {"number": 400, "grouped": 400, "date": 64, "level": 5 + 64, "other": 5 + 64, "word": 3 * 60 + 64}[name]
    plain = [None if (bare := outside(cell)) is None or len(bare.encode()) > most else bare for cell in cells]
    read: Any = kind.ticks if isinstance(kind, Number) or name == "date" else kind.codes  # type: ignore[attr-defined]
    long, short = (pa.array(each, pa.string()).cast(form) for each in (cells, plain))
    for whole, alone in ((long, short), (long[2:], short[2:])):
        assert repr(read(whole)) == repr(read(alone))
    assert any(bare is None for bare in plain) and any(bare is not None for bare in plain)


def test_no_pattern_of_a_date_sees_a_cell_that_is_longer_than_all_dates(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of them would read it, but each would go through it."""
    kind, cells = LONG["date"]
    seen, read = list[int](), calendar._ordered

    def ordered(cells: Any, *more: Any) -> Any:
        seen.append(pc.max(pc.binary_length(cells)).as_py() or 0)
        return read(cells, *more)

    monkeypatch.setattr(calendar, "_ordered", ordered)
    _, there = kind.ticks(pa.array(cells))  # type: ignore[attr-defined]
    assert there.any() and 0 < max(seen) <= 64


@pytest.mark.parametrize("form", [*FORMS, pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_cells_are_left_out_by_their_bytes(form: pa.DataType) -> None:
    """Whatever they hold, and none beside them; a slice is read as the whole is."""
    cells = pa.array(["z" * 11, "z", None, "\u00e9" * 5, "\u00e9" * 6, ""], pa.string())
    given = cells.cast(pa.binary()).cast(form) if "binary" in str(form) else cells.cast(form)
    short = [None, "z", None, "\u00e9" * 5, None, ""]
    for start in range(len(cells)):
        left = within(given[start:], 10)
        left = left.dictionary_decode() if pa.types.is_dictionary(left.type) else left
        assert left.cast(pa.large_binary()).cast(pa.string()).to_pylist() == short[start:]


@pytest.mark.parametrize(
    "declare", [lambda word: Category((word,)), lambda word: YesNo((word,), ("no",))], ids=["level", "word"]
)
def test_a_level_of_any_length_can_be_declared(declare: Callable[[str], Any]) -> None:
    """Earlier versions had no limit; one that no cell can hold is in none, and says so of every row alike."""
    for length, there in ((1000, 0), (5000, -1)):
        word = "\U0001f600" * length
        assert (declare(word).codes(pa.array([word, word + "x"])).tolist()[0] >= 0) == (there == 0)
        assert declare(word).codes(pa.array([word + "x"])).tolist() == [-1]


def counted(source: Source, fold: bool = False) -> tuple[int, int]:
    """Return how many rows count where a person has one, and what they add up to."""
    column = Dataset(source, Schema({"id": Person(rows=1, fold=fold), "v": VALUE})).column("v", (), LOTS)
    return int(column.n), int(sum(column.values()))


def in_memory(table: pa.Table, folder: Path) -> Source:
    """Hand a table over."""
    return LocalSource(table)


def in_parquet(table: pa.Table, folder: Path) -> Source:
    """Write a folder of files."""
    for at in range(2):
        pq.write_table(table.slice(at * 2, 2 if at == 0 else None), folder / f"{at}.parquet")
    return FolderSource(folder)


def in_feather(table: pa.Table, folder: Path) -> Source:
    """Write a file."""
    feather.write_feather(table, folder / "rows.feather", compression="uncompressed")
    return LocalSource(folder / "rows.feather")


def in_upload(table: pa.Table, folder: Path) -> Source:
    """Bring a file."""
    in_feather(table, folder)
    return LocalSource((folder / "rows.feather").read_bytes())


def in_stream(table: pa.Table, folder: Path) -> Source:
    """Hand a frame of another library over."""
    return ArrowSource(table)


WAYS = [in_memory, in_parquet, in_feather, in_upload, in_stream]
NAN = float("nan")
FLOATS = [pa.float64(), pa.float32(), pa.float16(), pa.dictionary(pa.int8(), pa.float64())]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("form", FLOATS, ids=str)
def test_a_number_that_is_none_names_nobody(
    form: pa.DataType, way: Callable[[pa.Table, Path], Source], tmp_path: Path
) -> None:
    """Rows of which nobody knows whose they are were those of one person called nan: 1.43 for an epsilon of 1."""
    ids, values = pa.array([1.0, 2.0, NAN, NAN, None]), pa.array([3, 5, 100, -100, 7])
    ids = ids.dictionary_encode() if pa.types.is_dictionary(form) else ids.cast(form)
    assert counted(way(pa.table({"id": ids, "v": values}), tmp_path)) == (2, 8)


@pytest.mark.parametrize("form", ["double precision", "real", "numeric"])
def test_in_a_database_neither(form: str, postgres: Postgres) -> None:
    """PostgreSQL takes such numbers for equal, and has one among the exact ones."""
    url = postgres.database()
    with psycopg.connect(url.replace("+psycopg", "")) as db:
        db.execute(f"CREATE TABLE t (id {form}, v bigint)".encode())
        db.execute(b"INSERT INTO t VALUES (1, 3), (2, 5), ('NaN', 100), ('NaN', -100), (NULL, 7)")
    assert counted(TableSource(DatabaseSource(url, "t"))) == (2, 8)


def long_names() -> pa.Table:
    """Return people of whom two have names that differ behind what an identifier may take."""
    most = "n" * LONGEST_NAME
    ids = [most, most, most[1:], most + "a", most + "b", "n" * 900_000, " " * 1000 + "n" + " " * 1000, "n", ""]
    return pa.table({"id": ids, "v": [1, 1, 2, 50, 50, 50, 4, 4, 50]})


@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_a_name_that_is_too_long_is_none(fold: bool, way: Callable[[pa.Table, Path], Source], tmp_path: Path) -> None:
    """Nothing is cut, so two of them never become one person: their rows are left out, as those without a name."""
    assert counted(way(long_names(), tmp_path), fold) == (3, 7)


def test_a_name_that_is_too_long_is_none_in_databases(postgres: Postgres, tmp_path: Path) -> None:
    """In PostgreSQL, whatever text it is; and in SQLite, also where texts take two bytes a sign."""
    rows, url = [tuple(row.values()) for row in long_names().to_pylist()], postgres.database()
    for form in ("text", "varchar", "json"):
        with psycopg.connect(url.replace("+psycopg", "")) as db:
            db.execute(f"DROP TABLE IF EXISTS t; CREATE TABLE t (id {form}, v bigint)".encode())
            some = [(f'"{name}"' if form == "json" else name, v) for name, v in rows if name or form != "json"]
            db.cursor().executemany(b"INSERT INTO t VALUES (%s, %s)", some)
        here = (3, 7) if form != "json" else (1, 4)  # quotes and the blanks between them are part of a name there
        assert counted(TableSource(DatabaseSource(url, "t"))) == here
    for encoding in ("UTF-8", "UTF-16"):
        with sqlite3.connect(tmp_path / f"{encoding}.db") as lite:
            lite.execute(f"PRAGMA encoding = '{encoding}'")
            lite.execute("CREATE TABLE t (id, v)")
            lite.executemany("INSERT INTO t VALUES (?, ?)", rows)
        assert counted(TableSource(DatabaseSource(f"sqlite:///{tmp_path / encoding}.db", "t"))) == (3, 7)


def held(source: Source, columns: list[str]) -> int:
    """Return how many bytes of cells a question gets to see."""
    assert isinstance(source, Batched)
    return sum(source.map(lambda batch: [sum(column.nbytes for column in batch.columns)], columns, []))


@pytest.mark.parametrize("way", [in_upload, in_stream])
def test_what_no_column_may_hold_is_let_go_of_when_it_is_read(
    way: Callable[[pa.Table, Path], Source], tmp_path: Path
) -> None:
    """It takes no memory afterwards, and no question goes by it."""
    assert held(way(long_names(), tmp_path), ["id"]) < 10_000


def test_what_no_column_may_hold_stays_in_its_database(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copied out or row by row: how long a cell is, the database says without sending it."""
    rows, url = [tuple(row.values()) for row in long_names().to_pylist()], postgres.database()
    with psycopg.connect(url.replace("+psycopg", "")) as db:
        db.execute(b"CREATE TABLE t (id text, v bigint)")
        db.cursor().executemany(b"INSERT INTO t VALUES (%s, %s)", rows)
    with sqlite3.connect(tmp_path / "rows.db") as lite:
        lite.execute("CREATE TABLE t (id, v)")
        lite.executemany("INSERT INTO t VALUES (?, ?)", rows)
    sources = [
        TableSource(DatabaseSource(url, "t")),
        TableSource(DatabaseSource(f"sqlite:///{tmp_path / 'rows.db'}", "t")),
    ]
    assert max(held(source, ["id"]) for source in sources) < 10_000
    monkeypatch.setattr(database, "possible", lambda db: False)
    assert held(sources[0], ["id"]) < 10_000
