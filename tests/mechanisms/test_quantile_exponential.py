"""Quantiles by the exponential mechanism: distances, their sensitivity, and the exact law."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from discreet.budget.errors import ParameterError
from discreet.evidence.audit import worst
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.laws.law import Picked, Runs
from discreet.mechanisms.laws.ranks import Aim, furthest, runs_near
from discreet.mechanisms.quantile_exponential import QuantileExponential, QuantileFlipped
from discreet.queries import Bounds, Column, Relation

TICKS, MOST = 5, 6
BOUNDS = Bounds(0, TICKS - 1, integer=True)
SHARES = [Fraction(1, 2), Fraction(9, 10), Fraction(1, 3), Fraction(0), Fraction(1)]
ROUNDING = 1 + 1e-9
DRAWS = 20_000
FALSE_ALARM = 1e-9  # chance that right frequencies fail one chi-square test
Rows = tuple[int, ...]


def datasets(sizes: Any = range(MOST + 1)) -> list[Rows]:
    """Return all multisets of ticks of the given sizes."""
    return [x for n in sizes for x in combinations_with_replacement(range(TICKS), n)]


@cache
def neighbours(x: Rows, change_one: bool, rows: int = 1) -> set[Rows]:
    """Return all datasets with up to `rows` rows more, or with so many rows changed."""
    samples = {x}
    for _ in range(rows):
        if change_one:
            samples |= {(*old[:i], t, *old[i + 1 :]) for old in samples for i in range(len(x)) for t in range(TICKS)}
        else:
            samples |= {(*old, t) for old in samples for t in range(TICKS)}
    return {tuple(sorted(other)) for other in samples} - {x}


@cache
def column(x: Rows) -> Column:
    """Return a column of ticks, the same one to all."""
    return Column.from_ticks(BOUNDS, np.array(x, dtype=np.int64))


def spread(law: Runs, values: Any) -> Any:
    """Return one number per tick from one number per run."""
    assert np.array_equal(np.cumsum(law.widths)[:-1], law.starts[1:]) and law.starts[0] == 0
    return np.repeat(values, law.widths)


@cache
def far(x: Rows, q: Fraction, public: bool) -> Any:
    """Return each tick's distance from its definition: rows below, on and above, one by one."""
    distances = []
    for t in range(TICKS):
        below, on = sum(v < t for v in x), sum(v == t for v in x)
        if public:
            target = q * len(x)
            distances.append(max(0, below - math.floor(target), math.ceil(target) - below - on))
        else:
            target = q.numerator * len(x)
            distances.append(max(0, q.denominator * below - target, target - q.denominator * (below + on)))
    return np.array(distances)


def per_tick(mechanism: QuantileExponential, x: Rows) -> Any:
    """Return the exact chance of each tick."""
    law = mechanism.law(column(x))
    assert isinstance(law, Runs)
    return spread(law, law.probabilities / law.widths)


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("q", SHARES, ids=str)
def test_the_law_holds_the_exact_capped_distance_of_every_tick(q: Fraction, public: bool) -> None:
    """Runs from look-ups equal the definition, for wide and for tiny public caps."""
    for x in datasets():
        away = far(x, q, public)
        for rate in (0.01, 20.0, 100.0):
            cap = math.ceil(math.log(TICKS * 1e18) / rate)
            law = runs_near(column(x), Aim(q, public), rate)
            assert np.array_equal(spread(law, law.distances), np.minimum(away, cap))


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("q", SHARES, ids=str)
def test_the_distance_changes_by_its_sensitivity_at_most_and_reaches_it(q: Fraction, public: bool) -> None:
    """All neighbours of all multisets of up to six rows over five ticks, no rows included."""
    changes = [
        np.abs(far(x, q, public) - far(other, q, public)).max()
        for x in datasets()
        if len(x) < MOST
        for other in neighbours(x, public)
    ]
    assert max(changes) == Aim(q, public).sensitivity


@pytest.mark.parametrize("q", SHARES, ids=str)
def test_a_tick_is_at_distance_zero_exactly_if_it_is_a_quantile(q: Fraction) -> None:
    """At most q n rows lie below it and at least q n up to it; there always is such a tick."""
    for x in datasets():
        below = np.array([sum(v < t for v in x) for t in range(TICKS)])
        upto = np.array([sum(v <= t for v in x) for t in range(TICKS)])
        quantile = (below <= q * len(x)) & (upto >= q * len(x))
        assert quantile.any()
        for public in (False, True):
            zero = far(x, q, public) == 0
            assert np.array_equal(zero, quantile) if not public else (zero >= quantile).all()


def test_the_median_distance_is_the_surplus_of_one_side() -> None:
    """For q = 1/2 it is max(0, |L - R| - E), the steps until the tick is a median."""
    for x in datasets():
        for t, distance in enumerate(far(x, Fraction(1, 2), False)):
            below, on, above = (sum(map(test, x)) for test in (t.__gt__, t.__eq__, t.__lt__))
            assert distance == max(0, abs(below - above) - on)


@pytest.mark.parametrize(
    "relation", [Relation(), Relation(rows=2), Relation(size=4), Relation(size=4, rows=2)], ids=str
)
@pytest.mark.parametrize("q", [0.5, 0.9, 0.25, 1.0])
@pytest.mark.parametrize("epsilon", [0.5, 2.0, 40.0])
def test_no_pair_of_neighbours_loses_more_than_epsilon(q: float, epsilon: float, relation: Relation) -> None:
    """Every tick of every pair, caps included; no rows and ties are ordinary datasets."""
    mechanism = QuantileExponential(q=q, epsilon=epsilon, relation=relation)
    assert worst_loss(mechanism, relation) <= epsilon * ROUNDING


def worst_loss(mechanism: QuantileExponential, relation: Relation) -> float:
    """Return the largest log-ratio of a tick over all pairs of neighbours."""
    sizes = [relation.size] if relation.size else range(4)
    laws = {x: np.log(per_tick(mechanism, x)) for x in datasets(sizes if relation.size else range(6))}
    return max(
        float(np.abs(laws[x] - laws[other]).max())
        for x in datasets(sizes)
        for other in neighbours(x, relation.change_one, relation.rows)
    )


@dataclass(frozen=True)
class WithoutTheTwo(QuantileExponential):
    """A broken twin: the score moves both ways, and the factor of two is lost."""

    @property
    def rate(self) -> float:
        """Return twice the right rate."""
        return 2 * super().rate


@dataclass(frozen=True)
class MedianOnly(QuantileExponential):
    """A broken twin: the sensitivity of the median for every quantile."""

    @property
    def rate(self) -> float:
        """Return epsilon over two, which is right for the median alone."""
        return self.epsilon / 2


def test_broken_twins_are_caught() -> None:
    """A lost factor two and a quantile with the median's sensitivity both exceed epsilon."""
    assert worst_loss(WithoutTheTwo(epsilon=1.0), Relation()) > 1.3
    assert worst_loss(WithoutTheTwo(epsilon=1.0), Relation(size=4)) > 1.3
    assert worst_loss(MedianOnly(q=0.9, epsilon=1.0), Relation()) > 2.0
    assert worst_loss(QuantileExponential(epsilon=1.0), Relation(rows=2)) > 1.1


@pytest.mark.parametrize(
    ("relation", "x", "other"),
    [(Relation(), (2, 2, 2), (2, 2, 2, 10**9)), (Relation(size=4), (0, 2, 2, 2), (2, 2, 2, 10**9))],
    ids=str,
)
def test_the_bound_is_reached(relation: Relation, x: Rows, other: Rows) -> None:
    """Nothing less could be promised: a wide gap beside a few rows loses all of epsilon."""
    wide = Bounds(0, 10**9, integer=True)
    mechanism = QuantileExponential(epsilon=6.0, relation=relation)
    laws = [mechanism.law(Column.from_ticks(wide, np.array(rows))) for rows in (x, other)]
    likely, rare = (law.cdf(1) - law.cdf(0) for law in laws)
    assert math.log(likely / rare) == pytest.approx(6.0, abs=1e-3)


def test_an_extreme_needs_no_factor_of_two() -> None:
    """For the maximum all distances move one way, and epsilon is still nearly reached."""
    for relation in (Relation(), Relation(size=4), Relation(size=4, rows=2)):
        mechanism = QuantileExponential(q=1.0, epsilon=6.0, relation=relation)
        assert 0.7 * 6 < worst_loss(mechanism, relation) <= 6 * ROUNDING


@pytest.mark.parametrize("q", [0.5, 0.9])
@pytest.mark.parametrize("bounds", [BOUNDS, Bounds(-7.5, 8.5, 4.0), Bounds(-40, -36, integer=True)])
def test_draws_have_the_exact_chances_in_the_unit_of_the_column(q: float, bounds: Bounds) -> None:
    """Drawn and simulated answers are values of ticks, with the right frequencies (chi-square)."""
    mechanism, noise = QuantileExponential(q=q, epsilon=1.5), SimulationNoise(11)
    x = (0, 1, 1, 3, 4, 4)
    law = mechanism.law(Column.from_ticks(bounds, np.array(x)))
    values = bounds.value(np.arange(TICKS))
    drawn = np.array([law.draw(noise) for _ in range(DRAWS)])
    for answers in (drawn, law.simulate(noise.uniforms(law.draws, DRAWS))):
        seen = np.bincount(np.searchsorted(values, answers - 1e-9), minlength=TICKS)
        assert np.isin(answers, values).all()
        assert stats.chisquare(seen, per_tick(mechanism, x) * DRAWS).pvalue > FALSE_ALARM
    assert law.cdf(values) == pytest.approx(np.cumsum(per_tick(mechanism, x)), rel=1e-12)


def test_no_rows_are_uniform_and_equal_rows_win() -> None:
    """Empty data make every tick a quantile; many equal rows are the answer."""
    assert per_tick(QuantileExponential(epsilon=1.0), ()) == pytest.approx(1 / TICKS, rel=1e-12)
    assert per_tick(QuantileExponential(epsilon=1.0), (3,) * 60)[3] > 1 - 1e-9
    chances = per_tick(QuantileExponential(epsilon=1.0), (2,))
    assert np.argmax(chances) == 2 and chances[2] / chances[0] == pytest.approx(math.exp(0.5), rel=1e-8)


def test_a_large_column_is_looked_at_through_a_public_window() -> None:
    """The number of runs does not follow the rows, and what is far away weighs nothing."""
    rng = np.random.default_rng(0)
    ticks = rng.integers(0, 2**20, 300_000)
    wide = Bounds(0.0, 1.0)
    law = QuantileExponential(q=0.75, epsilon=1.0).law(Column.from_ticks(wide, ticks))
    assert isinstance(law, Runs)
    assert law.starts.size < 1000 and law.widths.sum() == wide.top + 1
    assert law.probabilities[[0, -1]].max() < 1e-18
    whole = np.sort(ticks)
    assert abs(float(law.quantile(0.5)) - wide.value(whole[225_000])) < 1e-4


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("q", SHARES, ids=str)
def test_the_promised_number_of_rows_holds_whatever_the_rows_are(q: Fraction, public: bool) -> None:
    """The chance to be further off than promised, exactly: at most alpha for every multiset of six rows."""
    for rate in (0.05, 0.4, 1.5, 4.0):
        promised = [(alpha, furthest(TICKS, rate, alpha)) for alpha in (0.05, 0.3, 0.5)]
        for x in datasets():
            law, away = runs_near(column(x), Aim(q, public), rate), far(x, q, public)
            chances = spread(law, law.probabilities / law.widths)
            assert all(chances[away > units].sum() <= alpha for alpha, units in promised)


@pytest.mark.parametrize("alpha", [0.05, 0.5])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
def test_adversarial_rows_reach_the_promised_number(epsilon: float, alpha: float) -> None:
    """All rows on one tick, one more than promised: each other tick is too far, with less than alpha."""
    mechanism = QuantileExponential(epsilon=epsilon)
    units = furthest(TICKS, mechanism.rate, alpha)
    too_far = 1 - per_tick(mechanism, (2,) * (units + 1))[2]
    assert too_far <= alpha
    if units:  # a bound of one unit less would not hold
        assert 1 - per_tick(mechanism, (2,) * units)[2] > alpha


def test_the_promise_is_public_and_said() -> None:
    """It follows from the question and the bounds: the forecast says it, and when it says nothing."""
    mechanism = QuantileExponential(epsilon=8.0)
    rows = mechanism.rank_error(Public(bounds=BOUNDS))
    assert rows == math.ceil(furthest(TICKS, mechanism.rate, 0.05) / 2) and rows >= 1
    assert (
        f"the result is at most this many rows from the quantile: {rows}."
        in mechanism.forecast(Public(bounds=BOUNDS)).note
    )
    assert mechanism.rank_error(Public()) is None
    note = QuantileExponential(q=0.99, epsilon=0.2).forecast(Public(Bounds(0, 1), 2000)).note
    assert "anywhere" in note
    assert "anywhere" not in QuantileExponential().forecast(Public(Bounds(0, 1), 2000)).note


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"q": 1.5}, "Quantile must be between 0 and 1"),
        ({"q": math.nan}, "Quantile must be between 0 and 1"),
        ({"q": 0.12345678}, "at most 6 decimals"),
        ({"epsilon": 0}, "ε must be between 1e-06 and 50"),
        ({"epsilon": math.inf}, "ε must be between 1e-06 and 50"),
    ],
)
def test_wrong_parameters_are_refused_with_their_range(wrong: dict[str, Any], says: str) -> None:
    """The sentence names the range, before anything is charged."""
    with pytest.raises(ParameterError, match=says):
        QuantileExponential(**wrong)


# --- Permute-and-flip over the ticks ---


def flipped(x: Rows, q: float, epsilon: float) -> Any:
    """Return the chance of each tick by the definition: all orders in which the ticks may be visited."""
    mechanism = QuantileFlipped(q=q, epsilon=epsilon)
    far = [
        mechanism.aim.distances(np.array([np.sum(np.array(x) < t)]), np.array([np.sum(np.array(x) <= t)]), len(x))[0]
        for t in range(TICKS)
    ]
    heads = [math.exp(-mechanism.rate * (each - min(far))) for each in far]
    chances = np.zeros(TICKS)
    orders = list(permutations(range(TICKS)))
    for order in orders:
        left = 1.0
        for tick in order:
            chances[tick] += left * heads[tick] / len(orders)
            left *= 1 - heads[tick]
    return chances


@pytest.mark.parametrize("q", [0.5, 0.9, 0.0])
def test_flips_in_random_order_have_the_stated_chances(q: float) -> None:
    """Against all orders of the ticks, with ties, no rows, rows at one end; and drawn ones (fails once in 10^9)."""
    for x in ((), (0,), (4, 4, 4), (0, 0, 2, 4), (1, 2, 2, 3, 3, 4)):
        law = QuantileFlipped(q=q, epsilon=2.0).law(column(x))
        assert isinstance(law, Picked) and law.probabilities == pytest.approx(flipped(x, q, 2.0), abs=1e-9)
    noise = SimulationNoise(5)
    drawn = np.bincount([int(law.draw(noise)) for _ in range(DRAWS)], minlength=TICKS)  # type: ignore[arg-type]
    seen = law.probabilities * DRAWS > 5
    assert (
        stats.chisquare(drawn[seen], law.probabilities[seen] / law.probabilities[seen].sum() * drawn[seen].sum()).pvalue
        > FALSE_ALARM
    )


@pytest.mark.parametrize("relation", [Relation(), Relation(rows=2), Relation(size=3)])
@pytest.mark.parametrize("q", [0.5, 0.9, 1.0])
def test_flips_lose_epsilon_at_most_and_a_larger_rate_is_caught(q: float, relation: Relation) -> None:
    """On all neighbours of small tables."""
    sizes = (relation.size,) if relation.size else range(4)
    pairs = [
        (column(x), column(other))
        for x in datasets(sizes)
        for other in neighbours(x, relation.change_one, relation.rows)
    ]
    mechanism = QuantileFlipped(q=q, epsilon=1.0, relation=relation)
    assert worst(mechanism, pairs).holds

    class Louder(QuantileFlipped):
        """Twice the rate: as if a row moved two ticks apart by half as much."""

        @property
        def rate(self) -> float:
            return 2 * super().rate

    assert not worst(Louder(q=q, epsilon=1.0, relation=relation), pairs).holds


def test_flips_are_nearer_and_keep_to_the_same_ranks() -> None:
    """On every small table no tick is further off more often; finer grids are refused."""
    for x in datasets((0, 3, 6)):
        flips, weights = QuantileFlipped(epsilon=1.5).law(column(x)), QuantileExponential(epsilon=1.5).law(column(x))
        assert isinstance(flips, Picked) and isinstance(weights, Runs)
        far = spread(weights, weights.distances)
        each = spread(weights, weights.probabilities / weights.widths)
        for off in np.unique(far):
            assert flips.probabilities[far >= off].sum() <= each[far >= off].sum() + 1e-9
    ages = Bounds(0, 125, integer=True)
    QuantileFlipped().check(Public(ages))
    with pytest.raises(ParameterError, match=r"at most 4,096 values\. Got 4,097"):
        QuantileFlipped().check(Public(Bounds(0, 4096, integer=True)))
    assert QuantileFlipped().rank_error(Public(ages)) == QuantileExponential().rank_error(Public(ages))
