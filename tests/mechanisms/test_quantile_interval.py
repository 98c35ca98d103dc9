"""A quantile with an interval: it covers on every dataset, costs what it says, and is chosen when it is wished for."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.soak import some, times

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.evidence.audit import divergence
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.laws.law import Product
from discreet.mechanisms.laws.ranks import runs_near
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.quantile_interval import Enclosed, QuantileInterval
from discreet.plans import Plan, Wanted, plan_from, plan_text, planned
from discreet.queries import Bounds, Column, Query, Relation
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile
from discreet.rows import Dataset, LocalSource, Number, Schema

WIDE = Bounds(0, 10_000, integer=True)
DRAWS, FALSE_ALARM = 400, 1e-9
SIZES, EPSILONS = (3, 100, 5000), (0.1, 1.0, 8.0)
PROMISED = 0.95


def rows(name: str, n: int) -> Any:
    """Return adversarial rows: what a quantile can meet at worst."""
    rng, half = np.random.default_rng(n), n // 2
    return {
        "nobody": [],
        "all equal": [5000] * n,
        "all at the lower bound": [0] * n,
        "all at the upper bound": [10_000] * n,
        "two points": [0] * half + [10_000] * (n - half),
        "two points, uneven": [0] * (n // 4) + [10_000] * (n - n // 4),
        "just below the middle": [4999] * half + [5001] * (n - half),
        "one outlier": [0] * (n - 1) + [10_000],
        "spread": rng.integers(0, 10_001, n),
        "heavy tail": np.minimum(10_000, 1 / rng.random(n)).astype(int),
        "far apart": np.linspace(0, 10_000, n).astype(int),
        "two groups": np.append(rng.integers(100, 200, half), rng.integers(9000, 9100, n - half)),
        "half at an end": [0] * half + list(rng.integers(0, 10_001, n - half)),
    }[name]


NAMES = (
    "nobody",
    "all equal",
    "all at the lower bound",
    "all at the upper bound",
    "two points",
    "two points, uneven",
    "just below the middle",
    "one outlier",
    "spread",
    "heavy tail",
    "far apart",
    "two groups",
    "half at an end",
)


def law_of(mechanism: QuantileInterval, column: Column) -> Enclosed:
    """Return its law."""
    law = mechanism.law(column)
    assert isinstance(law, Enclosed)
    return law


def coverage(law: Enclosed, value: float) -> float:
    """Return the exact chance that both ends enclose a value, without reaching for the answer."""
    inside = (float(law.lower.cdf(value)), 1 - float(law.upper.cdf(value - 0.25)))
    low, high = value <= law.low, value >= law.high  # beyond which an end is moved to the bound
    return (1.0 if low else inside[0]) * (1.0 if high else inside[1])


@pytest.mark.parametrize("relation", [Relation(), Relation(rows=2)], ids=str)
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", NAMES)
def test_the_interval_covers_on_adversarial_rows(name: str, epsilon: float, relation: Relation) -> None:
    """Three sizes, three levels, the median: exactly, and by draws (a false alarm of once in 10^9 each)."""
    for n, q in product(SIZES, (0.05, 0.5, 0.9)):
        column = Column.from_values(WIDE, np.array(rows(name, n), dtype=int))
        law = law_of(QuantileInterval(q=q, epsilon=epsilon, relation=relation), column)
        uniforms = SimulationNoise(n).uniforms(3, DRAWS)
        (first, _), (_, last) = law.ends(uniforms[0]), law.ends(uniforms[1])
        answer = law.middle.quantile(uniforms[2])
        queries: tuple[Query, ...] = (Quantile(q=q), Median()) if q == 0.5 else (Quantile(q=q),)
        for value in (query.value(column) for query in queries):
            assert coverage(law, value) >= PROMISED, (n, q)
            inside = (np.minimum(first, answer) <= value) & (np.maximum(last, answer) >= value)
            assert inside.sum() >= stats.binom.ppf(FALSE_ALARM, DRAWS, PROMISED), (n, q)


FIVE = Bounds(0, 4, integer=True)


@pytest.mark.soak
@pytest.mark.parametrize("change_one", [False, True])
@pytest.mark.parametrize("epsilon", [3.0, 12.0, 40.0])
@pytest.mark.parametrize("q", [0.0, 0.1, 0.5, 0.75, 1.0])
def test_the_interval_covers_on_all_small_datasets(q: float, epsilon: float, change_one: bool) -> None:
    """Every multiset of up to seven rows on five ticks, exactly; in `make test` every fifth of each size."""
    narrow = 0
    for n in range(1 if change_one else 0, 8):
        mechanism = QuantileInterval(q=q, epsilon=epsilon, relation=Relation(n if change_one else None))
        for x in some(combinations_with_replacement(range(5), n), 5):
            column = Column.from_ticks(FIVE, np.array(x, dtype=np.int64))
            law = law_of(mechanism, column)
            values = [Quantile(q=q).value(column)] + ([Median().value(column)] if q == 0.5 else [])
            assert min(coverage(law, value) for value in values) >= PROMISED
            first, last = law.ends(0.5)
            narrow += int(last - first < 4)
    # where there is enough to tell, the bounds are not the answer
    assert narrow > times(6, 20) or epsilon < 40 or q in (0, 1)


class AtTheRank(QuantileInterval):
    """A broken twin: ends at the rank itself."""

    def end(self, ticks: int, side: int) -> Any:
        """Look for the quantile."""
        return self.aim


def test_ends_without_their_distance_or_their_bound_are_caught() -> None:
    """Ends drawn at the rank; and ends among the ticks alone, where there are few rows."""
    column = Column.from_values(WIDE, np.array(rows("spread", 5000), dtype=int))
    law, value = law_of(AtTheRank(epsilon=1.0), column), Quantile().value(column)
    assert coverage(law, value) < 0.5
    mechanism, few = QuantileInterval(epsilon=1.0), Column.from_values(WIDE, np.array([10_000] * 3))
    aim = mechanism.end(WIDE.top + 1, 1)
    alone = runs_near(few, aim, mechanism.rate_of(aim))
    assert 1 - float(alone.cdf(10_000 - 0.25)) < 0.9 <= coverage(law_of(mechanism, few), 10_000.0)


def test_what_is_audited_is_all_that_is_shown() -> None:
    """Three draws: their joint law loses epsilon and no more; the answer alone loses a third."""
    mechanism = QuantileInterval(epsilon=3.0)
    laws = [law_of(mechanism, Column.from_ticks(WIDE, np.array([5] * n))) for n in (20, 21)]
    joint, joint_beside = (law.everything for law in laws)
    assert isinstance(joint, Product) and len(joint.parts) == 3
    assert divergence(joint, joint_beside, 3.0) <= 1e-9
    assert divergence(laws[0].middle, laws[1].middle, 1.0) <= 1e-9
    assert mechanism.cost() == Cost.of(3.0)
    account = mechanism.account()
    assert account is not None and [part.size for part in account.parts] == [1.0] * 3


def test_the_answer_stands_with_its_interval() -> None:
    """Through the road: within the declared range, around the answer, and as far from its rank as it says."""
    schema = Schema({"x": Number(0, 100, integer=True)})
    data = "x\n" + "".join(f"{i % 101}\n" for i in range(4000))
    curator = Curator(Dataset(LocalSource(data.encode()), schema), SessionLedger(Cost.of(20)), tick=0)
    for again in range(5):
        release = curator.ask(Request(QuantileInterval(q=0.5, epsilon=1.0), ("x",)), str(again))
        low, high = release.interval
        assert 0 <= low <= release.answer <= high <= 100 and high - low < 20  # type: ignore[operator]
    public = Public(Bounds(0, 100, integer=True))
    assert QuantileInterval(epsilon=3.0).rank_error(public) == QuantileExponential(epsilon=1.0).rank_error(public)
    assert (
        "An interval is released with it. Rows on each side (approximate): "
        in QuantileInterval(epsilon=1.0).forecast(public).note
    )


def test_it_is_chosen_where_an_interval_is_wished_for() -> None:
    """And not where it is not: a third of epsilon is a price. Means and sums have one of their own."""
    schema = Schema({"x": Number(0, 100_000, integer=True)})

    def slugs(interval: bool) -> list[str]:
        items = tuple(
            Wanted(statistic, "x", level=level, interval=interval)
            for statistic, level in (("median", None), ("quantile", 0.9), ("mean", None), ("sum", None))
        )
        plan = Plan(items, Cost.of(2), people=5000)
        assert plan_from(plan_text(plan)) == plan
        rows = planned(plan, schema).rows
        return [row.mechanism.slug for row in rows]

    assert slugs(True)[:2] == ["quantile-interval"] * 2
    assert slugs(False)[:2] == ["quantile-exponential"] * 2
    assert slugs(True)[2:] == slugs(False)[2:] and slugs(True)[2] == "soft-counts"


def test_shares_are_exact() -> None:
    """The distance of an end is in units of its level: c is one unit more than a draw is off."""
    mechanism = QuantileInterval(q=0.9, epsilon=1.0)
    lower, upper = mechanism.end(101, -1), mechanism.end(101, 1)
    assert lower.q == upper.q == Fraction(9, 10) and lower.shift == -upper.shift < 0
