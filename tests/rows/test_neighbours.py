"""Neighbours: no row of a file decides how the cells of another row are read, in any format."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from discreet.budget.errors import ParameterError
from discreet.rows import LocalSource
from discreet.rows.calendar import ORDERS
from discreet.rows.columns import Category, Date, Number, YesNo
from discreet.rows.columns.person import person_words
from discreet.rows.files import Layout
from discreet.rows.files.excel import Excel

CELLS = (
    *("5", "-5", "+5", "5.", ".5", ".", "-", "--5", "1e3", "1e999", "9" * 16, "9" * 20, "9" * 400, "0.1", "01", "1.0"),
    *("1.234", "1,234", "1.234,5", "1 234", "1'234", "(5)", "57.3%", "5 €", "inf", "-inf", "NaN", "", " ", " 7 ", "x"),
    *("2020-01-31", "31.01.2020", "01/02/2020", "13/01/2020", "2020", "20200131", "5 Jan 2020", "2020-W05-3"),
    *("2020-01-31T10:00+02:00", "2020-01-31 10:00 PM", "M", "M ", "m", "true", "TRUE", "ja", "1E0", "é", "٣", "=1+1"),
)
ROW = st.fixed_dictionaries({"a": st.none() | st.sampled_from(CELLS)}, optional={"b": st.sampled_from(CELLS)})
TYPED = st.fixed_dictionaries({"a": st.none() | st.floats() | st.integers(-(2**53), 2**53) | st.booleans()})
ORDINARY = {"a": "5", "b": "5"}
KINDS = [
    Number(0, 2000),
    Number(-(2**62) + 1, 2**62 - 1, step=2**40, integer=True),
    Number(0, 2000, step=0.5, decimal=",", thousands=".", affixes=("€", "%", "()")),
    Number(0, 2000, thousands=" ", missing=7.0),
    *(Date("2000-01-01", "2030-01-01", order=order, zone="Europe/Paris") for order in ORDERS),
    Date("2000", "2030", grain="year"),
    Category(("M", "1", "true", "x"), other=True),
    YesNo(),
]
Rows = Sequence[dict[str, Any]]


def as_json(rows: Rows) -> bytes:
    """Write objects, each with what it has."""
    return "\n".join(map(json.dumps, rows)).encode()


def as_book(rows: Rows, header: bool = True) -> bytes:
    """Write a sheet; a cell that is missing is not there.

    NaN and endless numbers are written as texts: a workbook has an error in their place, and is refused.
    """
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True, "nan_inf_to_errors": True}) as book:
        page = book.add_worksheet()
        lines = [["a", "b"]] * header + [[row.get("a"), row.get("b")] for row in rows]
        for at, line in enumerate(lines):
            for place, cell in enumerate(line):
                if isinstance(cell, float) and not math.isfinite(cell):
                    cell = str(cell)
                write = page.write_string if isinstance(cell, str) else page.write
                if cell not in (None, ""):
                    write(at, place, cell)
    return sink.getvalue()


def as_nameless_book(rows: Rows) -> bytes:
    """Write the same without a line of names."""
    return as_book(rows, header=False)


def in_columns(rows: Rows) -> pa.Table:
    """Return texts in columns."""
    return pa.table({name: pa.array([row.get(name) for row in rows], pa.string()) for name in "ab"})


def as_parquet(rows: Rows) -> bytes:
    """Write texts that are repeated by number where that is shorter."""
    sink = io.BytesIO()
    pq.write_table(in_columns(rows), sink)
    return sink.getvalue()


def as_feather(rows: Rows) -> bytes:
    """Write texts by number."""
    sink, table = io.BytesIO(), in_columns(rows)
    feather.write_feather(pa.table({name: table[name].dictionary_encode() for name in "ab"}), sink)
    return sink.getvalue()


def cells(data: bytes, layout: Layout | None) -> list[tuple[str, list[Any]]] | str:
    """Return the cells of each column that is not there only for one row, or why nothing is read."""
    try:
        source = LocalSource(data, layout)
    except ParameterError as refused:
        return str(refused)
    table = source.head(source.names, 999)
    return [(name, column.to_pylist()) for name, column in zip(table.column_names, table.columns, strict=True)]


WAYS: dict[Callable[[Rows], bytes], Layout | None] = {
    as_json: None,
    as_book: None,
    as_nameless_book: Layout("excel", header=False),
    as_parquet: None,
    as_feather: None,
}


@pytest.mark.parametrize("way", WAYS)
@given(data=st.data())
def test_a_file_without_one_row_reads_the_others_as_before(way: Callable[[Rows], bytes], data: st.DataObject) -> None:
    """The same cells under the same names, whoever is left out; a row of ordinary cells stands last."""
    rows = data.draw(st.lists(ROW | TYPED if way in (as_json, as_book) else ROW, min_size=2, max_size=6))
    rows = [row for row in rows if any(cell not in (None, "") for cell in row.values())] + [ORDINARY]
    gone = data.draw(st.integers(0, len(rows) - 1))
    whole = dict(cells(way(rows), WAYS[way]))
    fewer = cells(way(rows[:gone] + rows[gone + 1 :]), WAYS[way])
    if isinstance(fewer, str):
        assert len(rows) == 1
        return
    for name, column in fewer:
        assert column == whole[name][:gone] + whole[name][gone + 1 :]
    assert len(rows) == 1 or gone == len(rows) - 1 or {name for name, _ in fewer} == set(whole)


def _forms(texts: list[str | None], form: pa.DataType) -> list[pa.Array]:
    """Return the same cells as plain texts, by number, and in the middle of others."""
    plain = pa.array(texts, form)
    return [plain, plain.dictionary_encode(), pa.array(["x", *texts, "5"], form).slice(1, len(texts))]


@given(
    texts=st.lists(st.none() | st.sampled_from(CELLS) | st.text("0123456789.,-+e' %()\u00a0", max_size=8), min_size=1),
    kind=st.sampled_from(KINDS),
    form=st.sampled_from([pa.string(), pa.large_string()]),
)
def test_cells_together_are_cells_alone(texts: list[str | None], kind: Any, form: pa.DataType) -> None:
    """Under every kind and every way of writing, whichever fast way a batch allows."""

    def read(array: pa.Array) -> list[Any]:
        if isinstance(kind, (Category, YesNo)):
            return list(kind.codes(array).tolist())
        ticks, there = kind.ticks(array)
        return [tick if is_there else None for tick, is_there in zip(ticks.tolist(), there.tolist(), strict=True)]

    alone = [read(pa.array([text], form))[0] for text in texts]
    assert [read(array) for array in _forms(texts, form)] == [alone] * 3


@given(texts=st.lists(st.none() | st.sampled_from(CELLS), min_size=1), fold=st.booleans())
def test_identifiers_together_are_identifiers_alone(texts: list[str | None], fold: bool) -> None:
    """By number, in the middle of others, and as they are."""

    def read(array: pa.Array) -> list[Any]:
        words, named = person_words(array, b"key", fold)
        return [word if name else None for word, name in zip(words.tolist(), named.tolist(), strict=True)]

    alone = [read(pa.array([text], pa.string()))[0] for text in texts]
    assert [read(array) for array in _forms(texts, pa.string())] == [alone] * 3


def test_a_workbook_that_is_read_again_goes_by_each_row_alone() -> None:
    """What is merged is refused while it is brought; afterwards no row takes a cell of another one."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        page = book.add_worksheet()
        page.write_row(0, 0, ["town", "age"])
        page.merge_range(1, 0, 2, 0, "A")
        page.write_column(1, 1, [30, 40])
    job = {"sheet": "", "skip": 0, "header": True, "unpacked": 2**30}
    refused, none = Excel().read(io.BytesIO(sink.getvalue()), job)
    assert not refused.names and not list(none)
    schema, batches = Excel().read(io.BytesIO(sink.getvalue()), job | {"again": True})
    meant = {"town": ["A", ""], "age": ["30", "40"]}
    assert pa.Table.from_batches(batches, schema).to_pydict() == meant
