"""The functions that a cluster runs, run here: however rows are cut, persons count as declared, by chance alone."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from discreet.rows import Bands, Category, Number, Person, Recode, Schema
from discreet.rows.counting import Task
from discreet.rows.engines.cluster import capping, counting, finishing

PEOPLE, EACH = 1500, 4
FALSE_ALARM = 1e-9
COLUMNS = {"x": Number(0, EACH - 1, integer=True), "g": Category(("a", "b"))}
CUTS: dict[str, Any] = {  # the place in a part, in a batch and among rows of each row: by person and number of the row
    "batches of one part": lambda who, at: (0, at, who),
    "batches of two parts": lambda who, at: (at % 2, at // 2, who),
    "parts": lambda who, at: (at, 0, who),
    "one batch": lambda who, at: (0, 0, at * PEOPLE + who),
}


def parts(cut: str) -> list[list[pa.RecordBatch]]:
    """Return rows of persons, each of whom has every number once, in parts of batches."""
    rows: dict[int, dict[int, list[tuple[int, int, int]]]] = {}
    for who in range(PEOPLE):
        for at in range(EACH):
            part, batch, place = CUTS[cut](who, at)
            rows.setdefault(part, {}).setdefault(batch, []).append((place, who, at))
    return [
        [
            pa.record_batch(
                {
                    "x": pa.array([at for _, _, at in sorted(batch)]),
                    "g": pa.array(["ab"[who % 2] for _, who, _ in sorted(batch)]),
                    "who": pa.array([f"p{who}" for _, who, _ in sorted(batch)]),
                }
            )
            for _, batch in sorted(batches.items())
        ]
        for _, batches in sorted(rows.items())
    ]


def selected(task: Task, batches: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the columns that are read, as a cluster sends them."""
    yield from (batch.select(task.reads) for batch in batches)


def summed(tables: list[pa.Table]) -> Counter[int]:
    """Add up the rows of each place."""
    total: Counter[int] = Counter()
    for table in tables:
        total.update(dict(zip(table["place"].to_pylist(), table["n"].to_pylist(), strict=True)))
    return total


@pytest.mark.parametrize("cut", CUTS)
def test_rows_without_persons_are_all_counted(cut: str) -> None:
    """In each group every number of everybody."""
    task = Task.of(Schema(COLUMNS), ("x",), ("g",))
    counted = [pa.Table.from_batches(counting(task)(selected(task, part))) for part in parts(cut)]
    assert summed(counted) == {place: PEOPLE // 2 for place in range(2 * EACH)}
    task = pickle.loads(pickle.dumps(Task.of(Schema(COLUMNS), (), ("g", Bands("x", (1,))))))  # as executors get it
    counted = [pa.Table.from_batches(counting(task)(selected(task, part))) for part in parts(cut)]
    assert summed(counted) == {0: PEOPLE // 2, 1: 3 * PEOPLE // 2, 2: PEOPLE // 2, 3: 3 * PEOPLE // 2}
    names = COLUMNS["g"].labels
    task = pickle.loads(pickle.dumps(Task.of(Schema(COLUMNS), (), (Recode("g", ((names[1], "z"),)),))))
    counted = [pa.Table.from_batches(counting(task)(selected(task, part))) for part in parts(cut)]
    assert summed(counted) == {0: 2 * PEOPLE, 1: 2 * PEOPLE}


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("person", [Person(), Person(rows=3), Person(rows=2, reduce="first")], ids=str)
def test_each_row_of_a_person_is_as_likely_to_count(cut: str, person: Person) -> None:
    """Everybody counts with as many rows as declared, and each number as often, wherever its rows lie."""
    task = Task.of(Schema(COLUMNS | {"who": person}), ("x",))
    kept = [capping(task, b"a key", lambda at=at: at)(selected(task, part)) for at, part in enumerate(parts(cut))]
    rows = pa.Table.from_batches([batch for part in kept for batch in part])
    shards = [rows.filter(pa.compute.equal(rows["shard"], shard)) for shard in rows["shard"].unique()]
    counted = summed([finishing(task)(shard) for shard in shards])
    cap = 1 if person.reduce else person.rows
    assert counted.total() == cap * PEOPLE
    for at in range(EACH):
        tails = [
            side(counted[at] - off, PEOPLE, cap / EACH) for off, side in ((0, stats.binom.cdf), (1, stats.binom.sf))
        ]
        assert min(tails) > FALSE_ALARM, (at, counted, np.array(tails))
