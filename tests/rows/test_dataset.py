"""Datasets: persons, filters, blocks and columns, on tables of any content."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.budget import Cost, SessionLedger
from discreet.budget.errors import ParameterError
from discreet.curator import Curator, ReleaseNoise, Request
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.base.vocabulary import PTR
from discreet.mechanisms.laplace import Geometric
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.sample_aggregate import BlocksMedian
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, OpenData, Person, Schema
from discreet.rows.persons import DrawnLots, Rows

AGE = Number(0, 100, integer=True)
NOISE = SimulationNoise(0)


def dataset(table: dict[str, Any] | pa.Table, protected: bool = False, **columns: Any) -> Dataset:
    """Return a dataset of a small table."""
    arrow = table if isinstance(table, pa.Table) else pa.table(table)
    return (Dataset if protected else OpenData)(LocalSource(arrow), Schema(columns))


def counts(data: Dataset, name: str = "age", *where: Filter) -> dict[int, int]:
    """Return how many rows stand on each tick."""
    column = data.column(name, where, DrawnLots(SimulationNoise(1)))
    return dict(zip(column.levels.tolist(), column.counts.tolist(), strict=True))


def test_any_order_and_any_batches_give_the_same_bits() -> None:
    """Permuting rows or cutting them otherwise changes nothing (N7)."""
    cells = [f"{v:.3f}" for v in NOISE.uniforms(1, 3000)[0] * 120 - 10]
    declared = Number(0, 100)
    first = dataset({"age": cells}, age=declared).column("age", (), DrawnLots(NOISE))
    pieces = pa.chunked_array([cells[2000:], cells[:1], cells[1:2000]])
    other = dataset(pa.table({"age": pieces}), age=declared).column("age", (), DrawnLots(NOISE))
    assert first.levels.tolist() == other.levels.tolist()
    assert first.counts.tolist() == other.counts.tolist()
    assert first.sums.tolist() == other.sums.tolist()


@pytest.mark.parametrize("kind", ["parquet", "feather", "csv"])
def test_a_file_answers_like_the_table_it_holds(kind: str, tmp_path: Path) -> None:
    """Parquet, Feather and text are sources like any other."""
    table = pa.table({"age": [1, 2, 2, 300, None], "town": ["a", "b", "a", "c", "a"]})
    path = tmp_path / "data"
    if kind == "parquet":
        pq.write_table(table, path, row_group_size=2)
    elif kind == "feather":
        feather.write_feather(table, path)
    else:
        path.write_text("age,town\n1,a\n2,b\n2,a\n300,c\n,a\n", encoding="utf-8")
    data = Dataset(LocalSource(path), Schema({"age": AGE, "town": Category(("a", "b"))}))
    assert counts(data) == {1: 1, 2: 2, 100: 1}
    assert data.scores("town", (), DrawnLots(NOISE)).counts.tolist() == [3, 1]
    assert len(data.digest) == 64 and data.digest == Dataset(LocalSource(path), Schema({})).digest


def test_filters_keep_rows_by_declared_values() -> None:
    """Comparisons are of coerced values; rows without a value are left out."""
    data = dataset(
        {"age": ["5", "7", "x", "9", "500"], "town": ["a", "b", "a", "zz", None]},
        age=AGE,
        town=Category(("a", "b"), other=True),
    )
    assert counts(data, "age", Filter("age", ">", 5)) == {7: 1, 9: 1, 100: 1}
    assert counts(data, "age", Filter("age", "!=", 7)) == {5: 1, 9: 1, 100: 1}
    assert counts(data, "age", Filter("town", "=", "a")) == {5: 1}
    assert counts(data, "age", Filter("town", "in", ("b", "other"))) == {7: 1, 9: 1, 100: 1}
    both = Filter("age", ">=", 5), Filter("town", "!=", "a")
    assert counts(data, "age", *both) == {7: 1, 9: 1, 100: 1}


HOSTILE = ["__import__('os').system('x')", "@pd.io.common.os", "' or 1=1 --", "a\x00b", "{0}"]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_filter_never_evaluates_text(text: str) -> None:
    """Text is compared with declared levels and nothing else (P3)."""
    data = dataset({"town": [text, "a"]}, town=Category((text, "a")))
    assert data.scores("town", [Filter("town", "=", text)], DrawnLots(NOISE)).counts.tolist() == [1, 0]
    with pytest.raises(ParameterError, match="can be compared only with its allowed values"):
        Filter("town", "=", text + "!").check(data.schema)


@pytest.mark.parametrize(
    ("attempt", "says"),
    [
        (lambda s: Filter("age", "~", 5), "one of"),
        (lambda s: Filter("age", ">", "5").check(s), "with a number"),
        (lambda s: Filter("age", ">", float("nan")).check(s), "finite"),
        (lambda s: Filter("town", "<", "a").check(s), "=, !=, in or not in"),
        (lambda s: Filter("who", "=", "a").check(s), "You cannot filter on"),
        (lambda s: Filter("no", "=", "a").check(s), "You cannot filter on"),
    ],
)
def test_a_filter_that_does_not_fit_says_so(attempt: Any, says: str) -> None:
    """Sentences name the column and the way out."""
    schema = Schema({"age": AGE, "town": Category(("a",)), "who": Person()})
    with pytest.raises(ParameterError, match=says):
        attempt(schema)


def test_a_filter_that_does_not_fit_is_refused_before_a_charge() -> None:
    """The road checks filters with the rest of the question."""
    road = Curator(dataset({"age": ["1"]}, age=AGE), SessionLedger(Cost.of(1)))
    request = Request(SmoothCoreTail(Mean(), 1.0), ("age",), (Filter("age", "=", "1"),))
    with pytest.raises(ParameterError):
        road.ask(request)
    assert road.ledger.spent == Cost.zero()


def test_nobody_counts_more_often_than_declared() -> None:
    """Ten thousand rows of one person become m, in whatever spelling where they are joined (N9)."""
    names = ["ann", " Ann", "ANN "] * 3333 + ["bob"] * 2 + ["", None]
    for m in (1, 3):
        who = Person(rows=m, fold=True)
        data = dataset({"who": names, "age": ["9"] * len(names)}, who=who, age=AGE)
        assert counts(data) == {9: m + min(m, 2)}
        assert data.scores  # the cap holds for every view
    data = dataset({"who": names, "town": ["a"] * len(names)}, who=Person(rows=2), town=Category(("a",)))
    scores = data.scores("town", (), DrawnLots(NOISE))
    assert scores.counts.tolist() == [8], "four identifiers, two rows each"


def test_one_number_per_person_is_their_mean_or_one_of_their_rows() -> None:
    """Reduced persons count once, whatever they contribute."""
    table = {"who": ["a", "a", "a", "b"], "age": ["10", "20", "60", "5"]}
    means = dataset(table, who=Person(reduce="mean"), age=AGE).column("age", (), DrawnLots(NOISE))
    assert means.values().tolist() == pytest.approx([5, 30], abs=1e-3)
    ages = counts(dataset(table, who=Person(reduce="first"), age=AGE))
    assert ages.pop(5) == 1 and list(ages.values()) == [1] and set(ages) <= {10, 20, 60}


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 99)), min_size=1, max_size=40),
    st.integers(1, 4),
    st.integers(0, 10**6),
)
def test_one_person_more_or_less_changes_nobody_elses_rows(records: list[tuple[int, int]], m: int, seed: int) -> None:
    """With the same secret words the kept rows of all others are the same (P1)."""
    persons = np.array([p for p, _ in records], dtype=np.uint64)
    values = np.array([v for _, v in records])
    keys = DrawnLots(SimulationNoise(seed)).rows(len(records))
    rows = Rows(persons, keys, (values, persons))
    without = persons != persons[0]
    fewer = Rows(persons[without], keys[without], (values[without], persons[without]))
    (numbers, of), (left, of_left) = rows.at_most(m).values, fewer.at_most(m).values
    others = of != persons[0]
    assert sorted(zip(of[others], numbers[others], strict=True)) == sorted(zip(of_left, left, strict=True))
    assert np.unique(of, return_counts=True)[1].max() <= m


@dataclass
class Fixed(SimulationNoise):
    """A stand-in whose words follow a list, so that blocks can be compared."""

    def __init__(self, words: np.ndarray) -> None:
        """Take the words."""
        super().__init__(0)
        self._fixed = words

    def words(self, size: int) -> np.ndarray:
        """Return the first words."""
        return self._fixed[:size].astype(np.uint64)


def test_a_row_more_changes_one_block_and_sort_order_changes_none() -> None:
    """Blocks are drawn row by row from secret words: consecutive chunks would all move (P1)."""
    ages = [str(v % 90) for v in range(300)]
    mechanism = BlocksMedian(estimator="mean", k=10, lower=0.0, upper=100.0)
    words = SimulationNoise(4).words(301)
    more = dataset({"age": [*ages, "99"]}, age=AGE).blocks(mechanism, ["age"], (), DrawnLots(Fixed(words)))
    fewer = dataset({"age": ages}, age=AGE).blocks(mechanism, ["age"], (), DrawnLots(Fixed(words)))
    assert int(np.sum(more.estimates != fewer.estimates)) == 1
    chunks = np.array_split(np.arange(300) % 90, 10), np.array_split(np.arange(1, 300) % 90, 10)
    moved = [a.mean() != b.mean() for a, b in zip(*chunks, strict=True)]
    assert sum(moved) > 5


def test_blocks_go_by_person_and_are_drawn_anew_for_every_release() -> None:
    """All rows of a person are in one block, another one the next time."""
    table = {"who": [f"p{i % 20}" for i in range(200)], "age": [str(i % 20) for i in range(200)]}
    data = dataset(table, who=Person(rows=1), age=AGE)
    mechanism = BlocksMedian(estimator="standard-deviation", k=400, lower=0.0, upper=100.0)
    noise = SimulationNoise(3)
    first = data.blocks(mechanism, ["age"], (), DrawnLots(noise))
    alone = int(np.sum(first.estimates == 0.0))
    assert alone >= 15, "a person alone in a block has no spread"
    second = data.blocks(mechanism, ["age"], (), DrawnLots(noise))
    assert first.estimates.tolist() != second.estimates.tolist()


def test_an_empty_or_failing_block_is_the_public_default() -> None:
    """No estimate, no error: the declared number (P2)."""
    mechanism = BlocksMedian(estimator="skewness", k=7, lower=-5.0, upper=5.0, default=2.5)
    for rows in ([], ["5"], ["5"] * 30, ["x"] * 9):
        data = dataset({"age": pa.array(rows, pa.string())}, age=AGE)
        assert data.blocks(mechanism, ["age"], (), DrawnLots(NOISE)).estimates.tolist() == [2.5] * 7


def test_two_columns_of_one_block_stay_together() -> None:
    """A slope is estimated on pairs of rows."""
    table = {"x": [str(i % 50) for i in range(500)], "y": [str(2 * (i % 50)) for i in range(500)]}
    data = dataset(table, x=AGE, y=AGE)
    mechanism = BlocksMedian(estimator="slope", k=5, lower=-9.0, upper=9.0)
    assert data.blocks(mechanism, ["x", "y"], (), DrawnLots(NOISE)).estimates == pytest.approx([2.0] * 5)


def test_nothing_of_the_rows_shows_in_a_dataset() -> None:
    """Neither n nor a value stands in its text, and reading errors name the declaration only."""
    data = dataset({"age": ["48151623"] * 337}, protected=True, age=AGE)
    assert "48151623" not in repr(data) + str(vars(data).keys()) and "337" not in repr(data)
    with pytest.raises(ParameterError, match="no column 'pay'"):
        dataset({"age": ["1"]}, pay=AGE)


CELL = st.one_of(
    st.none(),
    st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00"), max_size=6),
    st.floats().map(str),
    st.integers().map(str),
)
QUESTIONS = [
    (SmoothCoreTail(Mean(), 5.0), "age"),
    (SmoothCoreTail(Median(), 5.0), "age"),
    (QuantileExponential(epsilon=5.0), "age"),
    (Geometric(epsilon=5.0), "age"),
    (ProposeTestRelease(b=0.5, epsilon=5.0), "age"),
    (PermuteAndFlip(epsilon=5.0), "town"),
    (BlocksMedian(k=5, lower=0.0, upper=100.0, epsilon=5.0), "age"),
]


@settings(max_examples=25)
@given(st.lists(st.tuples(CELL, CELL, CELL), max_size=30))
def test_any_table_gives_a_finite_answer_or_a_charged_refusal(rows: list[tuple[str | None, ...]]) -> None:
    """Whatever the cells hold, the road ends in a number, a level or a refusal, and a charge."""
    ages, towns, names = (pa.array([row[i] for row in rows], pa.large_string()) for i in range(3))
    data = dataset(
        pa.table({"age": ages, "town": towns, "who": names}),
        protected=True,
        age=AGE,
        town=Category(("a", "b"), other=True),
        who=Person(),
    )
    road = Curator(data, SessionLedger(Cost.of(50, "1e-3")), ReleaseNoise(), tick=0)
    for mechanism, column in QUESTIONS:
        before = road.ledger.spent
        answer = road.ask(Request(mechanism, (column,))).answer
        assert answer is None or isinstance(answer, str) or np.isfinite(answer)
        assert road.ledger.spent != before
        assert answer is not None or mechanism.family == PTR


def test_every_proposal_is_charged() -> None:
    """Trying bound after bound by hand costs every time (S1)."""
    data = dataset({"age": [str(i % 90) for i in range(500)]}, age=AGE)
    road = Curator(data, SessionLedger(Cost.of(3, "1e-3")), ReleaseNoise())
    for i, b in enumerate((0.001, 0.002, 0.004)):
        road.ask(Request(ProposeTestRelease(b=b, share=0.5), ("age",)))
        assert road.ledger.spent == Cost((i + 1) * 5 * 10**8, (i + 1) * 10**9)
