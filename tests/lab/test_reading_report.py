"""The reading report: what is read of open data is counted exactly, and what is not is shown; no truth is of nobody."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from discreet.budget.errors import ParameterError
from discreet.curator import Request
from discreet.lab import explain
from discreet.lab.experiment import NOBODY, NoRows, open_column
from discreet.lab.reading_check import Reported, report, shown
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.queries.mean import Mean
from discreet.rows import ArrowSource, Category, Dataset, Date, Filter, LocalSource, Number, OpenData, Person, Schema

BRACKETS = ["(1,234.50)" if at % 3 else "100" for at in range(500)]
THOUSANDS = [f"{6_971_805 + at:,}" for at in range(500)]
SHARES = [f"{at % 100}.3%" for at in range(500)]
DAYS = [f"{1 + at % 28:02}.{1 + at % 12:02}.2001" for at in range(500)]


def column_of(cells: list[str | None], declared: Any, **more: Any) -> Reported:
    """Return what is said of one column."""
    table = pa.table({"x": pa.array(cells, pa.large_string())} | more)
    columns = {"x": declared} | ({"who": Person()} if more else {})
    (line,) = report(OpenData(LocalSource(table), Schema(columns)))
    return line


@pytest.mark.parametrize(
    ("cells", "declared", "read", "first"),
    [
        (BRACKETS, Number(-5000, 5000), 167, "(1,234.50)"),
        (THOUSANDS, Number(0, 10_000_000, integer=True), 0, "6,971,805"),
        (SHARES, Number(0, 100), 0, "0.3%"),
        (DAYS, Date("1900-01-01", "2100-12-31"), 0, "01.01.2001"),
        ([*map(str, range(497)), "", None, "n/a"], Number(0, 500), 497, None),
        (["a"] * 400 + ["A"] * 100, Category(("a",)), 400, "A"),
    ],
)
def test_what_is_read_is_counted_and_what_is_not_is_shown(
    cells: Any, declared: Any, read: int, first: str | None
) -> None:
    """Brackets, thousands, per cent, dates in another order; what is missing is no fault."""
    line = column_of(cells, declared)
    assert (line.reading.rows, line.cells, line.reading.width) == (read, 500, 0)
    assert line.reading.good is (first is None) and line.unread[:1] == (() if first is None else (first,))
    assert len(line.unread) <= 3
    missing = line.reading.missing
    assert missing is not None and missing.rows == (3 if first is None else 0)


def test_an_empty_cell_is_missing_and_no_other_level() -> None:
    """It counts as another one in answers, and what is known of it is that nothing is there."""
    reading = column_of(["a"] * 400 + [""] * 60 + ["z"] * 40, Category(("a",), other=True)).reading
    assert reading.missing is not None and (reading.rows, reading.missing.rows, reading.good) == (440, 60, True)


def test_rows_are_counted_whosever_they_are() -> None:
    """A cap of rows a person leaves rows out of answers, and none out of the report."""
    assert column_of(["1"] * 500, Number(0, 5), who=["p"] * 500).reading.rows == 500


def test_a_stream_says_the_same() -> None:
    """Cells are found wherever batches come from."""
    table = pa.table({"x": [*["1"] * 30, "x", "y", "z", "w"]})
    for source in (
        LocalSource(table),
        ArrowSource(pa.RecordBatchReader.from_batches(table.schema, table.to_batches(7))),
    ):
        (line,) = report(OpenData(source, Schema({"x": Number(0, 9)})))
        assert line.unread == ("x", "y", "z") and line.reading.rows == 30


def test_a_long_or_hostile_cell_is_cut_and_cannot_steer() -> None:
    """It is text of somebody else's."""
    assert shown("a\u202eb\nc") == "a·b·c" and shown("x" * 1000) == "x" * 40 + "…"


def test_protected_data_have_no_report() -> None:
    """Whatever a type checker has seen."""
    data: Any = Dataset(LocalSource(pa.table({"x": ["1"]})), Schema({"x": Number(0, 9)}))
    with pytest.raises(ParameterError, match="never shown"):
        report(data)


def test_no_row_has_no_truth() -> None:
    """A mean of nobody is no 5,000,000: whatever would show it has nothing to stand on, and says so."""
    table = pa.table({"x": THOUSANDS, "g": ["a"] * 500})
    data = OpenData(LocalSource(table), Schema({"x": Number(0, 10_000_000), "g": Category(("b",))}))
    mean = Request(GlobalLaplace(Mean(), 1.0), ("x",))
    ((_, view),) = explain.views(data, mean)
    assert explain.nobody(data, mean) and explain.truth(data, mean, view) is None
    for look in (lambda: open_column(data, "x"), lambda: explain.ground(data, "x"), lambda: explain.counts(data, "g")):
        with pytest.raises(NoRows, match=str(NOBODY)):
            look()
    read = OpenData(data._source, Schema({"x": Number(0, 10_000_000, thousands=","), "g": Category(("a", "b"))}))
    assert not explain.nobody(read, mean) and explain.truth(read, mean, explain.views(read, mean)[0][1]) > 6_000_000
    nobody = Request(mean.mechanism, ("x",), (Filter("g", "=", "b"),))
    assert explain.nobody(read, nobody) and explain.truth(read, nobody, explain.views(read, nobody)[0][1]) is None


@pytest.mark.parametrize(
    ("cells", "perhaps"),
    [
        (THOUSANDS, "1,234.5"),
        (["3.904,50"] * 9, "1.234,5"),
        (["1 234,5"] * 9, "1 234,5"),
        (BRACKETS, ""),
        (["x"] * 9, ""),
    ],
)
def test_numbers_are_perhaps_written_as_more_of_them_would_be_read(cells: Any, perhaps: str) -> None:
    """Open cells say it themselves; what no way reads has another cause."""
    assert column_of(cells, Number(0, 10_000_000)).reading.perhaps == perhaps
