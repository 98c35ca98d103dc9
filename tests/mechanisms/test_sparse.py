"""Sparse vector: the exact law, every neighbour pair, and the published variants that fail."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from discreet.budget.errors import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.base.sparse_vector import Crossings, Scales
from discreet.mechanisms.laws.anatomy import anatomy
from discreet.mechanisms.laws.selecting import rule
from discreet.mechanisms.sparse import AboveThreshold
from discreet.queries import Relation
from discreet.queries.column import Scores

FIXED = Relation(size=9)
ROUNDING = 1 + 1e-9
DRAWS = 20_000
FALSE_ALARM = 1e-9  # chance that right frequencies fail one chi-square test


def crossings(values: Any, scales: Scales, most: int = 1, threshold: float = 2.0) -> Crossings:
    """Return the law of a stream of plain numbers."""
    names = tuple(f"c{i}" for i in range(len(values)))
    return Crossings(names, np.array(values), threshold, scales, most)


def pairs(length: int, relation: Relation, most: int = 3) -> list[tuple[Any, Any]]:
    """Return all counts up to `most` with their neighbours: rows added, or rows moved."""
    neighbours = []
    for counts in product(range(most + 1), repeat=length):
        for i, j in product(range(length), repeat=2):
            other = list(counts)
            other[i] += relation.rows
            if relation.change_one:
                other[j] -= relation.rows
            if i == j or relation.change_one:
                neighbours.append((counts, tuple(other)))
    return [(a, b) for a, b in neighbours if a != b and min(b) >= 0]


def losses(mechanism: AboveThreshold, relation: Relation, length: int) -> list[float]:
    """Return the largest log-ratio of an outcome for every pair of neighbours."""
    cache: dict[Any, Any] = {}

    def logs(values: Any) -> Any:
        if values not in cache:
            law = crossings(values, mechanism.scales, mechanism.most, mechanism.threshold)
            cache[values] = np.log([law.chance(outcome) for outcome in law.outcomes()])
        return cache[values]

    return [float(np.abs(logs(a) - logs(b)).max()) for a, b in pairs(length, relation)]


def test_the_law_of_stopping_agrees_with_adaptive_quadrature() -> None:
    """Every stopping position of a stream with ties, to 1e-12, from the definition."""
    values, scales, bar = [0, 5, 1, 1, 9, 3], Scales(1.3, 2.1), 2.5
    law = crossings(values, scales, 1, bar)
    threshold, noise = stats.laplace(scale=1.3), stats.laplace(scale=2.1)
    kinks = sorted({-80.0, 0.0, 80.0, *(v - bar for v in values)})

    def stops(rho: float, at: int) -> float:
        before = np.prod(noise.cdf(bar + rho - np.array(values[:at])))
        passes = noise.sf(bar + rho - values[at]) if at < len(values) else 1.0
        return float(threshold.pdf(rho) * before * passes)

    for at, chance in enumerate(law.probabilities):
        parts = [
            integrate.quad(stops, a, b, (at,), epsabs=1e-14, epsrel=1e-13)[0]
            for a, b in zip(kinks, kinks[1:], strict=False)
        ]
        assert chance == pytest.approx(sum(parts), abs=1e-12)
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-13)


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_outcomes_add_up_to_the_law_of_stopping(most: int) -> None:
    """The chances of all answers sum to one, and to each stopping position."""
    law = crossings([1, 4, 2, 0], Scales(0.8, 1.9), most)
    outcomes = list(law.outcomes())
    each = np.array([law.chance(outcome) for outcome in outcomes])
    assert each.sum() == pytest.approx(1, abs=1e-13)
    stop = np.array([f[-1] if len(f) == most else law.values.size for f in outcomes])
    assert law.probabilities == pytest.approx(np.bincount(stop, each, 5), abs=1e-13)
    assert anatomy(law).masses == pytest.approx(each, abs=1e-15)


@pytest.mark.parametrize("most", [1, 2])
def test_draws_have_the_exact_chances(most: int) -> None:
    """Frequencies of the answers drawn, and of simulated stops, fit the law (chi-square)."""
    law, noise = crossings([1, 3, 2], Scales(1.0, 2.0), most), SimulationNoise(5)
    outcomes = list(law.outcomes())
    named = [tuple(law.candidates[i] for i in outcome) for outcome in outcomes]
    seen = np.bincount([named.index(law.draw(noise)) for _ in range(DRAWS)], minlength=len(named))  # type: ignore[arg-type]
    expected = np.array([law.chance(outcome) for outcome in outcomes]) * DRAWS
    assert stats.chisquare(seen, expected).pvalue > FALSE_ALARM
    stops = np.bincount(law.simulate(noise.uniforms(1, DRAWS)).astype(int), minlength=4)
    real = law.probabilities > 0
    assert stats.chisquare(stops[real], law.probabilities[real] * DRAWS).pvalue > FALSE_ALARM


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize("relation", [Relation(), Relation(rows=2), FIXED], ids=str)
def test_no_pair_of_neighbours_loses_more_than_epsilon(relation: Relation, most: int) -> None:
    """All streams of three counts up to three rows, all neighbours, all answers, both ways."""
    for epsilon, threshold in ((0.5, 1.0), (4.0, 2.0)):
        mechanism = AboveThreshold(epsilon=epsilon, relation=relation, most=most, threshold=threshold)
        assert max(losses(mechanism, relation, 3)) <= epsilon * ROUNDING


def worst_pair(scales: Scales, before: int, moved: int, most: int = 1, bar: float = 0.0) -> float:
    """Return the loss of a stream that stays below, then crosses, with all of it moved."""
    low, high = [0] * before, [1] * before
    outcome = tuple(range(before, before + most))
    chance = crossings(low + [moved] * most, scales, most, bar).chance(outcome)
    other = crossings(high + [0] * most, scales, most, bar).chance(outcome)
    return abs(math.log(chance / other))


@pytest.mark.parametrize("most", [1, 3])
def test_the_bound_is_nearly_reached_and_the_monotone_scale_is_not_enough(most: int) -> None:
    """Queries that move apart need the factor of two: without it epsilon is exceeded."""
    general = Scales.best(1.0, "general", Relation(), most)
    assert 0.9 < worst_pair(general, 60, 1, most) <= ROUNDING
    monotone = Scales.best(1.0, "automatic", Relation(), most)
    assert worst_pair(monotone, 60, 1, most) > 1.3


@pytest.mark.parametrize("rows", [1, 3])
def test_a_monotone_stream_nearly_reaches_epsilon(rows: int) -> None:
    """When all counts move one way, half the noise spends all of epsilon and no more."""
    scales = Scales.best(1.0, "automatic", Relation(rows=rows), 1)
    base, last, all_ = (
        crossings([before] * 60 + [after], scales, 1, 0.0).chance((60,))
        for before, after in ((0, 0), (rows, 0), (rows, rows))
    )
    assert 0.9 < abs(math.log(base / last)) <= ROUNDING
    assert abs(math.log(base / all_)) <= ROUNDING


def test_the_best_split_has_the_smallest_variance() -> None:
    """No other split of epsilon gives less noise to the comparison."""
    for form, factor in (("general", 2), ("automatic", 1)):
        for most in (1, 4, 20):
            best = Scales.best(2.0, form, Relation(), most)
            variance = best.threshold**2 + best.query**2
            for first in np.linspace(0.05, 1.95, 39):
                other = (1 / first) ** 2 + (factor * most / (2.0 - first)) ** 2
                assert variance <= other * ROUNDING**2


def integral(rho_scale: float, inside: Callable[[Any], Any], kinks: list[float]) -> float:
    """Integrate over the noise of a threshold of 0."""
    u, weights = rule(np.array([0.0, *kinks]) / rho_scale, -90.0, 90.0, 0.5)
    return float(weights @ (np.exp(-np.abs(u)) / 2 * inside(u * rho_scale)))


def test_variant_three_tells_the_noisy_value_and_loses_more_than_epsilon() -> None:
    """It outputs q + nu in place of "above": the value bounds the threshold, unboundedly."""
    epsilon, below = 1.0, 12
    rho, nu = stats.laplace(scale=2 / epsilon), stats.laplace(scale=2 / epsilon)

    def density(low: int, last: int, value: float) -> float:
        mass = integrate.quad(
            lambda r: rho.pdf(r) * nu.cdf(r - low) ** below,
            -80,
            value,
            points=[p for p in (0, low) if p < value],
            limit=200,
        )[0]
        return float(mass * nu.pdf(value - last))

    assert math.log(density(0, 1, 0.0) / density(1, 0, 0.0)) > 3 * epsilon


def test_variant_four_does_not_scale_with_the_number_of_answers() -> None:
    """With rho at epsilon/4 and nu at 3 epsilon/4 it loses (1 + 6c)/4 epsilon for c answers."""
    most, broken = 3, Scales(4.0, 4 / 3)
    loss = worst_pair(broken, 60, 1, most)
    assert 3.5 < loss <= (1 + 6 * most) / 4 * ROUNDING


def test_variant_five_puts_no_noise_on_the_queries() -> None:
    """One side gives "below, above" a chance, the other gives none: the loss is infinite."""

    def chance(first: float, second: float) -> float:
        bar = stats.laplace(scale=2.0)
        return float(max(0.0, bar.cdf(second) - bar.cdf(first)))

    assert chance(0.0, 1.0) > 0.1
    assert chance(1.0, 0.0) == 0.0


def test_variant_six_never_stops_answering() -> None:
    """With noise for one answer and no limit, the loss grows with every pair of answers."""
    scale, repeats = 2.0, 12

    def chance(low: int, high: int) -> float:
        noise = stats.laplace(scale=scale)

        def inside(rho: Any) -> Any:
            return (noise.cdf(rho - low) * noise.sf(rho - high)) ** repeats

        return integral(scale, inside, [float(low), float(high)])

    assert math.log(chance(0, 1) / chance(1, 0)) > 3.0
    fixed = AboveThreshold(epsilon=1.0, form="general", most=repeats).scales
    outcome = tuple(range(1, 2 * repeats, 2))
    likelihood = crossings([0, 1] * repeats, fixed, repeats, 0.0).chance(outcome)
    other = crossings([1, 0] * repeats, fixed, repeats, 0.0).chance(outcome)
    assert math.log(likelihood / other) <= ROUNDING


def test_the_answer_is_a_list_of_names_and_nothing_else() -> None:
    """No rows, ties, and counts far above: the noisy counts are never told."""
    noise = SimulationNoise(2)
    mechanism = AboveThreshold(epsilon=2.0, threshold=1000.0, most=2)
    assert mechanism.law(Scores(("a", "b"), np.array([0, 0]))).draw(noise) == ()
    high = Scores(("a", "b", "c"), np.array([0, 10**6, 10**6]))
    assert mechanism.law(high).draw(noise) == ("b", "c")
    law = AboveThreshold(epsilon=2.0, threshold=-1000.0).law(Scores(("a",), np.array([0])))
    assert law.draw(noise) == ("a",)
    none = AboveThreshold().law(Scores((), np.array([], dtype=np.int64)))
    assert none.draw(noise) == () and none.cdf([-1, 0]).tolist() == pytest.approx([0.0, 1.0])


def test_the_promised_slack_holds() -> None:
    """Counts that far from the threshold are misjudged with a chance of at most alpha."""
    mechanism = AboveThreshold(epsilon=1.0, threshold=0.0)
    slack = math.ceil(mechanism.scales.slack(20, 0.05))
    law = crossings([-slack] * 19 + [slack], mechanism.scales, 1, 0.0)
    assert law.probabilities[19] >= 0.95
    assert f"{mechanism.scales.slack(20, 0.05):.3g}" in mechanism.forecast(Public(labels=20)).note


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"most": 0}, "Number of results must be between 1 and 100"),
        ({"most": 1.5}, "The number of results must be a whole"),
        ({"threshold": math.nan}, "Threshold must be between"),
        ({"epsilon": -1}, "ε must be between 1e-06 and 50"),
        ({"form": "monotone", "relation": FIXED}, "Form must be general"),
    ],
)
def test_wrong_parameters_are_refused_with_their_range(wrong: dict[str, Any], says: str) -> None:
    """The sentence names the range, before anything is charged."""
    with pytest.raises(ParameterError, match=says):
        AboveThreshold(**wrong)
    with pytest.raises(ParameterError, match="The number of candidates must be between 1 and 1000"):
        AboveThreshold().check(Public(labels=1001))
