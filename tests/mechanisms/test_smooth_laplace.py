"""Smooth Laplace noise keeps to its delta for every shift and dilation of a neighbour."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.mechanisms.laws.divergence import divergences
from discreet.mechanisms.laws.law import Laplace, Noisy
from discreet.mechanisms.smooth_laplace import SmoothLaplace, laplace_delta, laplace_kappa
from discreet.queries import Bounds, Column
from discreet.queries.count import Count
from discreet.queries.quantile import LowerMedian

TIGHT = [  # epsilon, delta, beta / epsilon: where kappa is about 1/epsilon, or would be less
    (0.001, 1e-6, 0.00303),
    (0.01, 1e-3, 0.303),
    (0.1, 1e-3, 0.02),
    (0.15, 1e-3, 0.02),
    (0.1, 0.01, 0.2825),
    (3.0, 0.3, 0.3),
    (8.0, 0.49, 0.3),
    (50.0, 0.49, 0.0637),
]
NO_ROUNDING = 1 + 1e-7


def worst(kappa: float, beta: float, epsilon: float) -> float:
    """Return the largest exact divergence over a grid of dilations and shifts, both ways."""
    largest = 0.0
    for ratio in np.exp(np.linspace(-beta, beta, 9)):
        for share in (0.0, 0.3, 0.7, 1.0):
            p = Noisy(0.0, kappa, Laplace())
            q = Noisy(share * min(1.0, ratio), kappa * ratio, Laplace())
            largest = max(largest, *divergences(p, q, epsilon))
    return largest


@pytest.mark.parametrize(("epsilon", "delta", "ratio"), TIGHT)
def test_no_shift_or_dilation_loses_more_than_the_claimed_delta(epsilon: float, delta: float, ratio: float) -> None:
    """At the settings where a kappa below 1/epsilon would fit the closed form and break it."""
    loss = worst(laplace_kappa(epsilon * ratio, epsilon, delta), epsilon * ratio, epsilon)
    assert loss <= delta * NO_ROUNDING


def test_a_kappa_below_one_over_epsilon_would_be_caught() -> None:
    """The closed form alone accepts it; the divergence of the pairs does not."""
    epsilon, delta, beta = 0.01, 1e-3, 0.00303
    kappa = 0.86 / epsilon
    assert laplace_delta(kappa, beta, epsilon) < delta < worst(kappa, beta, epsilon)


def test_the_claimed_delta_holds_over_the_range_of_parameters() -> None:
    """A grid of epsilons, deltas and betas; where noise is possible, no pair exceeds delta."""
    tried = 0
    for epsilon in (0.001, 0.03, 0.3, 1.0, 1.3, 4.0, 50.0):
        for ratio in (0.001, 0.02, 0.1, 0.5):
            for delta in (1e-9, 1e-4, 0.03, 0.49):
                kappa = laplace_kappa(epsilon * ratio, epsilon, delta)
                if math.isfinite(kappa):
                    assert worst(kappa, epsilon * ratio, epsilon) <= delta * NO_ROUNDING
                    tried += 1
    assert tried > 60


@pytest.mark.parametrize(("epsilon", "delta", "ratio"), TIGHT)
def test_real_neighbours_keep_to_the_claimed_delta(epsilon: float, delta: float, ratio: float) -> None:
    """A lower median that jumps by all of S when one of 4,000 rows goes, and a count.

    2,000 rows lie on one value, the next a step above, the rest a little higher than that: how
    much decides by which factor, from 1 to exp(beta), the smooth bounds of the neighbours differ.
    """
    beta, middle, step = epsilon * ratio, 10**9, 10**5
    bounds = Bounds(0, 2 * middle, integer=True)
    pairs = [(Count(), *(Column.from_values(Bounds(0, 1), [1.0] * n) for n in (10, 11)))]
    for share in (1.0, 1.2, 1.5, 1.8, 2.0):
        rest = math.ceil(step * math.exp(min(share * beta, 7.0)))
        ticks = [middle] * 2000 + [middle + step] + [middle + rest] * 1999
        heaps = (Column.from_ticks(bounds, np.array(rows)) for rows in (ticks, ticks[1:]))
        pairs.append((LowerMedian(), *heaps))
    for query, column, other in pairs:
        mechanism = SmoothLaplace(query, epsilon, delta, ratio)
        p, q = mechanism.law(column), mechanism.law(other)
        assert max(divergences(p, q, epsilon)) <= delta * NO_ROUNDING


def test_towards_a_larger_scale_less_is_lost_than_towards_a_smaller_one() -> None:
    """The half that is not proven, below epsilon = 2 ln 2: its exact delta on a fine grid.

    With kappa = 1/s <= epsilon, u the dilation and d = u + s exp(-u) - epsilon > 0, the event
    reaches from -d/(1 - exp(-u)) to d/(1 + exp(-u)).
    """
    epsilon, share, ratio = np.meshgrid(
        np.linspace(1e-3, 2 * math.log(2), 200), np.linspace(0, 1, 101), np.linspace(1e-3, 0.5, 60)
    )
    s, u = epsilon * share, epsilon * ratio
    d = np.maximum(u + s * np.exp(-u) - epsilon, 0)
    left, right = d / -np.expm1(-u), d / (1 + np.exp(-u))
    delta = -np.expm1(-right) + np.expm1(u) * np.exp(-right) * np.expm1(right - left) / 2
    rise = np.expm1(u)
    claimed = np.exp(-(epsilon + u - s) / rise) + np.exp(-(epsilon + u + s) / rise)
    assert np.all(delta <= -np.expm1(-u) / 2 * claimed + 1e-15) and np.max(delta) > 0.01
