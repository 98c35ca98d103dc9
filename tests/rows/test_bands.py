"""Bands: a public map from cells to groups, the same as plain Python makes of the raw values, total on every grid."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.for_each import for_each

from discreet.budget.errors import ParameterError
from discreet.curator import Request
from discreet.curator.records import rebuilt
from discreet.curator.request import plain
from discreet.mechanisms.laplace import Geometric
from discreet.rows import Bands, Category, Date, LocalSource, Number, Person, Schema
from discreet.rows.columns.bands import bands_of, typed
from discreet.rows.columns.grouping import grouping_of
from discreet.rows.counting import Task

AGE = Number(0, 100, integer=True)
DAYS = Date("2019-11-20", "2022-02-28")
SCHEMA = Schema(
    {
        "age": AGE,
        "temperature": Number(-10, 10, integer=True),
        "children": Number(0, 5, integer=True),
        "odd": Number(-3, 101, step=7, integer=True),
        "pay": Number(0, 2.5, step=0.1),
        "free": Number(0, 5, missing=2),
        "admitted": DAYS,
        "hour": Date("2021-03-01", "2021-03-15 10:00", "hour"),
        "year": Date("1999", "2004", "year"),
        "sex": Category(("f", "m")),
    }
)
NUMBERS = {name: declared for name, declared in SCHEMA.numbers.items() if isinstance(declared, Number)}


def named(bands: Bands, *cells: Any, schema: Schema = SCHEMA) -> list[str | None]:
    """Return the band of each cell."""
    factor = schema.category(bands)
    codes = factor.codes(pa.array(cells))
    return [factor.labels[code] if code >= 0 else None for code in codes.tolist()]


def test_whole_numbers_are_in_the_band_that_names_them() -> None:
    """Half-open, the last one closed; what lies outside the bounds counts as the nearest bound."""
    tens = Bands("age", every=10)
    assert named(tens, -5, 0, 9, 10, 89, 90, 100, 999, None) == [
        *("0–9", "0–9", "0–9", "10–19", "80–89", "90–100", "90–100", "90–100", None)
    ]
    assert named(Bands("age", (18, 65)), 17, 18, 64, 65) == ["0–17", "18–64", "18–64", "65–100"]
    assert Bands("age", (0, 18, 65, 100)).edges == (0.0, 18.0, 65.0, 100.0)  # the bounds may be named as well
    assert SCHEMA.category(Bands("age", (0, 18, 65, 100))).labels == ("0–17", "18–64", "65–100")
    assert SCHEMA.category(Bands("children", every=1)).labels == ("0", "1", "2", "3", "4", "5")
    assert SCHEMA.category(Bands("temperature", every=5)).labels == ("-10 to -6", "-5 to -1", "0 to 4", "5 to 10")


def test_other_numbers_are_named_by_both_ends() -> None:
    """An edge belongs to the band above it, also where it has no exact double; a missing cell counts as declared."""
    half = Bands("pay", (0.3, 1.5))
    names = SCHEMA.category(half).labels
    assert names == ("0 to under 0.3", "0.3 to under 1.5", "1.5 to 2.5")
    assert named(half, 0.2, 0.3, 0.30000000000000004, 1.4, 1.5, 2.5, float("inf"), float("nan")) == [
        *(names[0], names[1], names[1], names[1], names[2], names[2], None, None)
    ]
    assert named(Bands("free", every=2), None, 1.9) == ["2 to under 4", "0 to under 2"]


@st.composite
def cut(draw: st.DrawFn) -> tuple[str, Bands]:
    """Generate bands that fit a number column."""
    name = draw(st.sampled_from(sorted(NUMBERS)))
    bounds = NUMBERS[name].bounds
    step = Fraction(str(bounds.resolution)) if name != "free" else Fraction(1, 8)
    inside = [float(Fraction(str(bounds.lower)) + step * at) for at in range(1, min(bounds.top, 39))]
    edges = draw(st.lists(st.sampled_from(inside), min_size=1, max_size=6, unique=True).map(sorted))
    return name, Bands(name, tuple(edges))


@given(cut(), st.lists(st.integers(-400, 1200), min_size=1, max_size=30))
def test_bands_are_those_of_plain_python(cut: tuple[str, Bands], tenths: list[int]) -> None:
    """Every boundary value and any others: the last edge that is not above the clipped value begins its band."""
    name, bands = cut
    declared = NUMBERS[name]
    values = [*bands.edges, declared.lower, declared.upper, *(tenth / 10 for tenth in tenths)]
    cells = [int(value) for value in values] if declared.integer else values
    labels = SCHEMA.category(bands).labels
    assert len(labels) == len(set(labels)) == len(bands.edges) + 1
    for cell, label in zip(cells, named(bands, *cells), strict=True):
        value = min(max(cell, declared.lower), declared.upper)
        below = [edge for edge in bands.edges if edge <= value + 1e-9]
        assert label == labels[len(below)], (cell, label)


def test_every_tick_of_every_grid_is_in_exactly_one_band() -> None:
    """Whatever the width: codes ascend by at most one from tick to tick, and all bands have a tick."""
    for name, declared in SCHEMA.numbers.items():
        assert declared.usual is not None, name
        for every in (declared.usual, *((1, 3, 7, 0.7, 50) if name in NUMBERS else ("year", "month"))):
            if not declared.has_bands(every) or every == "weekday":
                continue
            cuts = declared.cuts((), every)
            codes = cuts.codes(np.arange(min(declared.bounds.top, 10**6) + 1)).tolist()
            assert codes[0] == 0 and all(0 <= after - before <= 1 for before, after in pairwise(codes)), (name, every)
            assert declared.bounds.top > 10**6 or codes[-1] == len(cuts.names) - 1, (name, every)


def test_days_are_in_their_year_month_and_weekday() -> None:
    """As the calendar of plain Python has it, for every day between the bounds and beyond them."""
    first, last = date(2019, 11, 20), date(2022, 2, 28)
    days = [first + timedelta(at) for at in range(-5, (last - first).days + 6)]
    clipped = [min(max(day, first), last) for day in days]
    cells = [str(day) for day in days]
    assert named(Bands("admitted", every="year"), *cells) == [f"{day:%Y}" for day in clipped]
    assert named(Bands("admitted", every="month"), *cells) == [f"{day:%Y-%m}" for day in clipped]
    quarters = [f"{day:%Y}-Q{(day.month + 2) // 3}" for day in clipped]
    assert named(Bands("admitted", every="quarter"), *cells) == quarters
    assert SCHEMA.category(Bands("admitted", every="quarter")).labels == tuple(dict.fromkeys(quarters))
    assert named(Bands("admitted", every="weekday"), *cells) == [f"{day:%A}" for day in clipped]
    halves = Bands("admitted", ("2020-07-01", "2021-01-01"))
    names = ("2019-11-20 to 2020-06-30", "2020-07-01 to 2020-12-31", "2021-01-01 to 2022-02-28")
    assert SCHEMA.category(halves).labels == names
    assert named(halves, "2020-06-30", "2020-07-01", "2021-01-01", "x") == [*names, None]


def test_hours_are_on_their_weekday_and_years_in_bands_of_years() -> None:
    """Units below and above a day."""
    cells = ["2021-03-01 00:00", "2021-03-01 23:59", "2021-03-02 00:00", "2021-03-14 05:00"]
    assert named(Bands("hour", every="weekday"), *cells) == ["Monday", "Monday", "Tuesday", "Sunday"]
    assert named(Bands("hour", every="hour"), *cells) == ["00:00", "23:00", "00:00", "05:00"]
    moments = ["2021-03-01 06:29", "2021-03-01 06:30", "2021-03-01 23:59", "2021-03-02 00:00", "2021-03-05 13:59"]
    for grain in ("minute", "second"):
        schema = Schema({"at": Date("2021-03-01 06:30", "2021-03-05 12:00", grain)})
        hours = named(Bands("at", every="hour"), *moments, schema=schema)
        assert hours == ["06:00", "06:00", "23:00", "00:00", "12:00"], "clipped to the first and last moment"
        assert len(schema.category(Bands("at", every="hour")).labels) == 24
    old = Schema({"at": Date("1969-11-20", "1970-02-03"), "long": Date("0999-12", "1000-04", "month")})
    assert old.category(Bands("at", every="quarter")).labels == ("1969-Q4", "1970-Q1")
    assert named(Bands("at", every="quarter"), "1969-12-31", "1970-01-01", schema=old) == ["1969-Q4", "1970-Q1"]
    assert old.category(Bands("long", every="quarter")).labels == ("0999-Q4", "1000-Q1", "1000-Q2")
    assert old.category(Bands("long", every="year")).labels == ("0999", "1000")
    assert SCHEMA.category(Bands("year", every="year")).labels == ("1999", "2000", "2001", "2002", "2003", "2004")
    assert SCHEMA.category(Bands("year", (2001,))).labels == ("1999 to 2000", "2001 to 2004")


REFUSED = {
    "edges in the wrong order": lambda: SCHEMA.category(Bands("age", (65, 18))),
    "an edge twice": lambda: SCHEMA.category(Bands("age", (18, 18))),
    "an edge beyond the bounds": lambda: SCHEMA.category(Bands("age", (18, 101))),
    "a part of a whole number": lambda: SCHEMA.category(Bands("age", (17.5,))),
    "an edge between steps": lambda: SCHEMA.category(Bands("odd", (0,))),
    "no edge inside": lambda: SCHEMA.category(Bands("age", (0, 100))),
    "two edges on one step": lambda: SCHEMA.category(Bands("pay", (0.3, 0.31))),
    "a width of zero": lambda: SCHEMA.category(Bands("age", every=0)),
    "a width below zero": lambda: SCHEMA.category(Bands("age", every=-1)),
    "a width beyond the range": lambda: SCHEMA.category(Bands("age", every=1000)),
    "too many bands": lambda: SCHEMA.category(Bands("free", every=1e-5)),
    "a text for numbers": lambda: SCHEMA.category(Bands("age", every="year")),
    "a number for dates": lambda: SCHEMA.category(Bands("admitted", every=10)),
    "no period": lambda: SCHEMA.category(Bands("admitted", every="decade")),
    "quarters of years": lambda: SCHEMA.category(Bands("year", every="quarter")),
    "hours of days": lambda: SCHEMA.category(Bands("admitted", every="hour")),
    "months of years": lambda: SCHEMA.category(Bands("year", every="month")),
    "weekdays of years": lambda: SCHEMA.category(Bands("year", every="weekday")),
    "a day beyond the bounds": lambda: SCHEMA.category(Bands("admitted", ("2030-01-01",))),
    "no day": lambda: SCHEMA.category(Bands("admitted", ("soon",))),
    "bands of a category": lambda: SCHEMA.category(Bands("sex", every=1)),
    "edges and a width": lambda: Bands("age", (18,), 10),
    "neither": lambda: Bands("age"),
    "an edge that is no number": lambda: Bands("age", (float("nan"),)),
    "an edge beyond every double": lambda: Bands("age", (10**400,)),
    "an edge that is a truth": lambda: Bands("age", (True,)),
    "a long text": lambda: Bands("age", ("9" * 100,)),
    "names that are alike": lambda: Schema({"x": Number(1e15, 1e15 + 4, step=0.25)}).category(
        Bands("x", (1e15 + 0.25, 1e15 + 0.5))
    ),
    "no grouping in a file": lambda: grouping_of({"bands": 5}),
    "an unknown field in a file": lambda: grouping_of({"bands": "age", "every": 5, "more": 1}),
    "no text typed": lambda: bands_of("age", " , "),
}


@for_each(REFUSED)
def test_what_makes_no_bands_is_refused(name: str) -> None:
    """Before any row is read, with a sentence."""
    with pytest.raises(ParameterError):
        REFUSED[name]()


def test_bands_survive_files_and_fields() -> None:
    """One value, however it is written; a column is grouped by once, and old queries keep their hash."""
    several = (Bands("age", every=10), Bands("age", (18, 65)), Bands("age", (65,)), Bands("pay", (0.3,)))
    dated = (Bands("admitted", every="quarter"), Bands("hour", every="hour"), Bands("admitted", ("2020-01-01",)))
    for bands in (*several, *dated):
        assert grouping_of(bands.plain()) == bands == bands_of(bands.column, typed(bands))
        request = Request(Geometric(epsilon=1.0), ("age",), by=(bands, "sex"))
        assert rebuilt(plain(request)) == request and rebuilt(plain(request)).identity == request.identity
        task = Task.of(SCHEMA, ("age",), (bands, "sex"), ())
        assert Task.from_json(task.to_json()) == task and set(task.reads) == {"age", bands.column, "sex"}
    assert bands_of("age", "65") == Bands("age", every=65) != bands_of("age", "≥65") == Bands("age", (65,))
    assert bands_of("admitted", "2020-01-01") == Bands("admitted", ("2020-01-01",))
    assert Bands("age", every=np.int64(10)) == Bands("age", every=10.0) == Bands("age", every=10)
    assert Request(Geometric(epsilon=1.0), ("age",), by=Bands("age", every=5)).identity != request.identity
    with pytest.raises(ParameterError, match="already used for grouping"):
        Request(Geometric(epsilon=1.0), ("age",), by=(Bands("age", every=5), Bands("age", every=10))).check(SCHEMA)
    plainly = Request(Geometric(epsilon=1.0), ("age",), by="sex")
    assert plainly.identity == "c18399325f38382b65dc6dd217270415c73c70ddbfd8def292918ef010556272"


def test_counts_by_bands_are_those_of_the_rows() -> None:
    """A column may be counted by its own bands, crossed with a category, with the person's cap before."""
    rows = [(who, age, sex) for who in "pqr" for age, sex in ((5, "f"), (18, "m"), (30, "f"), (99, "m"), (None, "f"))]
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate(("who", "age", "sex"))})
    bands = Bands("age", (18, 65))
    schema = Schema({"age": AGE, "sex": Category(("f", "m"))})
    counts = LocalSource(table).counts(Task.of(schema, ("age",), (bands, "sex"), ()))
    assert counts.by_cell().tolist() == [3, 0, 3, 3, 0, 3]
    limited = Schema({**schema.columns, "who": Person(rows=2)})
    task = Task.of(limited, (), (bands,), ())
    assert task.person is not None and task.cells == 3
