"""Arrow streams: the frame of another library answers as the table of its rows would."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

from discreet.budget import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.rows import ArrowSource, Category, Dataset, LocalSource, Number, Person, Schema
from discreet.rows.engines import arrow
from discreet.rows.intake.sandbox import ROWS
from discreet.rows.persons import DrawnLots

SCHEMA = Schema(
    {
        "age": Number(0, 100, integer=True),
        "pay": Number(0, 5000),
        "town": Category(("north", "south"), other=True),
        "who": Person(rows=2),
    }
)


def rows(size: int = 3000) -> pa.Table:
    """Draw rows, some of their cells missing."""
    u = SimulationNoise(1).uniforms(size, 4)
    return pa.table(
        {
            "age": pa.array((u[:, 0] * 140 - 20).astype(np.int64), mask=u[:, 3] < 0.1),
            "pay": pa.array(u[:, 1] * 6000 - 500, mask=u[:, 2] < 0.1),
            "town": pa.array(np.array(["north", "south", "elsewhere", ""])[(u[:, 2] * 4).astype(int)]),
            "who": pa.array([f"P{int(x)}" for x in u[:, 3] * size / 3]),
        }
    )


def everything(data: Dataset) -> list[Any]:
    """Return all views with the same lots."""
    lots = DrawnLots(SimulationNoise(7))
    columns = [data.column(name, (), lots) for name in ("age", "pay")]
    columns += data.grouped("age", ("town",), (), lots).values()
    levels = [(column.levels.tolist(), column.counts.tolist()) for column in columns]
    return [*levels, data.scores("town", (), lots).counts.tolist()]


def frame(table: pa.Table) -> Any:
    """Hand rows over as pandas does."""
    return table.to_pandas()


def arrow_frame(table: pa.Table) -> Any:
    """Hand rows over as pandas does whose columns are Arrow's."""
    return table.to_pandas(types_mapper=pd.ArrowDtype)


def views(table: pa.Table) -> Any:
    """Hand rows over as Polars and DuckDB do: texts as views."""
    return table.set_column(2, "town", table["town"].cast(pa.string_view()))


def numbered(table: pa.Table) -> Any:
    """Hand levels over by number."""
    return table.set_column(2, "town", table["town"].dictionary_encode())


def numbered_views(table: pa.Table) -> Any:
    """Hand levels over by number, as Polars does: each is a view."""
    town = table["town"].combine_chunks().dictionary_encode()
    levels = pa.DictionaryArray.from_arrays(town.indices.cast(pa.uint32()), town.dictionary.cast(pa.string_view()))
    return table.set_column(2, "town", levels)


def used_up(table: pa.Table) -> Any:
    """Hand over what can be read once only."""
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=300))


def scanned(table: pa.Table) -> Any:
    """Hand over a query's reader."""
    return ds.dataset(table).scanner(batch_size=99).to_reader()


@cache
def in_memory() -> list[Any]:
    """Return what the table of the rows answers, with which all ways are compared."""
    return everything(Dataset(LocalSource(rows()), SCHEMA))


WAYS = [lambda table: table, frame, arrow_frame, views, numbered, numbered_views, used_up, scanned]


@pytest.mark.parametrize("held", [2**30, 0], ids=["memory", "disk"])
@pytest.mark.parametrize("way", WAYS)
def test_a_stream_answers_like_the_table_of_its_rows(
    way: Any, held: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Bit for bit, twice: in memory or out of core, whatever hands the rows over, also once only."""
    monkeypatch.setattr(arrow, "HELD", held)
    source = ArrowSource(way(rows()), tmp_path)
    for _ in range(2):
        assert everything(Dataset(source, SCHEMA)) == in_memory()
    assert list(source.names) == rows().column_names and not list(tmp_path.iterdir())


@pytest.mark.parametrize("held", [2**30, 0], ids=["memory", "disk"])
def test_the_content_names_the_budget(held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In whatever pieces it comes; one cell more is another content."""
    monkeypatch.setattr(arrow, "HELD", held)
    table = pa.concat_tables([rows(ROWS), rows(ROWS // 2 + 7)])
    pieces = [table, table.combine_chunks(), pa.concat_tables([table[:77], table[77:]]), views(table)[:]]
    pieces += [pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=999))]
    digests = [ArrowSource(piece).digest for piece in pieces]
    assert len({*digests[:3], digests[4]}) == 1
    assert ArrowSource(table.slice(1)).digest != digests[0]
    if held:
        assert digests[0] == LocalSource(table).digest


def test_rows_are_those_of_the_first_look() -> None:
    """Whatever becomes of the frame afterwards: the digest and all answers are of the same rows."""
    table = rows(50).to_pandas()
    source = ArrowSource(table)
    before = everything(Dataset(source, SCHEMA))
    digest = source.digest
    table.loc[:, "age"] = 99
    assert everything(Dataset(source, SCHEMA)) == before and source.digest == digest


class Torn:
    """A stream that breaks, with a cell in its words."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Begin and fail."""

        def batches() -> Iterator[pa.RecordBatch]:
            yield pa.record_batch({"age": [1]})
            raise ValueError("secret cell 4711")

        schema = pa.schema([("age", pa.int64())])
        return pa.RecordBatchReader.from_batches(schema, batches()).__arrow_c_stream__()


def not_text() -> pa.Table:
    """Return bytes that say they are text."""
    cells = pa.array([b"4711\xff"])
    return pa.table({"age": pa.Array.from_buffers(pa.string(), 1, cells.buffers())})


@pytest.mark.parametrize(
    "data",
    [
        Torn(),
        not_text(),
        pd.DataFrame({"age": [4711, "x", datetime.date(2000, 1, 1)]}),
        pa.table([pa.array([4711])] * 2, ["age", "age"]),
        pa.table({"": [4711]}),
        pa.table({}),
        {"age": [4711]},
        [4711],
        None,
    ],
)
def test_what_is_no_table_is_refused(data: Any) -> None:
    """In a sentence without a cell."""
    with pytest.raises(ParameterError) as refused:
        ArrowSource(data)
    assert "4711" not in str(refused.value) and refused.value.__cause__ is None
