"""Staircase noise is asked no more: its law, with which its answers and cards are read."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.mechanisms import Public
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.divergence import divergence, loss
from discreet.mechanisms.staircase import GlobalStaircase, Stepped, Steps
from discreet.queries import Bounds
from discreet.queries.count import Count

EPSILONS = (0.2, 1.0, 3.0, 20.0)
FAR = Bounds(10**15, 10**15 + 10, integer=True)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_density_is_level_between_its_steps_and_sums_to_one(epsilon: float) -> None:
    """Every step is as high as its part of the cdf says, from the middle into both tails."""
    shape = Steps(epsilon)
    ends = shape.kinks
    middles, widths = (ends[1:] + ends[:-1]) / 2, np.diff(ends)
    areas = np.exp(shape.log_density(middles)) * widths
    assert areas == pytest.approx(np.diff(shape.cdf(ends)), rel=1e-6, abs=1e-15)
    assert areas.sum() == pytest.approx(1.0, rel=1e-9)
    assert np.abs(np.diff(shape.log_density(middles[middles > 0]))) == pytest.approx(epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_move_by_the_sensitivity_loses_epsilon_and_by_any_less_no_more(epsilon: float) -> None:
    """Exactly: and half of a move may lose all of it, so these losses do not add up over groups."""
    at = [Stepped(move, 1.0, Steps(epsilon)) for move in (0.0, 1.0, 0.5, 1.001)]
    for other in at[1:3]:
        assert loss(at[0], other) == pytest.approx(epsilon, rel=1e-9)
        assert divergence(at[0], other, epsilon) < 1e-12
    assert loss(at[0], at[3]) == pytest.approx(2 * epsilon, rel=1e-9)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_its_interval_is_exact(epsilon: float) -> None:
    """The public half width holds 19 answers in 20; what it says of plans and groups is in its account."""
    mechanism = GlobalStaircase(Count(), epsilon)
    width = mechanism.forecast(Public(FAR)).half_width
    assert width is not None
    inside = float(mechanism.shape.cdf(width) - mechanism.shape.cdf(-width))
    assert inside == pytest.approx(0.95, abs=1e-6) and not mechanism.additive
    assert GlobalLaplace(Count(), epsilon).additive
