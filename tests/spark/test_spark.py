"""Spark: a table of a cluster answers like the file of its rows, also where executors die."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.clusters import counted, lots, rows
from support.hard_cells import vectors

from discreet.budget import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.sample_aggregate import BlocksMedian
from discreet.office.datasets import places
from discreet.office.datasets.registry import dataset_of
from discreet.rows import Category, Dataset, Either, Filter, LocalSource, Number, Person, Schema
from discreet.rows.counting import Task
from discreet.rows.engines.folder import Folder
from discreet.rows.engines.spark import SparkSource
from discreet.rows.filters import Condition
from discreet.rows.persons import DrawnLots

COLUMNS = {
    "age": Number(0, 100, integer=True),
    "pay": Number(0, 5000),
    "to`wn.x": Category(("north", "south"), other=True),
}
PLAIN = Schema(COLUMNS)
WHERE = (
    Filter("pay", ">", 100.0),
    Filter("to`wn.x", "!=", "north"),
    Either((Filter("pay", "<", 900.0), Filter("to`wn.x", "in", ("south",)))),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the rows as several files."""
    folder, table = tmp_path_factory.mktemp("rows"), rows()
    for at in range(6):
        pq.write_table(table.slice(at * 3500, 3500), folder / f"{at}.parquet")
    return folder


@pytest.fixture(scope="module")
def source(session: Any, folder: Path) -> SparkSource:
    """Return the same rows as a table of the cluster."""
    session.read.parquet(str(folder)).createOrReplaceTempView("people")
    return SparkSource("people", session)


@pytest.mark.parametrize("where", [(), WHERE], ids=["all", "some"])
def test_counts_are_those_of_the_file(source: SparkSource, where: tuple[Condition, ...]) -> None:
    """Bit for bit: numbers, groups, levels, filters; columns may be called as they like."""
    assert list(source.names) == rows().column_names
    assert counted(Dataset(source, PLAIN), where) == counted(Dataset(LocalSource(rows()), PLAIN), where)


def test_the_mean_of_each_person_is_that_of_the_file(source: SparkSource) -> None:
    """No chance is in it, so it is the same to the last bit."""
    schema = Schema({**COLUMNS, "who": Person(reduce="mean")})
    for name in ("age", "pay"):
        here, there = (Dataset(data, schema).column(name, (), lots()) for data in (LocalSource(rows()), source))
        assert (here.levels.tolist(), here.counts.tolist()) == (there.levels.tolist(), there.counts.tolist())


@pytest.mark.parametrize("m", [1, 3])
def test_every_person_has_as_many_rows_as_are_declared(source: SparkSource, m: int) -> None:
    """As many in all as in the file; whoever has no more than m rows has the very same ones."""
    schema = Schema({**COLUMNS, "who": Person(rows=m)})
    here, there = (Dataset(data, schema).column("age", (), lots()) for data in (LocalSource(rows()), source))
    assert here.n == there.n
    each = rows().filter(pa.compute.is_in(rows()["who"], value_set=_rare(m)))
    table = pa.Table.from_batches(each.to_batches())
    source._session.createDataFrame(table).createOrReplaceTempView("rare")
    rare = Dataset(SparkSource("rare", source._session), schema).column("age", (), lots())
    alone = Dataset(LocalSource(table), PLAIN).column("age", (), lots())
    assert (rare.levels.tolist(), rare.counts.tolist()) == (alone.levels.tolist(), alone.counts.tolist())


def _rare(m: int) -> pa.Array:
    """Return whoever has at most m rows with an age."""
    sizes = rows().filter(pa.compute.is_valid(rows()["age"])).group_by("who").aggregate([("who", "count")])
    return sizes.filter(pa.compute.less_equal(sizes["who_count"], m))["who"].combine_chunks()


def test_blocks_are_of_persons(source: SparkSource) -> None:
    """Each estimate is of whole persons; without a column of persons there are none."""
    asked = BlocksMedian(estimator="mean", k=9, lower=-50.0, upper=5000.0).view
    schema = Schema({**COLUMNS, "who": Person(rows=1)})
    blocks = Dataset(source, schema).blocks(asked, ["pay"], (), lots())
    assert blocks.estimates.size == 9 and np.unique(blocks.estimates).size == 9
    whole = Dataset(LocalSource(rows()), PLAIN).column("pay", (), lots())
    mean = float(whole.bounds.value(whole.total / whole.n))
    assert np.all(np.abs(blocks.estimates - mean) < 250)
    with pytest.raises(ParameterError, match="a column that identifies people"):
        Dataset(source, PLAIN).blocks(asked, ["pay"], (), lots())


def test_errors_of_a_cluster_are_one_sentence(session: Any) -> None:
    """A table that is not there, a step that fails with a cell in its words, a cluster that forgets."""
    with pytest.raises(ParameterError, match="The table of the cluster cannot be read"):
        _ = SparkSource("nobody", session).names
    session.sql("SELECT raise_error('cell 4711') AS age").createOrReplaceTempView("broken")
    with pytest.raises(ParameterError) as refused:
        Dataset(SparkSource("broken", session), Schema({"age": COLUMNS["age"]})).column("age", (), lots())
    assert "4711" not in repr(refused.value) and refused.value.__suppress_context__
    session.conf.set("spark.sql.shuffle.orderIndependentChecksum.enabled", "false")
    try:
        with pytest.raises(ParameterError, match="Use Spark 4.1"):
            SparkSource("people", session)
    finally:
        session.conf.set("spark.sql.shuffle.orderIndependentChecksum.enabled", "true")


@pytest.mark.parametrize("name", vectors())
def test_hard_cells_are_the_same_on_a_cluster(session: Any, name: str) -> None:
    """Every neighbour of every edge stands on the same tick, and passes the same filters."""
    hard = vectors()[name]
    session.createDataFrame(hard.table).createOrReplaceTempView("hard")
    columns, by = (("x",), ()) if "x" in hard.schema.numbers else ((), ("x",))
    tasks = [Task.of(hard.schema, columns, by, where) for where in {hard.wheres[0], hard.wheres[-1]}]
    for task in [*tasks, *hard.in_bands, Task.of(hard.schema, (), ("x",), (), how_read=True)]:
        here, there = LocalSource(hard.table).counts(task), SparkSource("hard", session).counts(task)
        assert (there.places.tolist(), there.rows.tolist()) == (here.places.tolist(), here.rows.tolist())


def test_a_folder_that_the_cluster_wrote_is_counted_as_the_cluster_counts(
    source: SparkSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be registered, where a table of a cluster cannot; what else lies there tells of the writing alone."""
    goal = tmp_path / "registers" / "people"
    source._session.table("people").write.parquet(str(tmp_path / "written"))
    goal.parent.mkdir()
    (tmp_path / "written").rename(goal)
    assert {path.name for path in goal.iterdir()} > {path.name for path in goal.glob("*.parquet")}
    monkeypatch.setenv(places.FOLDERS, str(goal.parent))
    live = places.settled(Folder(str(goal)))
    assert counted(dataset_of(live, PLAIN)) == counted(Dataset(source, PLAIN))


def test_nobody_is_named_by_no_number_nor_by_an_endless_text(session: Any) -> None:
    """A cell that no column may hold stays on the cluster; rows of nobody do not count as those of one person."""
    rows = [(float("nan"), "n" * 512, 3), (float("nan"), "n" * 513, 50), (None, "n" * 900_000, 50), (1.0, "n", 4)]
    session.createDataFrame(rows, "id double, name string, v long").createOrReplaceTempView("nobody")
    source, value = SparkSource("nobody", session), Number(-100, 100, integer=True)
    for name, there in {"id": [4], "name": [3, 4]}.items():
        column = Dataset(source, Schema({name: Person(), "v": value})).column("v", (), DrawnLots(SimulationNoise(5)))
        assert sorted(column.values()) == there
    assert max(len(name or "") for name in source.head(["name"], 4)["name"].to_pylist()) == 513
