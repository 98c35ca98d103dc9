"""The joint law of whole plans: what is charged covers everything that is shown of all rows together."""

from __future__ import annotations

import pytest
from support.evidence.tables import CAPPED, HERE, PAIR, ROW, TWO, Leaks, World

from discreet.budget import Cost
from discreet.curator import FixedPlan, Request
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.quantile_tree import QuantileTree
from discreet.mechanisms.selection import ExponentialMechanism
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum

SUM, LEVELS = Request(Geometric(Sum(), 0.8), ("x",)), Request(CountsGeometric(epsilon=0.7), ("g",))
MIDDLE, MOST = Request(QuantileExponential(epsilon=0.9), ("x",)), Request(ExponentialMechanism(epsilon=1.0), ("g",))
QUARTILES = Request(QuantileTree(levels=(0.25, 0.75), epsilon=1.2), ("x",))
SOME = Request(Geometric(Count(), 0.6), ("x",), HERE)
NORMAL = Request(AnalyticGaussian(Sum(), 1.0, 0.01), ("x",))
TESTED = Request(ProposeTestRelease(b=0.5, epsilon=2.0, delta=0.05), ("x",))
PAIRED = (Request(GlobalLaplace(Mean(TWO), 1.0), ("x",)), Request(Geometric(Sum(TWO), 0.5), ("x",), by="g"))

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
