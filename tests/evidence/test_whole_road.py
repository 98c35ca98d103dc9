"""Layer 5: the whole road, from the rows of a table to everything that is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, seed, settings
from support.evidence.fuzz import QUICK, check
from support.evidence.grammar import Case, cases
from support.evidence.tables import CAPPED, DOUBLE, FEW, HERE, MEANS, PAIR, ROW, SIZED, TRIPLE, TWO, Leaks, World
from support.soak import times

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.evidence import whole_road
from discreet.evidence.whole_road import laws
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.counts_above import CountsAbove
from discreet.mechanisms.counts_gaussian import CountsGaussian
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.quantile_interval import QuantileInterval
from discreet.mechanisms.quantile_tree import QuantileTree
from discreet.mechanisms.quantiles_apart import QuantilesApart
from discreet.mechanisms.quartile_range import QuartileRange
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.mechanisms.several_gaussian import SeveralGaussian
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.mechanisms.smooth_student import SmoothStudent
from discreet.mechanisms.table_counts import LaplaceCells, NormalCells
from discreet.queries import Relation
from discreet.queries.column import Bins, HowRead
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum
from discreet.queries.trimmed import TrimmedMean
from discreet.rows import Bands, LocalSource, OpenData, Recode

pytestmark = pytest.mark.long

GRID: list[tuple[str, World, Request]] = [
    ("mean", ROW, Request(GlobalLaplace(Mean(), 1.0), ("x",))),
    ("mean by group", ROW, Request(SmoothCoreTail(Mean(), 1.0), ("x",), by="g")),
    ("sum of some", ROW, Request(Geometric(Sum(), 1.0), ("x",), HERE)),
    ("mean of two", ROW, Request(GlobalLaplace(Mean(SIZED), 1.0), ("x",))),
    ("median of two", ROW, Request(SmoothStudent(Median(SIZED), 1.0), ("x",))),
    ("trimmed", ROW, Request(GlobalLaplace(TrimmedMean(resize=2), 1.0), ("x",), HERE)),
    ("several", ROW, Request(SeveralGaussian((Mean(), Sum()), 1.0, 0.01), ("x",), by="g")),
    (
        "trimmed twice",
        ROW,
        Request(SeveralGaussian((TrimmedMean(resize=2), TrimmedMean(cut=0, resize=2)), 1.0, 0.01), ("x",), HERE),
    ),
    ("test", ROW, Request(ProposeTestRelease(b=0.5, epsilon=2.0, delta=0.1), ("x",), by="g")),
    ("normal", ROW, Request(AnalyticGaussian(Sum(), 1.0, 0.01), ("x",), by="g")),
    ("bins", ROW, Request(CountsGeometric(bins=Bins((0.0, 1.0, 2.0)), relation=SIZED), ("x",))),
    ("how cells are read", PAIR, Request(CountsGeometric(bins=HowRead(), relation=TWO), ("x",), HERE)),
    (
        "how cells are read, of one changed",
        ROW,
        Request(CountsGaussian(bins=HowRead(), delta=0.1, relation=SIZED), ("g",)),
    ),
    ("above", CAPPED, Request(CountsAbove(epsilon=1.0, threshold=1.0), ("g",))),
    ("levels", ROW, Request(PermuteAndFlip(epsilon=1.0), ("g",))),
    ("blocks", ROW, Request(BlocksMean(k=2, upper=2.0, epsilon=1.0), ("x",), HERE)),
    ("blocks of a narrow range", ROW, Request(BlocksMean(k=2, lower=0.5, upper=1.0, epsilon=1.0), ("x",))),
    ("quantile capped", CAPPED, Request(QuantileExponential(epsilon=1.0), ("x",))),
    ("quantiles", ROW, Request(QuantileTree(levels=(0.25, 0.75), epsilon=1.0), ("x",), by="g")),
    ("quantiles of pairs", PAIR, Request(QuantileTree(epsilon=2.0, relation=TWO), ("x",))),
    ("quantiles of a public size", FEW, Request(QuantileTree(epsilon=1.0, relation=Relation(size=3, rows=2)), ("x",))),
    ("quantiles apart", ROW, Request(QuantilesApart(levels=(0.25, 0.75), epsilon=1.0), ("x",), HERE)),
    ("quantile with an interval", ROW, Request(QuantileInterval(epsilon=3.0), ("x",), by="g")),
    ("range of quartiles", CAPPED, Request(QuartileRange(epsilon=1.0), ("x",))),
    ("sum capped", CAPPED, Request(Geometric(Sum(), 1.0), ("x",), by="g")),
    ("counts capped", CAPPED, Request(CountsGeometric(epsilon=1.0), ("g",))),
    ("blocks of persons", CAPPED, Request(BlocksMean(k=2, upper=2.0, epsilon=1.0), ("x",))),
    ("mean of pairs", PAIR, Request(SmoothCoreTail(Mean(TWO), 1.0), ("x",), by="g")),
    ("median of a public size", FEW, Request(GlobalLaplace(Median(Relation(size=3, rows=2)), 1.0), ("x",))),
    ("means", MEANS, Request(GlobalLaplace(Sum(), 1.0), ("x",), by="g")),
    ("median by two", DOUBLE, Request(SmoothCoreTail(Median(TWO), 3.0, m=1), ("x",), by=("g", "h"))),
    ("mean by two", DOUBLE, Request(GlobalLaplace(Mean(TWO), 1.0), ("x",), by=("h", "g"))),
    ("test by two", DOUBLE, Request(ProposeTestRelease(Median(TWO), 2.0, 0.1, 0.5), ("x",), by=("g", "h"))),
    ("sum by two", DOUBLE, Request(Geometric(Sum(TWO), 1.0), ("x",), HERE, by=("g", "h"))),
    ("several by two", DOUBLE, Request(SeveralGaussian((Mean(TWO), Mean(TWO)), 1.0, 0.01), ("x",), by=("g", "h"))),
    ("mean of three by two", TRIPLE, Request(GlobalLaplace(Mean(Relation(rows=3)), 1.0), ("x",), by=("g", "h"))),
    ("median of three", TRIPLE, Request(SmoothCoreTail(Median(Relation(rows=3)), 1.0), ("x",), by="h")),
    ("mean by bands", ROW, Request(GlobalLaplace(Mean(), 1.0), ("x",), by=Bands("x", (1,)))),
    ("bands of pairs by two", PAIR, Request(SmoothCoreTail(Mean(TWO), 1.0), ("x",), by=("g", Bands("x", (1,))))),
    ("mean by merged levels", ROW, Request(GlobalLaplace(Mean(), 1.0), ("x",), by=Recode("g", (("a", "b"),)))),
    (
        "merged levels of pairs by two",
        PAIR,
        Request(SmoothCoreTail(Mean(TWO), 1.0), ("x",), by=(Recode("g", (("b", "b"),)), Bands("x", (1,)))),
    ),
    ("means by bands", MEANS, Request(GlobalLaplace(Sum(), 1.0), ("x",), by=Bands("x", every=1))),
    ("levels of means", MEANS, Request(CountsGeometric(epsilon=1.0), ("g",))),
]


@pytest.mark.soak
@pytest.mark.parametrize(("world", "request_"), [c[1:] for c in GRID], ids=[c[0] for c in GRID])
def test_every_pair_of_small_tables_is_covered_by_what_is_charged(world: World, request_: Request) -> None:
    """From cells to the joint law of all groups, through every secret choice; of the pairs, some in `make test`."""
    request_.check(world.schema)
    compared, leaks = 0, Leaks(world, request_)
    for table, other in world.pairs(request_.mechanism.neighbours.change_one, 6):
        loss = leaks.between(table, other)
        assert loss.holds, (loss, table, other)
        compared += 1
    assert compared > times(10, 50)


@pytest.mark.soak
@seed(20261121)
@settings(max_examples=times(70, 600), **QUICK)
@given(cases())
def test_whatever_is_drawn_from_the_whole_grammar_is_covered(case: Case) -> None:
    """Any declaration, table, neighbour and request; `make fuzz` draws for an hour."""
    check(case)


def separately(patch: pytest.MonkeyPatch) -> None:
    """Let each row of a draw have noise of its own, which is charged once."""
    patch.setattr(whole_road, "draws", lambda rows: tuple((at,) for at in range(len(rows))))


def for_one_row(patch: pytest.MonkeyPatch) -> None:
    """Let the noise of a table's cells cover one row of a person, who has several."""
    for kind, usual in ((LaplaceCells, GlobalLaplace), (NormalCells, AnalyticGaussian)):
        patch.setattr(kind, "scale", lambda self, bounds, of=usual: of.scale(self, bounds) / self.query.relation.rows)


@pytest.mark.parametrize("bug", [None, separately, for_one_row])
def test_bugs_in_draws_that_rows_of_a_plan_share_are_found(bug: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums over groups of a table's cells and several statistics of one draw are in the grammar: planted bugs show."""

    quick = QUICK | {"phases": (Phase.generate,), "report_multiple_bugs": False}

    @seed(4)
    @settings(max_examples=times(30, 300) if bug is None else 400, **quick)
    @given(cases(shared=True))
    def drawn(case: Case) -> None:
        check(case)

    if bug is None:
        drawn()
        return
    bug(monkeypatch)
    with pytest.raises(AssertionError):
        drawn()


@pytest.mark.soak
def test_the_audited_law_is_the_one_that_answers() -> None:
    """A thousand releases of a capped table, or more, have the cdf of the mixture (fails once in 10^6)."""
    table = CAPPED.table(((("0", "a"), ("2", "b")), (("2", "a"),)))
    request = Request(GlobalLaplace(Mean(), 2.0), ("x",))
    weighted = laws(table, CAPPED.schema, request, LocalSource)
    assert sum(weight for weight, _ in weighted) == pytest.approx(1) and len(weighted) == 2
    dataset, answers = OpenData(LocalSource(table), CAPPED.schema), list[Any]()
    for part in range(times(50, 200)):
        road = Curator(dataset, SessionLedger(Cost.of(40)), SimulationNoise(part), tick=0)
        answers += [road.ask(request, str(i)).answer for i in range(20)]
    answers.sort()
    ideal = sum(weight * law.cdf(answers) for weight, law in weighted)
    inside = (np.array(answers) > 0) & (np.array(answers) < 2)  # the clipped ends are atoms
    gap = np.abs(ideal - np.arange(1, len(answers) + 1) / len(answers))[inside].max()
    assert gap < 2.7 / np.sqrt(len(answers))
