"""Staircase noise: the exact law, the whole-numbered sampler, and where it beats Laplace noise."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from discreet.curator.noise import ReleaseNoise
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.divergence import divergence, loss
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.noise_source import NoiseSource
from discreet.mechanisms.staircase import FINENESS, GlobalStaircase, Stepped, Steps
from discreet.queries import Bounds, Column, Relation
from discreet.queries.count import Count
from discreet.queries.sum import Sum

EPSILONS = (0.2, 1.0, 3.0, 20.0)
DRAWS = 20_000
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


def chances(size: int, epsilon: float, reach: int) -> dict[int, float]:
    """Return the chance of every whole number, from the levels alone."""
    first = max(1, round(Steps(epsilon).gamma * size))
    weights = {n: math.exp(-epsilon * ((abs(n) + size - first) // size)) for n in range(-reach, reach + 1)}
    total = sum(weights.values())
    return {n: weight / total for n, weight in weights.items()}


@pytest.mark.parametrize("size", [1, 2, 7, 40])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_whole_staircase_noise_hides_every_move_up_to_its_size(size: int, epsilon: float) -> None:
    """By looking at every pair of whole numbers; a move by one more is caught."""
    each = chances(size, epsilon, 12 * size)
    for move, holds in ((size, True), (1, True), (size + 1, False)):
        ratios = [each[n] / each[n + move] for n in each if n + move in each]
        assert (max(max(ratios), 1 / min(ratios)) <= math.exp(epsilon) * (1 + 1e-9)) == holds


@pytest.mark.parametrize(("size", "epsilon"), [(1, 0.7), (5, 1.0), (12, 2.5)])
def test_the_sampler_draws_every_whole_number_as_often_as_that(size: int, epsilon: float) -> None:
    """Also 0, which has no other side (each count is off once in a million)."""
    shape, noise = Steps(epsilon), SimulationNoise(11)
    drawn = Counter(shape._whole(noise, size) for _ in range(DRAWS))
    often = {n: chance for n, chance in chances(size, epsilon, 60 * size).items() if chance * DRAWS > 50}
    assert len(often) > 5
    for n, chance in often.items():
        assert abs(drawn[n] / DRAWS - chance) < 5 * math.sqrt(chance / DRAWS)


class Counted(ReleaseNoise):
    """Noise of a release that counts how often it is asked."""

    asked = 0

    def geometrics(self, centres: Sequence[int], scale: float) -> list[int]:
        """Draw, and count it."""
        self.asked += 1
        assert self.asked <= 200, "a draw must end"
        return super().geometrics(centres, scale)


@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 20.0, 50.0])
def test_a_draw_ends_soon_at_every_epsilon(epsilon: float) -> None:
    """Level 0 holds exp(-epsilon/2) of the sensitivity; 200 tries for five are exceeded once in 10^50."""
    noise = Counted()
    answers = [GlobalStaircase(Count(), epsilon).shape.draw(noise, 5, 1.0) for _ in range(5)]
    assert all(map(math.isfinite, answers))


@pytest.mark.parametrize("noise", [SimulationNoise(3), ReleaseNoise()], ids=["figures", "release"])
def test_answers_have_the_law(noise: NoiseSource) -> None:
    """Drawn answers against the cdf (fails once in a million), clipped at both ends."""
    data = Column.from_values(Bounds(0, 10, integer=True), [3, 4, 9])
    law = GlobalStaircase(Sum(), 2.0).law(data)
    drawn = np.sort([law.draw(noise) for _ in range(4000)])
    inside = drawn > 0
    assert np.abs(law.cdf(drawn) - np.arange(1, 4001) / 4000)[inside].max() < 2.7 / math.sqrt(4000)
    assert np.mean(~inside) == pytest.approx(float(law.cdf(0.0)), abs=5 / math.sqrt(4000))


def test_a_centre_far_from_zero_stays_exact() -> None:
    """A sum near 10^15 is rounded once, with its noise on it: the noise is the one of its sensitivity."""
    mechanism = GlobalStaircase(Sum(Relation(size=3)), 1.0)
    centre = mechanism.law(Column.from_values(FAR, [10**15 + 1, 10**15 + 5, 10**15 + 7])).centre  # type: ignore[attr-defined]
    assert centre == 3 * 10**15 + 13
    assert mechanism.scale(FAR) == pytest.approx(10, rel=1e-8) and mechanism.scale(FAR) > 10 * (1 + 2.0**-FINENESS)


@pytest.mark.parametrize(("epsilon", "wins"), [(0.5, 1.01), (1.0, 1.042), (2.0, 1.175), (3.0, 1.42)])
def test_its_mean_error_is_the_least(epsilon: float, wins: float) -> None:
    """exp(epsilon/2)/(exp(epsilon) - 1) sensitivities, by the law; Laplace noise has 1/epsilon."""
    places = (np.arange(200_000) + 0.5) / 200_000
    mean = np.abs(Steps(epsilon).quantile(places)).mean()
    assert mean == pytest.approx(math.exp(epsilon / 2) / math.expm1(epsilon), rel=1e-3)
    assert 1 / epsilon / mean == pytest.approx(wins, rel=2e-3)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_its_interval_is_exact(epsilon: float) -> None:
    """The public half width holds 19 answers in 20; what it says of plans and groups is in its account."""
    mechanism = GlobalStaircase(Count(), epsilon)
    width = mechanism.forecast(Public(FAR)).half_width
    assert width is not None
    inside = float(mechanism.shape.cdf(width) - mechanism.shape.cdf(-width))
    assert inside == pytest.approx(0.95, abs=1e-6) and not mechanism.additive
    assert GlobalLaplace(Count(), epsilon).additive
