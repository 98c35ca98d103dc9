"""Derived columns: a public map of a row's own values, the same as plain Python makes of them, on every engine."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.budget.errors import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.queries.bounds import Bounds
from discreet.rows import Bands, Category, Dataset, Date, Difference, LocalSource, Meets, Number, Person, Ratio, Schema
from discreet.rows.columns import derivation, ratio
from discreet.rows.columns.derivation import with_derived
from discreet.rows.counting import Counts, Task
from discreet.rows.engines.cluster import capping, counting, finishing
from discreet.rows.engines.connection import DatabaseSource, TableSource
from discreet.rows.engines.folder import FolderSource
from discreet.rows.persons import DrawnLots
from discreet.rows.source import Source

Cell = str | None
FIRST, LAST = date(2019, 12, 30), date(2024, 3, 2)
DAYS = Date(str(FIRST), str(LAST))
GRIDS: tuple[Number, ...] = (
    Number(0, 10, integer=True),
    Number(-7, 30, step=3, integer=True),
    Number(0, 2.5, step=0.1),
    Number(-1, 1, step=0.25, missing=0.5),
    Number(0.1, 99.7),
    Number(0, 2, step=1 / 3),  # it has no short decimal form: integers of any length
    Number(-3, 3, step=0.7),
)


def counted(schema: Schema, table: pa.Table, *columns: str) -> dict[int, int]:
    """Return the rows on each place."""
    counts = LocalSource(table).counts(Task.of(schema, columns))
    return dict(zip(counts.places.tolist(), counts.rows.tolist(), strict=True))


def one(schema: Schema, row: dict[str, Cell], name: str) -> int | None:
    """Return the tick of a single row."""
    table = pa.table({column: pa.array([cell], pa.large_string()) for column, cell in row.items()})
    return next(iter(counted(schema, table, name)), None)


# --- What plain Python makes of the same cells, by fractions and by its own calendar ---


def grid_of(bounds: Bounds) -> tuple[Fraction, Fraction]:
    """Return the lower bound and the step as they were declared: without a step, the range in 2^20 parts."""
    lower, upper, step = (Fraction(str(end)) for end in (bounds.lower, bounds.upper, bounds.resolution))
    default = not bounds.integer and bounds == Bounds(bounds.lower, bounds.upper)
    return lower, (upper - lower) / 2**20 if default else step


def as_read(declared: Number, cell: Cell) -> Fraction | None:
    """Return the exact value as which a number is read: that of its tick, with the decimals that were declared."""
    if cell is None:
        if declared.missing == "drop":
            return None
        cell = str(declared.missing)
    bounds = declared.bounds
    lower, step = grid_of(bounds)
    tick = int(bounds.ticks(np.array([float(cell)]))[0])
    return lower + step * tick


def on(bounds: Bounds, value: Fraction) -> int:
    """Return the tick of a value: clipped, rounded down for whole numbers, and else to the nearest."""
    lower, step = grid_of(bounds)
    place = (value - lower) / step
    return min(max(floor(place if bounds.integer else place + Fraction(1, 2)), 0), bounds.top)


def whole_years(earlier: date, later: date) -> int:
    """Return the completed years between two days, as people count an age."""
    return later.year - earlier.year - ((later.month, later.day) < (earlier.month, earlier.day))


def whole_months(earlier: datetime, later: datetime) -> int:
    """Return the completed months between two moments."""
    months = 12 * (later.year - earlier.year) + later.month - earlier.month
    passed = ((each.day, each.time()) for each in (later, earlier))
    return months - (next(passed) < next(passed))


# --- Numbers ---

cells = st.one_of(st.none(), st.integers(-40, 400).map(lambda tenth: str(tenth / 10)))
pairs = st.tuples(st.sampled_from(GRIDS), st.sampled_from(GRIDS))
ends = st.tuples(st.integers(-30, 0), st.integers(1, 40), st.sampled_from((None, 1.0, 0.3, 0.125)))


@given(pairs, ends, cells, cells)
def test_a_difference_is_that_of_plain_python(
    kinds: tuple[Number, Number], ends: tuple[int, int, float | None], left: Cell, right: Cell
) -> None:
    """Of the values as they are read, to the last tie; a row without one of them has none."""
    low, high, step = ends
    whole = all(kind.integer for kind in kinds)
    declared = Difference("a", "b", low, high, None if step is None else (1 if whole else step))
    schema = Schema({"a": kinds[0], "b": kinds[1], "d": declared})
    first, second = (as_read(kind, cell) for kind, cell in zip(kinds, (left, right), strict=True))
    expected = None if first is None or second is None else on(schema.number("d").bounds, first - second)
    assert one(schema, {"a": left, "b": right}, "d") == expected


@given(pairs, ends, cells, cells)
def test_a_ratio_is_that_of_plain_python(
    kinds: tuple[Number, Number], ends: tuple[int, int, float | None], left: Cell, right: Cell
) -> None:
    """Also with a negative divisor; a row whose divisor is read as 0 has none."""
    low, high, step = ends
    schema = Schema({"a": kinds[0], "b": kinds[1], "r": Ratio("a", "b", low, high, step)})
    first, second = (as_read(kind, cell) for kind, cell in zip(kinds, (left, right), strict=True))
    zero = as_read(kinds[1], "0") if kinds[1].lower <= 0 <= kinds[1].upper else None
    missing = first is None or second is None or second in (0, zero)
    assert one(schema, {"a": left, "b": right}, "r") == (
        None if missing else on(schema.number("r").bounds, Fraction(first or 0) / (second or 1))
    )


def test_integers_of_any_length_give_what_short_ones_give(monkeypatch: pytest.MonkeyPatch) -> None:
    """The public declarations alone decide which are used; every tick of both columns, with both."""
    schema = Schema(
        {
            "a": Number(-2, 3, step=0.5),
            "b": Number(-1, 2, integer=True),
            "d": Difference("a", "b", -3, 3, 0.7),
            "r": Ratio("a", "b", -2, 2, 0.3),
        }
    )
    cells = [(str(a / 2), str(b)) for a in range(-4, 7) for b in range(-1, 3)]
    table = pa.table({"a": [a for a, _ in cells], "b": [b for _, b in cells]})
    short = [counted(schema, table, name) for name in ("d", "r")]
    monkeypatch.setattr(derivation, "LARGEST_INTEGER", -1)
    assert derivation.form_of(0) is object
    assert [counted(schema, table, name) for name in ("d", "r")] == short


def test_a_difference_without_bounds_has_those_that_both_columns_make_possible() -> None:
    """They follow from public declarations, and need no source of their own."""
    columns = {"a": Number(-2, 9, integer=True), "b": Number(1, 4, integer=True), "p": Number(0.5, 2, step=0.5)}
    days = {"from": Date("2020-01-01", "2020-12-31"), "to": Date("2020-01-10", "2021-01-31")}
    schema = Schema(
        {
            **columns,
            **days,
            "d": Difference("a", "b"),
            "e": Difference("a", "p"),
            "stay": Difference("to", "from"),
            "years": Difference("to", "from", grain="year"),
        }
    )
    assert schema.number("d").bounds == Bounds(-6, 8, integer=True)
    assert schema.number("e").bounds == Bounds(-4.0, 8.5)
    assert schema.number("stay").bounds == Bounds(-356, 396, integer=True)
    assert schema.number("years").bounds == Bounds(-1, 1, integer=True)
    assert schema.number("d").sourced and not Difference("a", "b", 0, 5).sourced
    assert Difference("a", "b", 0, 5, origin="by law").sourced


# --- Dates ---

days = st.integers(-3, (LAST - FIRST).days + 3).map(lambda at: FIRST + timedelta(at))


@given(days, days, st.sampled_from(("day", "month", "year")))
def test_dates_are_apart_as_on_a_calendar(first: date, second: date, grain: str) -> None:
    """Whole units, rounded down; a day of birth on 29 February has its anniversary on 1 March."""
    schema = Schema({"to": DAYS, "from": DAYS, "d": Difference("to", "from", -5000, 5000, grain=grain)})
    later, earlier = (min(max(each, FIRST), LAST) for each in (first, second))
    moments = (datetime.combine(each, datetime.min.time()) for each in (earlier, later))
    expected = {"day": (later - earlier).days, "month": whole_months(*moments), "year": whole_years(earlier, later)}[
        grain
    ]
    assert one(schema, {"to": str(first), "from": str(second)}, "d") == expected + 5000


def test_an_age_is_that_of_the_last_birthday() -> None:
    """On the day before, on the day, and for those who were born on a leap day."""
    schema = Schema(
        {
            "at": Date("2000-01-01", "2030-12-31"),
            "born": Date("1900-01-01", "2030-12-31"),
            "age": Difference("at", "born", 0, 120, grain="year", origin="life tables"),
        }
    )
    for born, at, age in (
        ("1960-06-15", "2024-06-14", 63),
        ("1960-06-15", "2024-06-15", 64),
        ("2004-02-29", "2023-02-28", 18),
        ("2004-02-29", "2023-03-01", 19),
        ("2004-02-29", "2024-02-29", 20),
        ("2025-01-01", "2024-01-01", 0),  # below the bounds: counts as the bound
    ):
        assert one(schema, {"at": at, "born": born}, "age") == age, (born, at)
    assert schema.number("age").unit == "years"


def test_units_of_both_dates_may_differ() -> None:
    """A moment and a day, a year and a month: a longer unit begins with its first moment."""
    schema = Schema(
        {
            "in": Date("2024-01-01 00:00", "2024-12-31 23:59", "minute"),
            "out": Date("2024-01-01", "2025-12-31"),
            "built": Date("1990", "2024", "year"),
            "sold": Date("2000-01", "2024-12", "month"),
            "days": Difference("out", "in", -9, 99),
            "hours": Difference("in", "in2", 0, 999, grain="hour"),
            "years": Difference("sold", "built", 0, 50),
            "in2": Date("2024-01-01 00:00", "2024-12-31 23:59", "minute"),
        }
    )
    row: dict[str, Cell] = {
        "in": "2024-03-03 12:30",
        "in2": "2024-03-03 10:31",
        "out": "2024-03-05",
        "built": "1999",
        "sold": "2009-12",
    }
    assert one(schema, row, "days") == 1 + 9  # 35 and a half hours
    assert one(schema, row, "hours") == 1
    assert one(schema, row, "years") == 10


# --- Conditions ---


@given(
    st.sampled_from(("<", "<=", "=", "!=", ">", ">=")), st.integers(-5, 15), st.one_of(st.none(), st.integers(-9, 20))
)
def test_a_condition_keeps_the_rows_that_a_filter_drops(comparison: str, value: int, cell: int | None) -> None:
    """1 where a filter keeps the row, 0 where it has a value and the filter drops it."""
    schema = Schema({"age": Number(0, 10, integer=True), "old": Meets("age", comparison, value)})
    met = {"<": int.__lt__, "<=": int.__le__, "=": int.__eq__, "!=": int.__ne__, ">": int.__gt__, ">=": int.__ge__}
    expected = None if cell is None else int(met[comparison](min(max(cell, 0), 10), value))
    assert one(schema, {"age": None if cell is None else str(cell)}, "old") == expected


def test_conditions_are_about_categories_dates_and_derived_columns_too() -> None:
    """Each cell as it is read there."""
    schema = Schema(
        {
            "town": Category(("a", "b", "c")),
            "open": Category(("a",), other=True),
            "day": DAYS,
            "then": DAYS,
            "stay": Difference("day", "then", 0, 100),
            "near": Meets("town", "in", ["a", "b"]),
            "far": Meets("open", "!=", "a"),
            "late": Meets("day", ">=", "2024-01-01"),
            "long": Meets("stay", ">=", 7),
        }
    )
    row: dict[str, Cell] = {"town": "b", "open": "z", "day": "2024-01-01", "then": "2023-12-25"}
    assert [one(schema, row, name) for name in ("near", "far", "late", "long")] == [1, 1, 1, 1]
    row = {"town": "z", "open": "a", "day": "2023-12-31", "then": "2023-12-25"}
    assert [one(schema, row, name) for name in ("near", "far", "late", "long")] == [None, 0, 0, 0]
    assert Schema.from_json(schema.to_json()) == schema


# --- Engines: the same counts wherever rows are ---

SCHEMA = Schema(
    {
        "who": Person(),
        "in": Date("2020-01-01", "2020-12-31"),
        "out": Date("2020-01-01", "2021-03-31"),
        "cost": Number(0, 10_000.0, unit="euros"),
        "beds": Number(0, 5, integer=True),
        "stay": Difference("out", "in", 0, 30, origin="contract"),
        "day": Ratio("cost", "stay", 0, 2000, 0.5, origin="tariff"),
        "each": Ratio("cost", "beds", 0, 5000, origin="tariff"),
        "long": Meets("stay", ">", 7),
    }
)
HEADER = ("who", "in", "out", "cost", "beds")
ROWS = [
    ("p", "2020-02-01", "2020-02-11", "1000", "2"),
    ("q", "2020-02-01", "2020-02-01", "1000", "0"),
    ("r", "2020-02-01", None, "10", "3"),
    ("s", None, "2020-02-01", "99.5", ""),
    ("t", "2020-12-30", "2021-06-01", "20000", "9"),
    ("u", "2020-03-05", "2020-03-01", "7", "-4"),
    ("v", "2020-03-01", "2020-03-15", "", "1"),
    ("", "2020-03-01", "2020-03-15", "50", "1"),
]
TABLE = pa.table({name: pa.array([row[at] for row in ROWS], pa.large_string()) for at, name in enumerate(HEADER)})
TASKS = [
    Task.of(schema, columns, by)
    for schema in (SCHEMA, Schema({name: kind for name, kind in SCHEMA.columns.items() if name != "who"}))
    for columns, by in (
        (("stay",), ()),
        (("day",), (Bands("long", every=1),)),
        (("each",), ()),
        (("long",), ()),
        (("stay", "beds"), ()),
    )
]
EXPECTED = {"stay": {0: 2, 10: 1, 14: 2, 30: 1}, "long": {0: 2, 1: 4}}


def as_csv(folder: Path) -> Source:
    """Return the table as the bytes of a file."""
    lines = [",".join(HEADER), *(",".join("" if cell is None else cell for cell in row) for row in ROWS)]
    return LocalSource("\n".join(lines).encode())


def as_parquet(folder: Path) -> Source:
    """Return the table as a typed file in parts."""
    out = io.BytesIO()
    pq.write_table(TABLE, out, row_group_size=3)
    return LocalSource(out.getvalue())


def as_folder(folder: Path) -> Source:
    """Return the table as two files of a folder."""
    for at in (0, 3):
        pq.write_table(TABLE.slice(at, 3 if at == 0 else None), folder / f"{at}.parquet")
    return FolderSource(folder)


def as_database(folder: Path) -> Source:
    """Return the table in a database file."""
    with sqlite3.connect(folder / "rows.db") as db:
        db.execute("CREATE TABLE stays (who TEXT, 'in' TEXT, out TEXT, cost TEXT, beds TEXT)")
        db.executemany("INSERT INTO stays VALUES (?, ?, ?, ?, ?)", ROWS)
    return TableSource(DatabaseSource(f"sqlite:///{folder / 'rows.db'}", "stays"))


def both(source: Source, task: Task) -> Counts:
    """Count a task, with the cap of a person's rows if one is declared."""
    return source.counts(task) if task.person is None else source.capped(task, DrawnLots(SimulationNoise(1)))


@pytest.mark.parametrize("opened", [as_csv, as_parquet, as_folder, as_database])
def test_engines_agree(opened: Callable[[Path], Source], tmp_path: Path) -> None:
    """In memory, from a file's bytes, from a folder and from a database."""
    source = opened(tmp_path)
    for task in TASKS:
        here, there = both(LocalSource(TABLE), task), both(source, task)
        assert there.places.tolist() == here.places.tolist() and there.rows.tolist() == here.rows.tolist(), task
    assert set(TASKS[1].reads) == {"who", "cost", "in", "out"}


def test_the_counts_are_those_of_the_rows() -> None:
    """By hand: a row without an end has no stay, one that ends before it begins counts as the bound."""
    no_one = Schema({name: kind for name, kind in SCHEMA.columns.items() if name != "who"})
    assert counted(no_one, TABLE, "stay") == EXPECTED["stay"]
    assert counted(no_one, TABLE, "long") == EXPECTED["long"]


@pytest.mark.parametrize("task", TASKS)
def test_executors_of_a_cluster_count_the_same(task: Task) -> None:
    """They rebuild the task from its text, with the declarations of the sources."""
    task = Task.from_json(task.to_json())
    batches = [batch.rename_columns([f"c{at}" for at in range(len(task.reads))]) for batch in parts(task)]
    if task.person is None:
        tables = [pa.Table.from_batches([batch]) for batch in counting(task)(iter(batches))]
    else:
        rows = pa.Table.from_batches(list(capping(task, b"key", lambda: 0)(iter(batches))))
        tables = [finishing(task)(rows)]
    counts = Counts.none(task.cells, task.grid)
    for table in tables:
        counts += Counts(task.cells, task.grid, table["place"].to_numpy(), table["n"].to_numpy())
    here = both(LocalSource(TABLE), task)
    assert counts.places.tolist() == here.places.tolist() and counts.rows.tolist() == here.rows.tolist()


def parts(task: Task) -> Iterator[pa.RecordBatch]:
    """Return the columns of a task in batches of three rows."""
    return iter(TABLE.select(task.reads).combine_chunks().to_batches(max_chunksize=3))


def test_each_row_counts_for_itself() -> None:
    """A total map of the row: the counts of a table are the sums of those of its rows, whatever the others are."""
    for task in TASKS[5:]:
        alone = Counts.none(task.cells, task.grid)
        for at in range(TABLE.num_rows):
            alone += LocalSource(TABLE.slice(at, 1)).counts(task)
        whole = LocalSource(TABLE).counts(task)
        assert alone.places.tolist() == whole.places.tolist() and alone.rows.tolist() == whole.rows.tolist()


def test_bounds_that_are_read_from_the_rows_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A twin whose ratios lie between the least and the largest of the rows: one row moves all others."""
    honest = ratio.Ratio.combined

    def twin(self: Ratio, first: Any, second: Any) -> Any:
        ticks, there = honest(self, first, second)
        seen = ticks[there] if there.any() else ticks
        return (ticks - seen.min()) * self.bounds.top // max(int(seen.max() - seen.min()), 1), there

    monkeypatch.setattr(ratio.Ratio, "combined", twin)
    with pytest.raises(AssertionError):
        test_each_row_counts_for_itself()


def test_a_person_counts_with_the_mean_of_their_own_ratios() -> None:
    """The ratio is of each row, before a person's rows are combined: not the ratio of two means."""
    columns = {"cost": Number(0, 100, integer=True), "days": Number(0, 10, integer=True)}
    schema = Schema({**columns, "who": Person(reduce="mean"), "day": Ratio("cost", "days", 0, 100, 1)})
    table = pa.table({"who": ["p", "p", "p"], "cost": [10, 90, 50], "days": [1, 9, 0]})
    column = Dataset(LocalSource(table), schema).column("day", (), DrawnLots(SimulationNoise(1)))
    values = [float(column.bounds.value(level)) for level in column.levels]
    assert values == [10.0]  # the means of cost and days would be 50 and 10 / 3


# --- What cannot be derived is refused, with what to do ---

PLAIN: dict[str, Any] = {
    "a": Number(0, 9, integer=True),
    "b": Number(0, 9),
    "day": DAYS,
    "month": Date("2020-01", "2021-12", "month"),
    "paris": Date("2020-01-01", "2021-12-31", zone="Europe/Paris"),
    "town": Category(("x", "y")),
    "who": Person(),
}


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        (Difference("a", "gone"), "derived from 'gone', which is not declared. Declare it first."),
        (Difference("a", "day"), "two numbers or two dates, not one of each"),
        (Difference("a", "town"), "two declared columns of numbers or dates"),
        (Difference("a", "who"), "two declared columns of numbers or dates"),
        (Difference("a", "b", grain="day"), "for dates only"),
        (Difference("day", "month", grain="day"), "counted in months, which are too long"),
        (Difference("day", "paris"), "the same time zone"),
        (Difference("a", "b", 5, 5), "Lower must be smaller than upper"),
        (Difference("a", "new"), "cannot be derived from itself"),
        (Ratio("day", "a", 0, 1), "For dates, derive a difference first"),
        (Ratio("a", "town", 0, 1), "two columns of numbers"),
        (Ratio("a", "b", 0, 1, 0), "Step must be a number above 0"),
        (Meets("a", ">=", "x"), "can be compared only with a number"),
        (Meets("town", "=", "z"), "only with its allowed values"),
        (Meets("who", "=", "p"), "cannot filter on 'who'"),
        (Meets("old", "=", "yes"), "can be compared only with a number"),
    ],
)
def test_what_does_not_fit_is_refused(declared: Any, words: str) -> None:
    """When it is declared, by the column's name."""
    with pytest.raises(ParameterError, match="Column 'new'") as refused:
        Schema({**PLAIN, "old": Meets("a", ">", 5), "new": declared})
    assert words in str(refused.value)


def test_two_different_columns_are_needed_and_a_name_of_its_own() -> None:
    """A column minus itself says nothing; a name that the data have would be ambiguous."""
    with pytest.raises(ParameterError, match="two different columns"):
        Difference("a", "a")
    with pytest.raises(ParameterError, match="only by, lower, of, origin, step, upper can be set"):
        Ratio.from_plain("r", {"sources": []})
    schema = Schema({"a": Number(0, 9), "b": Number(0, 9), "c": Difference("a", "b")})
    table = pa.table({"a": ["1"], "b": ["2"], "c": ["3"]})
    with pytest.raises(ParameterError, match="already have a column 'c'"):
        Dataset(LocalSource(table), schema)
    assert Dataset(LocalSource(table.drop_columns("c")), schema).schema.used == ["a", "b"]


def test_what_is_said_names_both_columns_and_the_bounds() -> None:
    """As results say how cells count."""
    said = SCHEMA.columns["day"].as_read("day")
    assert "day is cost divided by stay; rows in which stay is 0 dropped" in said
    assert "stay is the number of whole days from in to out" in said
    assert said[-1] == "day clipped to 0 to 2000, in steps of 0.5"
    assert SCHEMA.columns["day"].unit == "euros / days"
    assert SCHEMA.columns["long"].as_read("long")[-1] == "long is 1 where stay > 7, and 0 in other rows"


def test_a_batch_keeps_its_own_columns() -> None:
    """The cells of derived columns come after those that were read."""
    (batch,) = TABLE.select(["in", "out"]).combine_chunks().to_batches()
    columns = {name: SCHEMA.columns[name] for name in ("stay", "in", "out")}
    assert with_derived(batch, columns).schema.names == ["in", "out", "stay"]
