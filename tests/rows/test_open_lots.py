"""Lots of open data: the words of persons are hashed once, and are those that would be hashed anew."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow as pa
import pytest

from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.rows import LocalSource, Number, OpenData, Person, Schema, persons
from discreet.rows.persons import DrawnLots

SCHEMA = Schema({"who": Person(3), "age": Number(0, 99, integer=True), "pay": Number(0, 9)})


def table(chunks: int, other: int) -> OpenData:
    """Return people in so many pieces; one column is cut otherwise than the others."""
    who = pa.chunked_array([[f"p{at % 71}" for at in range(600 * piece, 600 * piece + 600)] for piece in range(chunks)])
    ages = pa.chunked_array([list(range(50)) * (12 * chunks // other) for _ in range(other)])
    return OpenData(LocalSource(pa.table({"who": who, "age": ages, "pay": [1.5] * 600 * chunks})), SCHEMA)


@pytest.mark.parametrize(("chunks", "other"), [(1, 1), (4, 4), (4, 2), (2, 4)])
def test_words_that_are_kept_are_those_that_would_be_hashed(
    chunks: int, other: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other numbers of blocks, other columns, however the rows are cut: the same estimates, and nobody hashed twice."""
    hashed = list[int]()
    own = persons.person_words
    monkeypatch.setattr(persons, "person_words", lambda *cells: hashed.append(1) or own(*cells))
    data, counts = table(chunks, other), list[int]()
    for column, blocks in product(("age", "pay"), (5, 7, 30)):
        asked = BlocksMean(estimator="mean", k=blocks, upper=99.0, epsilon=1.0).view
        hashed.clear()
        mine = data.blocks(asked, (column,), (), data.lots(SimulationNoise(0)))
        counts.append(len(hashed))
        noise = SimulationNoise(0)
        noise.words(4)
        fresh = table(chunks, other).blocks(asked, (column,), (), DrawnLots(noise))
        assert mine.estimates.tolist() == fresh.estimates.tolist()
    assert counts[0] > 0 and counts[1:3] == [0, 0]


def test_rows_that_are_cut_otherwise_are_hashed_anew() -> None:
    """From the first batch of another length on, nothing that was kept is taken for somebody else."""
    data, people = table(1, 1), pa.array([f"p{at}" for at in range(100)])
    whole = [data.lots(SimulationNoise(0)).persons(people, False)[0]]
    first, other = data.lots(SimulationNoise(0)), data.lots(SimulationNoise(0))
    words = [first.persons(part, False)[0] for part in (people[:60], people[60:])]
    again = [other.persons(part, False)[0] for part in (people[:100],)]
    assert np.concatenate(words).tolist() == whole[0].tolist() == again[0].tolist()
