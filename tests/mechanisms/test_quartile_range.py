"""The interquartile range from three quartiles: its law, and that it is chosen where it is better."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from discreet.budget import Cost
from discreet.lab.contest import Contender, Ground, Scenario, advice, contenders, run
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.laws.law import Law
from discreet.mechanisms.laws.ranks import RankTree
from discreet.mechanisms.quantile_tree import QuantileTree
from discreet.mechanisms.quartile_range import LastLessFirst, QuartileRange
from discreet.plans import Plan, Wanted, planned
from discreet.queries import Bounds, Column, Relation
from discreet.queries.interquartile import InterquartileRange
from discreet.rows import Number, Schema

FIVE = Bounds(-2, 6, step=2, integer=True)
FALSE_ALARM = 1e-9
KINDS = (QuartileRange, QuantileTree)
DRAWS = 2000


def law_of(rows: list[int], epsilon: float = 3.0) -> LastLessFirst:
    """Return the law on a few ticks."""
    law = QuartileRange(epsilon=epsilon).law(Column.from_ticks(FIVE, np.array(rows, dtype=np.int64)))
    assert isinstance(law, LastLessFirst)
    return law


@pytest.mark.parametrize("rows", [[], [3, 3, 3], [0, 1, 2, 2, 4, 4]], ids=str)
def test_answers_are_distances_of_quartiles_with_their_exact_chances(rows: list[int]) -> None:
    """Drawn and simulated (chi-square against the joint law of the three); its own cdf, of draws, is near it."""
    law, noise = law_of(rows), SimulationNoise(5)
    chances = np.zeros(5)
    for ticks, chance in law.tree.joint().items():
        chances[ticks[-1] - ticks[0]] += chance
    for answers in (np.array([law.draw(noise) for _ in range(DRAWS)]), simulate(law, DRAWS, noise)):
        assert set(answers.tolist()) <= {0.0, 2.0, 4.0, 6.0, 8.0}
        seen = np.bincount((answers / 2).astype(int), minlength=5)
        assert stats.chisquare(seen, chances * DRAWS).pvalue > FALSE_ALARM
    deviations = np.cumsum(chances) - law.cdf(np.arange(5) * 2.0)
    assert np.abs(deviations).max() < 0.1 and (law.quantile([0.1, 0.9]) >= 0).all()


def same(law: Law, tree: RankTree) -> bool:
    """Say whether a law is the joint law of a tree: of the same rows, with the same numbers."""
    return vars(law).items() >= {name: vars(tree)[name] for name in ("column", "levels", "rate", "scale")}.items()


def test_it_is_what_it_is_made_of() -> None:
    """The cost, the account and the audited law are those of three quartiles at once."""
    relation = Relation(rows=2)
    mechanism, quartiles = (kind(epsilon=2.0, relation=relation) for kind in KINDS)
    assert mechanism.cost() == quartiles.cost() and mechanism.account() == quartiles.account()
    law = law_of([1])
    assert law.everything is law.tree and law.tree.levels == quartiles.shares
    for more in (Relation(), relation, Relation(size=3), Relation(size=3, rows=2)):
        for epsilon in (1.0, 8.0):
            own, tree = (kind(epsilon=epsilon, relation=more).law(law.tree.column) for kind in KINDS)
            assert isinstance(tree, RankTree) and type(own.everything) is RankTree and same(own.everything, tree)
    rows = quartiles.rank_error(Public(FIVE))
    assert rows is not None and f"from its true rank: {max(rows[0], rows[2])}." in mechanism.forecast(Public(FIVE)).note
    assert mechanism.rank_error(Public(FIVE)) is None


def advised(size: int, epsilon: float, shape: str) -> Contender:
    """Return what a comparison recommends for people between 0 and 100,000."""
    ground, query = Ground.of(Scenario(Bounds(0, 100_000, integer=True), size, shape)), InterquartileRange()
    entered = contenders(query, Cost.of(epsilon), ground)
    best = advice(entered, run(entered, query, ground, draws=200, seed=1), ground)
    assert best is not None and len(entered) > 2
    return best.best


def test_it_is_recommended_where_it_is_better_and_only_there() -> None:
    """At a small epsilon it is several times better than noise that follows a sensitivity."""
    assert advised(3000, 0.1, "bell").slug == "quartile-range"
    assert advised(300, 1.0, "two groups").slug != "quartile-range"
    ground = Ground.of(Scenario(Bounds(0, 100_000, integer=True), 3000))
    query, cost = InterquartileRange(), Cost.of(0.1)
    results = zip(
        contenders(query, cost, ground), run(contenders(query, cost, ground), query, ground, 200, 2), strict=True
    )
    errors = {contender.slug: result.summary()["q95"] for contender, result in results}
    assert min(error for slug, error in errors.items() if slug != "quartile-range") > 4 * errors["quartile-range"]


def test_a_plan_takes_it() -> None:
    """By its forecast on public ground."""
    schema = Schema({"x": Number(0, 100_000, integer=True)})
    (row,) = planned(Plan((Wanted("interquartile-range", "x"),), Cost.of("0.2"), people=3000), schema).rows
    assert row.mechanism.slug == "quartile-range" and row.error < 20_000
