"""Folders: many files of Parquet answer as the one file of their rows would."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.budget import Cost, ParameterError, SessionLedger
from discreet.curator import Curator, Request
from discreet.curator.refining import refine
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import registry
from discreet.queries.sum import Sum
from discreet.rows import Category, Dataset, LocalSource, Number, OpenData, Person, Schema
from discreet.rows.engines.folder import Folder, FolderSource, LiveFolder, opened
from discreet.rows.persons import DrawnLots

AGE = Number(0, 100, integer=True)
COLUMNS = {"age": AGE, "pay": Number(0, 5000), "town": Category(("north", "south"), other=True)}
SCHEMAS = {
    "rows": Schema(COLUMNS),
    "people": Schema({**COLUMNS, "who": Person(rows=2)}),
    "means": Schema({**COLUMNS, "who": Person(reduce="mean")}),
}


def rows(size: int = 6000) -> pa.Table:
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


def cut(table: pa.Table, folder: Path, parts: int = 5, **options: Any) -> Path:
    """Write a table as so many files, the last without a row."""
    folder.mkdir(exist_ok=True)
    size = -(-table.num_rows // (parts - 1))
    for at in range(parts):
        pq.write_table(table.slice(at * size, size), folder / f"part-{at:03}.parquet", row_group_size=700, **options)
    return folder


def everything(data: Dataset) -> list[Any]:
    """Return all views with the same lots."""
    lots = DrawnLots(SimulationNoise(7))
    columns = [data.column(name, (), lots) for name in ("age", "pay")]
    columns += data.grouped("age", ("town",), (), lots).values()
    levels = [(column.levels.tolist(), column.counts.tolist()) for column in columns]
    return [*levels, data.scores("town", (), lots).counts.tolist()]


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_folder_answers_like_the_file_of_its_rows(kind: str, tmp_path: Path) -> None:
    """Bit for bit, by its path, by a pattern, live or not; whatever else lies there is no row."""
    table, schema = rows(), SCHEMAS[kind]
    folder = cut(table, tmp_path / "parts")
    pq.write_table(table, tmp_path / "whole.parquet")
    (folder / "_SUCCESS").touch()
    (folder / ".part-000.parquet.crc").touch()
    (folder / "readme.txt").write_text("no rows")
    here = everything(OpenData(LocalSource(tmp_path / "whole.parquet"), schema))
    for source in (opened(str(folder)), opened(f"{folder}/part-*.parquet"), LiveFolder(Folder(str(folder)))):
        assert list(source.names) == table.column_names
        assert everything(OpenData(source, schema)) == here
    assert OpenData(opened(str(folder)), schema).head(9).num_rows == 9


def test_a_file_is_opened_as_ever(tmp_path: Path) -> None:
    """Also one whose name looks like a pattern."""
    pq.write_table(rows(9), tmp_path / "a[1].parquet")
    assert type(opened(str(tmp_path / "a[1].parquet"))) is LocalSource
    with pytest.raises(ParameterError, match="File not found"):
        opened(str(tmp_path / "none.parquet"))


def test_the_content_of_all_files_names_the_budget(tmp_path: Path) -> None:
    """Neither their names nor their place; one cell more is another content."""
    table = rows(500)
    folder = cut(table, tmp_path / "one")
    other = shutil.copytree(folder, tmp_path / "two")
    (other / "part-000.parquet").rename(other / "zz.parquet")
    assert FolderSource(folder).digest == FolderSource(other).digest == FolderSource(f"{folder}/*").digest
    pq.write_table(table.slice(0, 1), other / "more.parquet")
    assert FolderSource(folder).digest != FolderSource(other).digest
    assert Folder(str(folder)).digest != Folder(str(other)).digest


def test_a_column_may_be_empty_or_told_by_number_in_some_files(tmp_path: Path) -> None:
    """As writers do with a column of nothing, and with levels."""
    tmp_path.joinpath("f").mkdir()
    for at, town in enumerate((pa.array(["north", "x"]), pa.array(["south", "x"]).dictionary_encode(), pa.nulls(2))):
        columns = {"age": pa.array([at, at]), "town": town}
        pq.write_table(pa.table(dict(sorted(columns.items(), reverse=at == 1))), tmp_path / f"f/{at}.parquet")
    data = OpenData(FolderSource(tmp_path / "f"), Schema({"age": AGE, "town": COLUMNS["town"]}))
    lots = DrawnLots(SimulationNoise(0))
    assert data.column("age", (), lots).counts.tolist() == [2, 2, 2]
    assert data.scores("town", (), lots).counts.tolist() == [1, 1, 4]


def other_type(folder: Path) -> None:
    """Write one column with another type."""
    pq.write_table(pa.table({"age": pa.array([4711.5]), "town": ["x"]}), folder / "b.parquet")


def other_columns(folder: Path) -> None:
    """Write one column more."""
    pq.write_table(pa.table({"age": [4711], "town": ["x"], "more": ["x"]}), folder / "b.parquet")


def no_parquet(folder: Path) -> None:
    """Write something else."""
    (folder / "b.parquet").write_text("age,town\n4711,x\n")


def nothing(folder: Path) -> None:
    """Take the only file away."""
    (folder / "a.parquet").unlink()


def elsewhere(folder: Path) -> None:
    """Lead out of the folder."""
    pq.write_table(pa.table({"age": [4711], "town": ["x"]}), folder.parent / "secret.parquet")
    (folder / "b.parquet").symlink_to(folder.parent / "secret.parquet")


def double(folder: Path) -> None:
    """Write a column twice."""
    (folder / "a.parquet").unlink()
    pq.write_table(pa.Table.from_arrays([pa.array([4711])] * 2, ["age", "age"]), folder / "b.parquet")


HARMS = {
    other_type: "different types in the files",
    other_columns: "different columns",
    no_parquet: "is not Parquet",
    nothing: "no Parquet files",
    elsewhere: "link",
    double: "same name",
}


@pytest.mark.parametrize("harm", HARMS)
def test_files_that_are_not_one_table_are_refused(harm: Callable[[Path], None], tmp_path: Path) -> None:
    """In a sentence without a cell or a path of theirs."""
    folder = tmp_path / "f"
    folder.mkdir()
    pq.write_table(pa.table({"age": [4711], "town": ["x"]}), folder / "a.parquet")
    FolderSource(folder)
    harm(folder)
    for work in (lambda: FolderSource(folder), lambda: LiveFolder(Folder(str(folder))).names):
        with pytest.raises(ParameterError, match=HARMS[harm]) as refused:
            work()
        assert "4711" not in str(refused.value) and "parquet/" not in str(refused.value)


def rewritten(folder: Path) -> None:
    """Write other rows into a file."""
    pq.write_table(rows(100), folder / "part-001.parquet")


def gone(folder: Path) -> None:
    """Take a file away."""
    (folder / "part-001.parquet").unlink()


def replaced(folder: Path) -> None:
    """Put another file of the same length and time in the place of one."""
    file = folder / "part-001.parquet"
    facts = file.stat()
    shutil.copy(file, folder / "new")
    os.utime(folder / "new", ns=(facts.st_atime_ns, facts.st_mtime_ns))
    (folder / "new").rename(file)


def cut_off(folder: Path) -> None:
    """Cut a file off."""
    os.truncate(folder / "part-001.parquet", 50)


@pytest.mark.parametrize("harm", [rewritten, gone, replaced, cut_off])
def test_files_that_change_while_they_are_read_are_refused(harm: Callable[[Path], None], tmp_path: Path) -> None:
    """An answer is about the rows of one moment, and under the digest of these rows."""
    folder = cut(rows(), tmp_path / "f")
    source, seen = FolderSource(folder), list[int]()

    def kernel(batch: pa.RecordBatch) -> int:
        if not seen:
            harm(folder)
        seen.append(batch.num_rows)
        return batch.num_rows

    with pytest.raises(ParameterError, match="A file in this folder is damaged or was"):
        source.map(kernel, ["age"], 0)
    with pytest.raises(ParameterError, match="A file in this folder is damaged or was"):
        source.head(["age"], 5)


def test_new_rows_of_a_live_folder_are_seen(tmp_path: Path) -> None:
    """At the next question: files come, go and change, the digest stays."""
    folder = cut(rows(400), tmp_path / "f", parts=3)
    source = LiveFolder(Folder(str(folder)))
    digest = source.digest

    def count() -> int:
        return source.map(lambda batch: batch.num_rows, ["age"], 0)

    assert count() == 400
    pq.write_table(rows(7), folder / "more.parquet")
    assert count() == 407
    pq.write_table(rows(9), folder / "more.parquet")
    assert count() == 409
    (folder / "part-000.parquet").unlink()
    assert count() == 209 and source.digest == digest


@pytest.mark.parametrize("path", ["", "rows", "./rows", "/srv/../etc", "/srv/x/", "/a\0b", None, 5])
def test_other_places_are_refused(path: Any) -> None:
    """Before anything is opened."""
    with pytest.raises(ParameterError, match="This is not a folder"):
        Folder(path)


def test_a_folder_is_written_and_read(tmp_path: Path) -> None:
    """As text, for the vault; a link to a folder is the folder."""
    folder = Folder(str(cut(rows(9), tmp_path / "f")))
    (tmp_path / "g").symlink_to(tmp_path / "f")
    assert Folder.from_json(folder.to_json()) == folder
    assert Folder(str(tmp_path / "g")).digest == folder.digest
    assert Folder(str(tmp_path / "g")).source().settled().where == folder
    for text in ("", "[]", "null", '{"path": 5}', '{"path": "/x", "more": 1}'):
        with pytest.raises(ParameterError):
            Folder.from_json(text)


def test_an_answer_is_refined_of_the_files_as_they_were_read(tmp_path: Path) -> None:
    """Files with other names are read in another order, where another row of a person would count."""
    table = pa.table({"who": [f"p{at}" for at in range(60)] * 2, "x": [0] * 60 + [1] * 60})
    for at, name in enumerate(("a", "b")):
        pq.write_table(table.slice(60 * at, 60), tmp_path / f"{name}.parquet")
    schema, ledger = Schema({"who": Person(1), "x": Number(0, 1, integer=True)}), SessionLedger(Cost.of(50))
    before = FolderSource(tmp_path)
    first = Curator(Dataset(before, schema), ledger, tick=0)
    question = Request(registry["laplace"](query=Sum(), epsilon=10.0), ("x",))
    asked = first.ask(question)
    assert abs(refine(first, asked.id, 20.0).answer - asked.answer) < 2
    asked = first.ask(question, "again")
    (tmp_path / "a.parquet").rename(tmp_path / "c.parquet")
    after = FolderSource(tmp_path)
    assert before.digest == after.digest  # one budget, whatever the files are called
    with pytest.raises(ParameterError, match="This result cannot be improved: the data or"):
        refine(Curator(Dataset(after, schema), ledger, tick=0), asked.id, 20.0)
