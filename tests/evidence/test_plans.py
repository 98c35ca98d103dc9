"""The joint law of whole plans: what is charged covers everything that is shown of all rows together."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from support.evidence.tables import AMOUNT, CAPPED, HERE, PAIR, ROW, TWO, Leaks, World

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, FixedPlan, Request
from discreet.evidence import whole_road
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.laws.moments import Scale
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.quantile_tree import QuantileTree
from discreet.mechanisms.selection import ExponentialMechanism
from discreet.mechanisms.soft_moments import JointNormalMoments, JointSoftCounts, JointSoftMoments
from discreet.mechanisms.soft_pairs import JointCorrelations, JointSlopes, PairsDraw
from discreet.mechanisms.table_counts import LaplaceCells
from discreet.noise.protocol import Number as Centre
from discreet.noise.source import ReleaseNoise
from discreet.queries import Bounds, Column
from discreet.queries.column import Pairs
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum
from discreet.queries.variance import Variance
from discreet.rows import Bands, Dataset, Filter, Person, Schema
from discreet.rows.columns import Category, Number
from discreet.rows.source import LocalSource

SUM, LEVELS = Request(Geometric(Sum(), 0.8), ("x",)), Request(CountsGeometric(epsilon=0.7), ("g",))
MIDDLE, MOST = Request(QuantileExponential(epsilon=0.9), ("x",)), Request(ExponentialMechanism(epsilon=1.0), ("g",))
QUARTILES = Request(QuantileTree(levels=(0.25, 0.75), epsilon=1.2), ("x",))
SOME = Request(Geometric(Count(), 0.6), ("x",), HERE)
NORMAL = Request(AnalyticGaussian(Sum(), 1.0, 0.01), ("x",))
TESTED = Request(ProposeTestRelease(b=0.5, epsilon=2.0, delta=0.05), ("x",))
PAIRED = (Request(GlobalLaplace(Mean(TWO), 1.0), ("x",)), Request(Geometric(Sum(TWO), 0.5), ("x",), by="g"))

THREE = (Count(), Mean(), Variance())
TOGETHER = tuple(Request(JointSoftMoments(query, 1.0), ("x",)) for query in THREE)
BELLS = tuple(Request(JointNormalMoments(query, 1.0, 0.01), ("x",)) for query in THREE)
GROUPED = tuple(Request(JointSoftCounts(kind(TWO), 1.0), ("x",), by="g") for kind in (Mean, Sum))
ENDS = (("0", "0"), ("2", "1"), ("1", "0"), ("2", "0"))
CORNERS = World(Schema({"x": AMOUNT, "g": Number(0, 1, integer=True)}), 3, cells=ENDS)
LINES = tuple(
    Request(JointSlopes(estimator=name, epsilon=0.8), ("x", "g")) for name in ("slope", "prediction:1", "covariance")
)
RELATED = tuple(
    Request(JointCorrelations(estimator=name, epsilon=0.9), ("x", "g")) for name in ("slope", "correlation")
)

WHOLE = World(Schema({"x": AMOUNT, "g": Category(("a",), other=True), "who": Person(rows=2)}), 2, 2)
HALVES = Bands("x", (1,))
TABLE = tuple(
    Request(LaplaceCells(query=Count(TWO), over=over, cells=2 ** len(over)), ("x",), by=by)
    for by, over in (((HALVES, "g"), ()), (HALVES, ("g",)), ("g", (HALVES,)), (None, ("g", HALVES)))
)

PLANS: list[tuple[str, World, FixedPlan]] = [
    ("counts and sums", ROW, FixedPlan((SUM, LEVELS, SOME), 0.05)),
    ("the same thrice", ROW, FixedPlan((LEVELS, LEVELS, LEVELS), 0.02)),
    ("choices", ROW, FixedPlan((MIDDLE, MOST, LEVELS), 0.1)),
    ("quantiles", ROW, FixedPlan((QUARTILES, LEVELS), 0.1)),
    ("with a normal one", ROW, FixedPlan((NORMAL, SUM), 0.05)),
    ("with a test", ROW, FixedPlan((TESTED, LEVELS), 0.1)),
    ("without a delta", ROW, FixedPlan((SUM, MIDDLE))),
    ("capped", CAPPED, FixedPlan((SUM, LEVELS), 0.1)),
    ("two rows a person", PAIR, FixedPlan(PAIRED, 0.1)),
    ("one table", WHOLE, FixedPlan(TABLE)),
    ("one draw with normal noise", ROW, FixedPlan((*BELLS, LEVELS), 0.01)),
    ("one draw", ROW, FixedPlan((*TOGETHER, LEVELS))),
    ("one draw by groups", PAIR, FixedPlan(GROUPED)),
    ("six pieces of two columns", CORNERS, FixedPlan(LINES)),
    ("nine pieces of two columns", CORNERS, FixedPlan(RELATED)),
]


def worst(world: World, plan: FixedPlan) -> float:
    """Return how far the largest divergence of all neighbours is above what is claimed."""
    plan.check(world.schema)
    changed = plan.rows[0].mechanism.neighbours.change_one
    leaks = Leaks(world, plan)
    pairs = [leaks.between(a, b) for a, b in world.pairs(changed)]
    assert len(pairs) > 50
    return max(pair.delta - pair.claimed for pair in pairs)


@pytest.mark.soak
@pytest.mark.parametrize(("world", "plan"), [case[1:] for case in PLANS], ids=[case[0] for case in PLANS])
def test_the_joint_law_of_a_plan_is_covered_by_its_one_charge(world: World, plan: FixedPlan) -> None:
    """Every pair of small tables, both ways, at the epsilon and delta of the ledger's line; in `make test` some."""
    leaks = Leaks(world, plan)
    for table, other in world.pairs(plan.rows[0].mechanism.neighbours.change_one, 3):
        loss = leaks.between(table, other)
        assert loss.holds, (loss, table, other)


@pytest.mark.parametrize("index", [0, 1])
def test_a_plan_that_is_charged_by_too_small_an_account_is_caught(index: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken twin: as if only the dearest row were paid for."""
    _, world, plan = PLANS[index]
    largest = max(row.cost().epsilon for row in plan.rows)
    monkeypatch.setattr(FixedPlan, "cost", lambda self: Cost.of(largest, self.delta))
    pairs = world.pairs(False)
    leaks = Leaks(world, plan)
    assert any(not leaks.between(a, b).holds for a, b in pairs)


def test_hardly_anything_is_charged_that_is_not_lost() -> None:
    """Three counts of all levels: the worst pair comes within a tenth of the charged delta."""
    _, world, plan = PLANS[1]
    assert worst(world, plan) > -0.1 * plan.delta


# --- One draw: several rows are charged once, so they must be drawn once ---

ONE_DRAW = dict(
    zip(
        ("one table", "normal noise", "one draw", "by groups", "six pieces", "nine pieces"),
        (each[1:] for each in PLANS[-6:]),
        strict=True,
    )
)


def broken(world: World, plan: FixedPlan) -> bool:
    """Return whether some pair loses more than is charged."""
    leaks = Leaks(world, plan)
    return any(not leaks.between(a, b).holds for a, b in world.pairs(False))


@pytest.mark.parametrize("name", ONE_DRAW)
def test_rows_of_one_draw_are_charged_once(name: str) -> None:
    """The cost and the account are those of the draw, and nothing is charged that is not lost."""
    world, plan = ONE_DRAW[name]
    places = plan.draws[0]
    alone = replace(plan, rows=tuple(row for at, row in enumerate(plan.rows) if at == 0 or at not in places))
    assert plan.cost() == alone.cost() and plan.account() == alone.account()
    assert plan.total.plain.epsilon == pytest.approx(sum(row.cost().epsilon for row in plan.rows))
    if plan.cost().delta_units:
        assert -0.1 * plan.cost().delta < worst(world, plan) <= 0
    else:
        assert worst(world, replace(plan, delta=0.0)) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("name", ["one table", "normal noise", "one draw", "six pieces", "nine pieces"])
def test_a_second_draw_for_the_second_row_that_is_charged_once_is_caught(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken twin: each row has noise of its own, and one of them is paid for."""
    world, plan = ONE_DRAW[name]
    assert not broken(world, plan)
    cost = plan.cost()
    monkeypatch.setattr(whole_road, "draws", lambda rows: tuple((at,) for at in range(len(rows))))
    monkeypatch.setattr(FixedPlan, "cost", lambda self: cost)
    assert broken(world, plan)


@pytest.mark.parametrize(("name", "kind"), [("one draw", JointSoftMoments), ("normal noise", JointNormalMoments)])
def test_a_piece_that_adds_up_to_more_than_one_is_caught(name: str, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken twin: a row at the upper bound moves its piece by 1.5."""
    world, plan = ONE_DRAW[name]
    assert not broken(world, plan)
    sums = kind.sums.__func__

    def larger(cls: type[Any], data: Column) -> tuple[Fraction, ...]:
        first, middle, last = sums(cls, data)
        return first, middle, last * 3 / 2

    monkeypatch.setattr(kind, "sums", classmethod(larger))
    assert broken(world, plan)


@pytest.mark.parametrize("name", ["six pieces", "nine pieces"])
def test_pieces_of_two_columns_that_add_up_to_more_than_one_are_caught(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken twin: rows with both values at their upper bounds move their piece by 1.5."""
    world, plan = ONE_DRAW[name]
    sums = PairsDraw.sums

    def larger(self: PairsDraw, data: Pairs) -> tuple[Fraction, ...]:
        *others, last = sums(self, data)
        return *others, last * 3 / 2

    monkeypatch.setattr(PairsDraw, "sums", larger)
    assert broken(world, plan)


def test_a_draw_that_is_charged_for_one_of_two_rows_of_a_person_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken twin: the noise covers one row, and a person has two."""
    world, plan = ONE_DRAW["by groups"]
    assert not broken(world, plan)
    scale = JointSoftCounts.scale

    def narrow(self: JointSoftCounts, bounds: Bounds) -> Scale:
        return replace(scale(self, bounds), noise=scale(self, bounds).noise / 2)

    monkeypatch.setattr(JointSoftCounts, "scale", narrow)
    assert broken(world, plan)


def test_a_release_draws_once_for_all_rows_and_computes_each_from_that_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three noisy numbers for three results, which agree with each other; one line in the ledger."""
    rows = pa.table({"x": ["0", "1", "1", "1"]})
    data = Dataset(LocalSource(rows), Schema({"x": Number(0, 1, integer=True)}))
    drawn = list[float]()
    laplace = ReleaseNoise.laplace

    def counted(self: ReleaseNoise, centre: Centre, scale: float) -> float:
        drawn.append(laplace(self, centre, scale))
        return drawn[-1]

    monkeypatch.setattr(ReleaseNoise, "laplace", counted)
    ledger = SessionLedger(Cost.of(4))
    queries = (Count(), Sum(), Mean(), Variance())
    plan = FixedPlan(tuple(Request(JointSoftMoments(query, 2.0), ("x",)) for query in queries))
    count, total, mean, _ = Curator(data, ledger, tick=0).run(plan).releases
    assert len(drawn) == 3 and ledger.spent == Cost.of(2) == plan.cost()
    assert count.size == total.size == mean.size
    if count.answer and 0 < total.answer < count.answer:  # type: ignore[operator]
        assert mean.answer == pytest.approx(total.answer / count.answer)  # type: ignore[operator]
    grouped = FixedPlan(tuple(replace(row, by="g") for row in plan.rows))
    table = pa.table({"x": ["0", "1", "1"], "g": ["a", "b", "b"]})
    schema = Schema({"x": Number(0, 1, integer=True), "g": Category(("a", "b"))})
    drawn.clear()
    first, *others = Curator(Dataset(LocalSource(table), schema), ledger, tick=0).run(grouped).releases
    assert len(drawn) == 6 and not any(each.refused for each in (first, *others))
    assert [level for level, _ in first.answer] == ["a", "b"]  # type: ignore[union-attr]
    assert all(each.size == first.size for each in others)
    apart = FixedPlan((plan.rows[0], replace(plan.rows[1], where=(Filter("x", "=", 1),))))
    assert len(apart.draws) == 2 and apart.cost() == Cost.of(4)
