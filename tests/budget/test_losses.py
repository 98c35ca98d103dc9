"""Losses and plans: never below the exact optimum of small plans, and hardly above it."""

from __future__ import annotations

import gc
import math
from fractions import Fraction
from itertools import product

import pytest
from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.budget import BoundedRange, Charge, Cost, GaussianAccount, LaplaceAccount, Pure, Together
from discreet.budget.accounts import Approximate, equal_epsilon
from discreet.budget.composition import MOST_KINDS, loss_to_epsilon, proven
from discreet.mechanisms.gaussian import gaussian_delta

DELTA = 1e-6


def optimum(epsilons: list[float], delta: float) -> float:
    """Return the least epsilon that holds for randomized responses, by going through all their outcomes.

    Each is right with e^ε/(1+e^ε); delta(e) falls with e, so it is bisected on exact fractions.
    """
    odds = [Fraction(math.exp(epsilon)) for epsilon in epsilons]
    outcomes = []
    for signs in product((0, 1), repeat=len(odds)):
        p = q = Fraction(1)
        for sign, odd in zip(signs, odds, strict=True):
            p *= (odd if sign else 1) / (1 + odd)
            q *= (1 if sign else odd) / (1 + odd)
        outcomes.append((p, q))
    low, high = 0.0, math.fsum(epsilons)
    for _ in range(40):
        middle = (low + high) / 2
        ratio = Fraction(math.exp(middle))
        enough = sum(max(Fraction(0), p - ratio * q) for p, q in outcomes) <= Fraction(delta)
        low, high = (low, middle) if enough else (middle, high)
    return high


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(0.01, 1.5), min_size=1, max_size=6), st.sampled_from([1e-6, 1e-3, 0.05]))
def test_different_pure_parts_cost_their_optimum_and_hardly_more(epsilons: list[float], delta: float) -> None:
    """Against all outcomes of up to six responses: never below, at most a hundredth above."""
    least = optimum(epsilons, delta)
    total = loss_to_epsilon([Pure(epsilon) for epsilon in epsilons], delta)
    assert least - 1e-9 <= total <= least + 0.01 * math.fsum(epsilons)


def test_an_account_that_rounds_down_would_be_noticed() -> None:
    """A broken twin: the same plan with every loss a hundredth smaller lies below the optimum."""
    epsilons = [0.3, 0.4, 0.5]
    least = optimum(epsilons, 0.01)
    assert loss_to_epsilon([Pure(epsilon * 0.99) for epsilon in epsilons], 0.01) < least - 1e-9


@pytest.mark.parametrize(("epsilon", "times"), [(0.05, 20), (0.0512345, 20), (0.1, 1000), (0.001, 100)])
def test_equal_pure_parts_meet_the_closed_form(epsilon: float, times: int) -> None:
    """The optimum for equal parts is known: nothing below it, half of a hundredth above."""
    least = equal_epsilon(epsilon, times, DELTA)
    assert least / (1 + 1e-6) <= loss_to_epsilon([Pure(epsilon)] * times, DELTA) <= 1.005 * least


@pytest.mark.parametrize("sigmas", [(5.0,), (10.0, 20.0, 30.0), (18.9,) * 20])
def test_gaussian_parts_meet_their_closed_form(sigmas: tuple[float, ...]) -> None:
    """Several Gaussians are one of the joint precision, whose delta is known exactly."""
    sigma = 1 / math.sqrt(sum(s**-2 for s in sigmas))
    total = loss_to_epsilon(map(GaussianAccount, sigmas), DELTA)
    assert gaussian_delta(sigma, total) <= DELTA <= gaussian_delta(sigma, total * 0.995)


def test_what_is_known_exactly_costs_less_than_its_epsilon_alone() -> None:
    """Laplace noise loses its epsilon only far out; a bounded range lies between half of it and all."""
    plain = loss_to_epsilon([Pure(0.05)] * 20, DELTA)
    assert loss_to_epsilon([LaplaceAccount(0.05)] * 20, DELTA) < plain
    bounded, half = ([kind] * 20 for kind in (BoundedRange(0.05), Pure(0.025)))
    assert loss_to_epsilon(half, DELTA) < loss_to_epsilon(bounded, DELTA) < 0.6 * plain


def test_a_delta_of_its_own_is_inside_of_the_loss() -> None:
    """What shows everything with probability δ takes that off; where nothing is left, nothing is claimed."""
    parts = [Approximate(Cost.of("0.1", "1e-7"))] * 5
    assert loss_to_epsilon(parts, 1e-6) < math.inf
    assert loss_to_epsilon(parts, 4e-7) == math.inf
    assert loss_to_epsilon([Approximate(Cost.of("0.000001", "1e-7"))], 1e-6) <= 2e-6


def test_hundreds_of_different_parts_are_rounded_to_the_worse() -> None:
    """More kinds than are composed one by one: dearer than they are, never cheaper, by little."""
    epsilons = [0.01 + 1e-5 * at for at in range(3 * MOST_KINDS)]
    total = loss_to_epsilon(map(Pure, epsilons), DELTA)
    assert equal_epsilon(epsilons[0], len(epsilons), DELTA) < total
    assert total < 1.01 * equal_epsilon(epsilons[-1], len(epsilons), DELTA)


def test_no_delta_is_lost_among_many_different_parts() -> None:
    """Half of them bring a thousandth each, and the others, which lose hardly more, nothing: nothing is proven."""
    most = 2 * MOST_KINDS
    parts = [Approximate(Cost(10_000_000 + at, 1 if at % 2 else 10**12)) for at in range(most)]
    assert loss_to_epsilon(parts, DELTA) == math.inf
    assert proven([Charge(part.cost) for part in parts], DELTA).cost.delta > 0.06
    few = [Approximate(Cost(10_000_000 + at % 2, 1 if at % 2 else 10**12)) for at in range(most)]
    assert loss_to_epsilon(few, 0.1) <= loss_to_epsilon(parts, 0.1) < 1.01 * loss_to_epsilon(few, 0.1)


def test_distributions_do_not_pile_up() -> None:
    """What takes megabytes is kept for the history that is looked at, not for all there ever were."""
    gc.collect()
    before = {id(thing) for thing in gc.get_objects() if isinstance(thing, PrivacyLossDistribution)}
    for at in range(5):
        loss_to_epsilon([Pure(0.01 + at / 1000)] * 50, DELTA)
    gc.collect()
    held = [thing for thing in gc.get_objects() if isinstance(thing, PrivacyLossDistribution)]
    assert len([thing for thing in held if id(thing) not in before]) <= 2


def test_parts_within_one_release_are_parts() -> None:
    """Groups that a person can touch twice count twice."""
    assert loss_to_epsilon([Together((Pure(0.2), Pure(0.2)))], DELTA) == loss_to_epsilon([Pure(0.2)] * 2, DELTA)
    assert loss_to_epsilon([], DELTA) == 0.0 == loss_to_epsilon([Pure(0.0)], DELTA)


def test_a_plan_is_charged_the_least_that_is_proven_and_says_how() -> None:
    """Twenty rows: loss distributions; two rows, or no delta: the plain sum, and no delta with it."""
    many, few = [Charge(Cost.of("0.05"), Pure(0.05))] * 20, [Charge(Cost.of("0.5"), Pure(0.5))] * 2
    total = proven(many, "1e-6")
    assert total.proof in {"Privacy loss distributions (PLD)", "Advanced"} and total.plain == Cost.of(1)
    assert 0.87 < total.cost.epsilon < 0.88 and total.cost.delta == 1e-6
    assert proven(few, "1e-6").cost == Cost.of(1) and proven(few, "1e-6").proof == "Basic"
    assert proven(many, 0).cost == Cost.of(1)


def test_a_plan_of_nothing_costs_nothing() -> None:
    """The empty plan, and a delta that cannot cover what rows bring, fall back to the sum."""
    assert proven([], "1e-6").cost == Cost.zero()
    dear = [Charge(Cost.of("0.5", "1e-5"))] * 3
    assert proven(dear, "1e-6").cost == Cost.of("1.5", "3e-5")


def shifted(epsilon: float, t: float) -> list[tuple[float, float]]:
    """Return the pair of two outcomes with losses t and t - epsilon, as chances under both neighbours."""
    q = -math.expm1(t - epsilon) / (math.exp(t) - math.exp(t - epsilon))
    return [(q * math.exp(t), q), ((1 - q) * math.exp(t - epsilon), 1 - q)]


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("step", [1e-3, 0.03, 0.7])
def test_a_bounded_range_is_covered_wherever_its_interval_lies(epsilon: float, step: float) -> None:
    """One choice, and three of them with intervals of their own: exact delta at every epsilon, never above."""
    places = [epsilon * share for share in (0.05, 0.3, 0.5, 0.7, 0.95)]
    single = BoundedRange(epsilon).distribution(step)
    three = single.self_compose(3)
    for count, cover in ((1, single), (3, three)):
        for ts in product(places, repeat=count):
            outcomes = [
                (math.prod(p for p, _ in each), math.prod(q for _, q in each))
                for each in product(*(shifted(epsilon, t) for t in ts))
            ]
            for at in (-0.5 * epsilon, 0.0, 0.3 * epsilon, 1.1 * epsilon, 2.5 * epsilon):
                delta = math.fsum(max(0.0, p - math.exp(at) * q) for p, q in outcomes)
                assert delta <= cover.get_delta_for_epsilon(at) + 1e-12, (ts, at)


def test_half_of_a_bounded_range_would_be_noticed() -> None:
    """A broken twin: an interval of half the length does not cover every place."""
    cover = BoundedRange(0.5).distribution(1e-3)
    p, q = zip(*shifted(1.0, 0.7), strict=True)
    assert sum(max(0.0, a - b) for a, b in zip(p, q, strict=True)) > cover.get_delta_for_epsilon(0.0) + 1e-3
