"""Views: every mechanism names one, and all that a question, a form or a figure asks lies in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.for_each import for_each

from discreet.budget.errors import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import registry
from discreet.mechanisms.base.counts import AllCounts
from discreet.mechanisms.base.view import InBlocks, LevelCounts, Levels, OneColumn, Reports, TwoColumns, View
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.histogram_bounds import HistogramBounds
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.randomized_response import RandomizedResponse
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.mechanisms.several_gaussian import SeveralGaussian
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Bounds, Column, Relation
from discreet.queries.column import Bins, Blocks, HowRead, Pairs, Scores
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.trimmed import TrimmedMean
from discreet.queries.variance import Variance

BOUNDS = Bounds(0, 10, integer=True)
COLUMN = Column.from_values(BOUNDS, np.array([1.0, 2.0, 2.0, 9.0]))
BINS = Bins((0.0, 5.0, 10.0))


class Question:
    """A question about one column, of a public number of rows or not."""

    columns = ("x",)
    where = ("a filter",)

    def __init__(self, public_rows: int | None = None) -> None:
        """Take the number."""
        self.public_rows = public_rows


class Rows:
    """Rows that write down what is read of them."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        self.read: list[Any] = []

    def column(self, name: str, where: Any, lots: Any, size: int | None = None) -> Column:
        """Return the column."""
        self.read.append(("column", name, where, lots, size))
        return COLUMN

    def scores(self, name: str, where: Any, lots: Any) -> Scores:
        """Return counts of two levels."""
        self.read.append(("scores", name, where, lots))
        return Scores(("a", "b"), np.array([1, 3]))

    def how_read(self, name: str, where: Any, lots: Any) -> Scores:
        """Return counts of how cells are read."""
        self.read.append(("how_read", name, where, lots))
        return Scores(HowRead().labels, np.array([1, 3, 0, 2, 0]))

    def pairs(self, names: Any, where: Any, lots: Any) -> Pairs:
        """Return two columns."""
        self.read.append(("pairs", names, where, lots))
        return Pairs.from_ticks(BOUNDS, BOUNDS, [1, 2, 2], [0, 1, 9])

    def blocks(self, asked: InBlocks, names: Any, where: Any, lots: Any) -> Blocks:
        """Return estimates."""
        self.read.append(("blocks", asked, names, where, lots))
        return Blocks(0.0, 10.0, np.array([2.0] * asked.k))


@for_each(registry)
def test_every_mechanism_names_what_it_asks_and_makes_its_law_of_that(slug: str) -> None:
    """One look at the rows, with the filters and lots of the question; the law takes it."""
    kind: Any = registry[slug]
    mechanism = kind()
    view, rows = mechanism.view, Rows()
    assert isinstance(view, View) and view == kind().view
    data = view.read(rows, Question(view.public_rows), "lots")
    ((what, *given),) = rows.read
    assert "lots" in given and ("a filter",) in given
    assert view.category == (what == "scores") and view.in_blocks == (what == "blocks")
    assert view.groups == isinstance(view, OneColumn | TwoColumns)
    mechanism.law(data)


@pytest.mark.parametrize("slug", [slug for slug, kind in registry.items() if "bins" in kind.labels()])
def test_what_counts_everything_counts_how_cells_are_read(slug: str) -> None:
    """Of any kind of column, in one look; what chooses among bins refuses it."""
    kind: Any = registry[slug]
    asked = kind(bins=HowRead())
    if not issubclass(kind, AllCounts):
        with pytest.raises(ParameterError, match="Give bins as Bins, by their edges"):
            asked.view  # noqa: B018
        return
    rows = Rows()
    data = asked.view.read(rows, Question(None), "lots")
    assert [what for what, *_ in rows.read] == ["how_read"] and asked.view.every_kind
    assert asked.law(data).draw(SimulationNoise(0)) and asked.parts(()) == HowRead().labels


def test_a_column_is_read_at_the_public_number_of_rows_of_the_question() -> None:
    """Bins and blocks are read as they are, whatever number is public."""
    rows = Rows()
    for mechanism, size in (
        (GlobalLaplace(Mean(Relation(size=7))), 7),
        (SeveralGaussian((TrimmedMean(resize=8, cut=0),)), 8),
        (QuantileExponential(relation=Relation(size=9)), 9),
        (CountsGeometric(bins=BINS, relation=Relation(size=7)), None),
        (BlocksMean(k=2, relation=Relation(size=7)), None),
    ):
        assert mechanism.view.public_rows == size
        mechanism.view.read(rows, Question(mechanism.view.public_rows), None)
    assert [record[-1] for record in rows.read[:4]] == [7, 8, 9, None]


def test_what_is_true_is_what_the_statistic_says_of_open_data() -> None:
    """Of a query, a quantile, a mean and of all rows in one block; choices have no truth."""
    for mechanism, truth in (
        (SmoothCoreTail(Median()), 2.0),
        (QuantileExponential(q=0.5), 2.0),
        (TwoCounts(), 3.5),
        (HistogramBounds(), None),
        (SeveralGaussian(), None),
    ):
        assert mechanism.view.truth(COLUMN) == truth
    assert PermuteAndFlip().view.truth(Scores(("a",), np.array([3]))) is None
    blocks = BlocksMedian(k=3, estimator="mean")
    assert blocks.view.truth(Blocks(0, 1, np.array([0.1, 0.2, 0.3]))) is None
    assert blocks.whole().view.truth(Blocks(0, 1, np.array([0.25]))) == 0.25


def test_a_unit_is_that_of_what_is_asked() -> None:
    """Rows where rows are counted, the column's where a value lies among its values, else none."""
    for mechanism, unit in (
        (GlobalLaplace(Mean()), "years"),
        (GlobalLaplace(Count()), "rows"),
        (GlobalLaplace(Variance()), ""),
        (CountsGeometric(), "rows"),
        (PermuteAndFlip(), ""),
        (RandomizedResponse(), ""),
        (BlocksMean(estimator="gini"), ""),
        (BlocksMean(estimator="quantile:0.9"), "years"),
        (QuantileExponential(), "years"),
    ):
        assert mechanism.view.unit("years") == unit, mechanism


def test_numbers_of_an_answer_have_public_names() -> None:
    """Levels or bins, statistics, two bounds; one number has none."""
    assert CountsGeometric().parts(("a", "b")) == ("a", "b")
    assert CountsGeometric(bins=BINS).parts(()) == ("0 to 5", "5 to 10")
    assert SeveralGaussian().parts(()) == ("Mean", "Median")
    assert HistogramBounds().parts(()) == ("lower", "upper")
    assert GlobalLaplace().parts(("a",)) == PermuteAndFlip().parts(("a",)) == ()


def test_only_what_one_public_column_is_enough_for_has_a_stand_in() -> None:
    """The column itself, or its rows dealt into blocks; no counts, no second column."""
    noise: Any = type("Noise", (), {"words": lambda self, size: np.arange(size, dtype=np.uint64)})()
    assert OneColumn().stand_in(COLUMN, noise) is COLUMN
    assert Levels().stand_in(COLUMN, noise) is None and LevelCounts(BINS).stand_in(COLUMN, noise) is None
    dealt = BlocksMean(k=2, upper=10.0).view.stand_in(COLUMN, noise)
    assert dealt is not None and sorted(dealt.estimates) == [1.5, 5.5]
    assert BlocksMean(estimator="slope").view.stand_in(COLUMN, noise) is None


def test_reports_say_how_many_people_answer() -> None:
    """And columns to how many rows they are brought."""
    assert "as reports of 5 people" in Reports(people=5).shaped()[0]
    assert "to 7 rows" in OneColumn(None, 7).shaped()[0] and not OneColumn().shaped()
    assert "nearest" in Levels(BINS).shaped()[0] and not Levels().shaped()
