"""JSON: objects of a list or of lines become rows; everything else says how rows are written."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.budget.errors import ParameterError
from discreet.rows import LocalSource, Number
from discreet.rows.files import Layout, json_lines, suggest
from discreet.rows.files.format import Wrong
from discreet.rows.intake.opening import read

ROWS = [
    {"age": 30, "town": "a, b"},
    {"town": None, "age": "x"},
    {"age": 2.5, "more": [1]},
    {"age": {"b": 1}, "town": True},
]
MEANT = {"age": ["30", "x", "2.5E0", None], "town": ["a, b", None, None, "true"], "more": [None] * 4}
LINES = "\n".join(map(json.dumps, ROWS))


@pytest.mark.parametrize(
    "content",
    [
        LINES,
        LINES + "\n\n",
        LINES.replace("\n", "\r\n"),
        "\ufeff" + LINES,
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2),
        " \n[\n" + ",\n".join(map(json.dumps, ROWS)) + "\n]\n",
        LINES.replace("\n", " "),
    ],
)
@pytest.mark.parametrize("piece", [1, 7, 2**20])
def test_objects_are_rows_however_they_stand(content: str, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On lines or in a list; the first ones name the columns; pieces end anywhere."""
    monkeypatch.setattr(json_lines, "PIECE_SIGNS", piece)
    data = content.encode()
    assert suggest(data) == Layout("json")
    schema, batches = json_lines.JsonLines().read(io.BytesIO(data), {})
    assert pa.Table.from_batches(batches, schema).to_pydict() == MEANT
    assert read(data, suggest(data)).to_pydict() == MEANT


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.none() | st.text(max_size=5) | st.booleans()), min_size=1))
def test_texts_truths_and_nothing_are_what_they_were(rows: list[dict[str, Any]]) -> None:
    """Cells of the columns of the first objects, for every row."""
    rows = [{"a": "first", "b": None}, *rows]
    table = read(json.dumps(rows).encode(), Layout("json")).to_pydict()
    named = dict.fromkeys(name for row in rows for name in row)
    meant = [[row.get(name) for row in rows] for name in named]
    assert list(table) == list(named) and list(table.values()) == [
        [str(c).lower() if isinstance(c, bool) else c for c in cells] for cells in meant
    ]


def test_a_number_is_its_own_digits() -> None:
    """Beyond what a double holds, and under every way of writing numbers in text."""
    data = (
        b'[{"pay": 9007199254740993}, {"pay": 1.234}, {"pay": 1e3}, {"pay": NaN}, {"pay": -Infinity}, {"pay": "1.234"}]'
    )
    assert read(data, suggest(data)).to_pydict()["pay"] == ["9007199254740993", "1.234E0", "1e3", None, "-inf", "1.234"]
    declared = Number(0, 2000, step=0.001, decimal=",", thousands=".")
    ticks, there = declared.ticks(read(data, suggest(data)).column("pay"))
    assert declared.bounds.value(ticks).round(9).tolist()[1:3] == [1.234, 1000] and there.tolist()[3] is False
    assert declared.bounds.value(ticks)[5] == 1234


def test_a_large_file_is_read_out_of_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And means the same as in memory."""
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps({"v": at}) for at in range(30_000)))
    monkeypatch.setattr("discreet.rows.intake.opening.SPOOL", 1000)
    assert LocalSource(path).map(lambda batch: batch.column("v").to_pylist(), ["v"], []) == list(
        map(str, range(30_000))
    )


def test_a_name_that_comes_late_is_said_while_a_file_is_brought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left out without a word, and what the first objects say decides about no cell of the others."""
    monkeypatch.setattr(json_lines, "FIRST", 2)
    rows = [{"a": 1}, {"b": 2, "a": 3}, {"a": 5}, {"a": 6, "late": 7}]
    data = "\n".join(map(json.dumps, rows)).encode()
    reader = json_lines.JsonLines()

    def table(**job: Any) -> Any:
        schema, batches = reader.read(io.BytesIO(data), job)
        return pa.Table.from_batches(batches, schema).to_pydict()

    with pytest.raises(Wrong) as wrong:
        table()
    assert (wrong.value.reason, wrong.value.line) == (json_lines.NAME, 4)
    assert "Object 4 has a name" in str(reader.refusal(json_lines.NAME, 4))
    assert table(again=True) == {"a": ["1", "3", "5", "6"], "b": [None, "2", None, None]}


@pytest.mark.parametrize("rows", [[{" a": 1, "a": 2}, {"a": 3}], [{"a": 2}, {" a": 1, "a": 3}], [{"a": 2}, {"a": 3}]])
def test_a_column_keeps_its_name_whatever_others_there_are(rows: list[dict[str, Any]]) -> None:
    """A name with blanks around it, which one row has, does not take that of all others."""
    assert read(json.dumps(rows).encode(), Layout("json")).to_pydict()["a"] == ["2", "3"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"count": 2, "rows": [{"a": 1}, {"a": 2}]}', "list of objects"),
        (LINES + "\n17", "cannot be read"),
        (LINES + '\n{"age"', "cannot be read"),
        (json.dumps(ROWS)[:-1], "cannot be read"),
        (json.dumps(ROWS) + "x", "cannot be read"),
        ('[{"a": 1}, 3]', "cannot be read"),
        ('{"a": ' * 99_999, "cannot be read"),
        ('{"age": {"0": 30, "1": 40}, "town": {"0": "a"}}', "list of objects"),
        ('{"type": {"x": 1}, "features": [{"a": 1}]}', "list of objects"),
        ("[[1, 2], [3, 4]]", "list of objects"),
        ('["a", "b"]', "list of objects"),
        ("{}", "has no keys"),
        ('{"a\\u202eb": 1}', "control or direction"),
    ],
)
def test_what_is_no_list_of_rows_says_how_rows_are_written(content: str, says: str) -> None:
    """In a sentence, that quotes nothing."""
    with pytest.raises(ParameterError, match=says):
        LocalSource(content.encode())
