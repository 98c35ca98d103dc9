"""Hostile files: what is made to take the server's time, memory or trust takes none of it.

No speed is claimed here. What grew with the square of its length would not end while anybody waits:
an alarm says so instead of a test that hangs.
"""

from __future__ import annotations

import gc
import io
import json
import signal
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from discreet.budget.errors import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.queries.column import Climbed
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, Schema, codebooks, dataset
from discreet.rows.capacity import LOOK
from discreet.rows.cells import LONGEST, text
from discreet.rows.codebooks import codebook, smartnoise
from discreet.rows.dataset import Shelf, weight
from discreet.rows.files import formats, suggest
from discreet.rows.files.format import fields
from discreet.rows.intake.opening import Keeping
from discreet.rows.persons import DrawnLots
from discreet.rows.proposals import proposed

PATIENCE = 30
LOTS = DrawnLots(SimulationNoise(0))


@contextmanager
def ends() -> Iterator[None]:
    """Fail if something goes on as if it had no end."""

    def ring(*_: Any) -> None:
        raise AssertionError("It goes on and on.")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "cell", ["1" * 60_000 + "x", "1" * 60_000, "1,'" * 20_000 + "x", "1" * 30_000 + " " * 30_000 + "x"]
)
def test_the_first_line_is_looked_at_once(cell: str) -> None:
    """Long digits in it keep nobody waiting, and are no error."""
    with ends():
        assert suggest(f"a;{cell};b\n1;2;3\n".encode()).format == "text"


def test_a_format_is_known_by_the_start_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large a file is, patterns see no more of it than its first bytes."""
    seen: list[int] = []
    for form in formats.values():
        looks = form.recognises
        monkeypatch.setattr(form, "recognises", lambda start, looks=looks: seen.append(len(start)) or looks(start))
    monkeypatch.setattr("discreet.rows.files.csv.refuse_foreign", lambda start: seen.append(len(start)))
    assert suggest(b" " * (2**20)).format == "text"
    assert max(seen) == LOOK


def test_variables_within_variables_are_looked_at_once() -> None:
    """A codebook of XML may nest as it likes."""
    nested = "<codeBook>" + "<var name='a'>" * 60_000 + "</var>" * 60_000 + "</codeBook>"
    with ends(), pytest.raises(ParameterError):
        codebooks.read(nested.encode(), ["a"])
    good = "<codeBook><var name='b'><valrng><range min='0' max='9'/></valrng></var>" + nested[10:]
    assert set(codebooks.read(good.encode(), ["a", "b"])[0]) == {"b"}


def test_a_number_of_yaml_has_an_end() -> None:
    """One that is written in sixtieths takes the square of its length."""
    assert not smartnoise._plain("a: " + ":".join(["1"] * 5_000))
    assert smartnoise._plain("a: 1:30")


SPOILED = [
    '{"fields": [{"name": "a", "constraints": {"enum": 5}}]}',
    '{"columns": {"a": {"kind": "number", "lower": 0, "upper": 1%s}}}' % ("0" * 400),
    '{"columns": {"a": {"kind": "number", "lower": 0, "upper": 1, "step": 1%s}}}' % ("0" * 400),
    '{"columns": {"a": {"kind": [1]}}}',
    '{"tableSchema": {"columns": [{"name": "a", "datatype": {"base": [1]}}]}}',
    "d: {t: {a: {type: int, lower: !!timestamp x}}}",
    "d: {t: {a: {type: int, lower: !!bool x}}}",
    "d: {t: {a: {type: int, lower: !!int ''}}}",
    "d: {t: {max_ids: .inf, a: {type: int, private_id: true}}}",
]


@pytest.mark.parametrize("words", SPOILED)
def test_a_spoiled_codebook_ends_in_a_sentence(words: str) -> None:
    """And in no error of another kind."""
    with pytest.raises(ParameterError):
        codebooks.read(words.encode(), ["a"])


def test_a_list_of_levels_may_be_longer_than_a_cell() -> None:
    """What is no list of commas is cut as it stands."""
    levels = codebooks.read(b"a; x" + b" " * 200_000 + b", y", ["a"])[0]["a"]
    assert isinstance(levels, Category) and len(levels.levels) == 2


def test_as_many_levels_as_there_may_be_are_looked_up_once() -> None:
    """By cells, and by a filter that names all of them."""
    levels = tuple(f"{at}" for at in range(100_000))
    many = Category(levels)
    with ends():
        assert many.codes(pa.array(["7", "7.0", "x"])).tolist() == [7, 7, -1]
        assert many.passes(pa.array(["7", "x"]), "in", levels).tolist() == [True, False]


def test_long_names_of_many_columns_are_looked_up_once() -> None:
    """A header is proposed for while its visitor waits."""
    with ends():
        assert proposed(["Ab" * 98 + str(at) for at in range(8_000)]) == {}
        names = fields(["a"] * 60_000, pa.large_string()).names
    assert names[:3] == ["a", "a (2)", "a (3)"] and len(set(names)) == len(names)


def said_beside(note: bytes) -> dict[str, bytes]:
    """Return a table as files that say something beside their columns."""
    table = pa.table({"a": [1, 2]}).replace_schema_metadata({b"discreet.labels": note, b"discreet.sheets": note})
    parquet, arrow = io.BytesIO(), io.BytesIO()
    pq.write_table(table, parquet)
    feather.write_feather(table, arrow)
    return {"parquet": parquet.getvalue(), "feather": arrow.getvalue()}


@pytest.mark.parametrize("note", [b'{"a": {"values": {"1": "x", "2": "y"}}}', b"[1]", b"{", b"[" * 100_000, b"5"])
@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_no_file_speaks_in_the_name_of_its_reader(kind: str, note: bytes) -> None:
    """What is noted of a file is written by who reads it: a file's own words are neither believed nor read."""
    keeping = Keeping()
    LocalSource(said_beside(note)[kind], keeping=keeping)
    assert keeping.notes == {}


def test_half_a_sign_in_one_cell_leaves_all_others() -> None:
    """A cell of JSON that is no text is missing, each by itself."""
    rows = LocalSource(json.dumps([{"a": "x"}, {"a": "\ud800"}, {"a": "y"}]).encode()).head(["a"], 3)
    assert rows["a"].to_pylist() == ["x", None, "y"]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()])
def test_an_endless_cell_is_missing(kind: pa.DataType) -> None:
    """One row whose cell is longer than any column may hold takes no time of its own."""
    cells = pa.array(["a" * (LONGEST + 1), "b" * 10, None, " c"], pa.string()).cast(kind)
    assert text(cells).to_pylist() == [None, "b" * 10, None, "c"]
    assert text(cells[1:]).to_pylist() == ["b" * 10, None, "c"]


def test_views_that_stay_at_hand_have_one_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many filters are asked of however many rows: the oldest views go, and all do with their dataset."""
    shelf = Shelf(2**20)
    monkeypatch.setattr(dataset, "SHELF", shelf)
    numbers = np.arange(5_000) / 5_000
    rows = Dataset(LocalSource(pa.table({"a": numbers})), Schema({"a": Number(0, 1)}))
    views = [weakref.ref(rows.column("a", (Filter("a", ">", at / 1000),), LOTS)) for at in range(50)]
    assert shelf.weight <= 2**20 and 0 < sum(view() is not None for view in views) < 20
    again = rows.column("a", (Filter("a", ">", 0.049),), LOTS)
    assert again is views[-1]()
    del rows, again
    gc.collect()
    assert not any(view() for view in views)


def test_a_codebook_of_columns_without_end_is_refused() -> None:
    """Each that it speaks of takes its time, also those that the data do not have."""
    lines = [f"c{at}: 0 to {at + 1}\n" for at in range(codebook.MOST + 1)]
    with pytest.raises(ParameterError, match="at most 10,000 columns"):
        codebooks.read("".join(lines).encode(), ["c1"])
    assert codebooks.read("".join(lines[1:]).encode(), ["c1"])[0] == {
        "c1": Number(0, 2, integer=True, origin="codebook")
    }


def test_a_view_is_weighed_while_something_is_noted_on_it() -> None:
    """Another question writes into it meanwhile; what fell over that was a refusal, and charged."""
    column = Dataset(LocalSource(pa.table({"a": [1.0, 2.0]})), Schema({"a": Number(0, 9)})).column("a", (), LOTS)

    class Slow:
        def __getattribute__(self, name: str) -> Any:
            column.ladders.climbed[len(column.ladders.climbed)] = Climbed()
            return object.__getattribute__(self, name)

    column.ladders.climbed.update(dict.fromkeys(("first", "second"), cast(Climbed, Slow())))
    assert weight(column) > 0 and len(column.ladders.climbed) > 2


def test_what_is_noted_on_a_view_counts() -> None:
    """Ladders are put on a column long after it stands there."""
    column = Dataset(LocalSource(pa.table({"a": [1.0, 2.0]})), Schema({"a": Number(0, 9)})).column("a", (), LOTS)
    before = weight(column)
    column.ladders.of("median").rungs = np.zeros(1000)
    assert weight(column) >= before + 8000
