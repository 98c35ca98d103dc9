"""Persons: one number for each that is their mean, one level that is theirs, one name."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from budget import Cost, ParameterError, SessionLedger
from curator import Category, Curator, Dataset, LocalSource, Number, Person, Request, Schema
from curator import SimulationNoise as Noise
from curator.persons import Means, Rows
from mechanisms.laplace import Geometric, GlobalLaplace
from mechanisms.vector import CountsGeometric
from queries import Bounds
from queries.mean import Mean
from queries.quantile import Quantile
from queries.sum import Sum
from ui import form
from ui.topics import Topic

MEAN = Person(reduce="mean")
ANSWER = Number(0, 1, integer=True)


def dataset(table: dict[str, Any], **columns: Any) -> Dataset:
    """Return open data of a small table."""
    source = LocalSource(pa.table({name: list(map(str, cells)) for name, cells in table.items()}))
    return Dataset(source, Schema(columns), protected=False)


@pytest.mark.parametrize("query", [Mean(), Sum(), Quantile(q=0.3)], ids=lambda query: query.name)
def test_the_mean_of_a_person_is_not_cut_to_a_tick(query: Any) -> None:
    """Yes or no, five rows each: half of the answers are yes, and so the statistics say."""
    table = {"who": [i // 5 for i in range(1000)], "yes": [i % 5 < 2 + i % 2 for i in range(1000)]}
    rows = {"who": table["who"], "yes": [int(cell) for cell in table["yes"]]}
    column = dataset(rows, who=MEAN, yes=ANSWER).column("yes", (), Noise(1))
    means = np.array(rows["yes"]).reshape(-1, 5).mean(axis=1)
    wanted = {"mean": means.mean(), "sum": means.sum(), "quantile": np.sort(means)[59]}[query.name]
    assert query.value(column) == pytest.approx(wanted, rel=1e-5)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**31 - 1)), min_size=1, max_size=30),
    st.sampled_from([
        Bounds(0, 1, integer=True), Bounds(-7, 90, 3, integer=True), Bounds(0, 1.5, 0.5),
        Bounds(-1, 1), Bounds(0, 2**31 - 1, integer=True), Bounds(-(2**61), 2**61, 2**40, True),
    ]),
)  # fmt: skip
def test_a_mean_moves_to_the_nearest_part_of_a_step(told: Any, bounds: Bounds) -> None:
    """Whatever the grid: within a millionth of the range of the exact mean, and never off it."""
    persons = np.array([p for p, _ in told])
    ticks = np.array([t for _, t in told]) % (bounds.top + 1)
    means = Means(bounds)
    assert means.bounds.top >= 2**20 - 1 and means.bounds.resolution <= bounds.resolution
    rows = Rows(persons, Noise(0).words(persons.size), (ticks,))
    (found,) = rows.mean_of_each(means)
    assert found.min() >= 0 and found.max() <= means.bounds.top
    exact = [
        Fraction(int(ticks[persons == p].sum()), int((persons == p).sum()))
        for p in np.unique(persons)
    ]
    wanted = [float(bounds.value(0)) + float(bounds.resolution) * float(mean) for mean in exact]
    near = (float(bounds.upper) - float(bounds.lower)) * 2**-20
    assert np.abs(means.bounds.value(found) - np.array(wanted)).max() <= near


def test_a_person_with_ten_thousand_rows_at_the_far_end_overflows_nothing() -> None:
    """Sums are whole numbers of 64 bits, and there is room."""
    bounds = Bounds(0, 2**31 - 1, integer=True)
    ticks = np.full(10_000, bounds.top)
    rows = Rows(np.zeros(10_000, np.int64), Noise(0).words(10_000), (ticks,))
    (found,) = rows.mean_of_each(Means(bounds))
    assert float(Means(bounds).bounds.value(found[0])) == pytest.approx(2**31 - 1, rel=1e-9)


def test_a_whole_numbered_sum_of_means_is_refused_before_a_charge() -> None:
    """The means of whole numbers have fractions; the sentence names the way out."""
    data = dataset({"who": [1, 1, 2], "yes": [0, 1, 1]}, who=MEAN, yes=ANSWER)
    curator = Curator(data, SessionLedger(Cost.of(50)))
    with pytest.raises(ParameterError, match="Use Laplace noise"):
        curator.ask(Request(Geometric(query=Sum()), ("yes",)))
    assert curator.ledger.spent == Cost.zero()
    released = curator.ask(Request(GlobalLaplace(query=Sum(), epsilon=50), ("yes",)))
    assert released.answer == pytest.approx(1.5, abs=0.5)


def test_a_level_is_never_the_mean_of_two_others() -> None:
    """Three hundred persons with one row A and one row C: nobody is B."""
    table = {"who": [i // 2 for i in range(600)], "town": ["A", "C"] * 300}
    scores = dataset(table, who=MEAN, town=Category(("A", "B", "C"))).scores("town", (), Noise(2))
    a, b, c = scores.counts.tolist()
    assert b == 0 and a + c == 300 and min(a, c) > 100


def test_in_groups_a_person_has_the_mean_of_their_rows_in_one_group() -> None:
    """A person with rows in two groups is in one of them, with the number they have there."""
    table = {
        "who": [i // 4 for i in range(400)], "town": ["A", "C", "A", "C"] * 100,
        "yes": [0, 5, 1, 6] * 100,
    }  # fmt: skip
    data = dataset(table, who=MEAN, town=Category(("A", "B", "C")), yes=Number(0, 9, integer=True))
    groups = data.grouped("yes", "town", (), Noise(3))
    assert groups["B"].n == 0 and groups["A"].n + groups["C"].n == 100
    assert groups["A"].values() == pytest.approx([0.5] * groups["A"].n, abs=1e-4)
    assert groups["C"].values() == pytest.approx([5.5] * groups["C"].n, abs=1e-4)


@example([(0, 0, 0), (0, 1, 9), (1, 1, 4)], 0)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 9)), min_size=1, max_size=25
    ),
    st.integers(0, 10**6),
)
def test_one_person_more_or_less_changes_nobody_elses_mean(
    told: list[tuple[int, int, int]], seed: int
) -> None:
    """With the same secret words everybody else has the same group and the same number."""
    persons, codes, ticks = (np.array(part) for part in zip(*told, strict=True))
    keys = Noise(seed).words(persons.size)
    means = Means(Bounds(0, 9, integer=True))

    def found(kept: Any) -> list[tuple[int, int]]:
        rows = Rows(persons[kept], keys[kept], (ticks[kept], codes[kept]))
        return list(zip(*(part.tolist() for part in rows.mean_of_each(means)), strict=True))

    everybody, one = found(persons >= 0), int(persons[0])
    others = found(persons != one)
    at = sorted(set(persons.tolist())).index(one)
    assert everybody[:at] + everybody[at + 1 :] == others


def test_candidates_are_counted_with_other() -> None:
    """One level and other are two candidates: a promise of no error would be false."""
    schema = Schema({"town": Category(("A",), other=True)})
    asked = Request(CountsGeometric(epsilon=0.5), ("town",))
    assert asked.public(schema).labels == 2
    assert replace(asked, columns=("town",)).public(schema).labels == 2


def test_the_form_begins_with_a_method_that_serves_the_column_as_it_is_read() -> None:
    """Whole noise is the first choice for sums of whole numbers, and not for sums of means."""
    asked = Topic("sum", "Sum")
    whole, means = Schema({"yes": ANSWER}), Schema({"yes": ANSWER, "who": MEAN})
    assert form.serves(Geometric, asked, whole, "yes")
    assert not form.serves(Geometric, asked, means, "yes")
    assert form.serves(GlobalLaplace, asked, means, "yes")
