"""Laws: cdf, quantile, refusal and simulation tell the same story."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from discreet.budget.errors import ParameterError
from discreet.mechanisms.laplace import whole_width
from discreet.mechanisms.laws.law import CoreTail, Gated, Laplace, Law, Noisy, Picked, Product, Runs, Whole

DRAWS = 20_000
GRID = np.linspace(0.01, 0.99, 99)
FALSE_ALARM = 1e-9  # chance that a right law fails one comparison


class Coin:
    """A test with a fixed chance."""

    def __init__(self, chance: float) -> None:
        """Set the chance."""
        self.chance = chance

    def draw(self, noise: object) -> bool:
        """Say yes when it is likely."""
        return self.chance > 0.5


def runs() -> Runs:
    """Return a small choice among 1 + 3 + 6 grid points."""
    return Runs(np.array([0, 1, 4]), np.array([1, 3, 6]), np.array([2, 0, 1]), 0.7, 0.5, 10.0)


LAWS: dict[str, Law] = {
    "laplace": Noisy(3.0, 2.0, Laplace()),
    "clipped": Noisy(3.0, 2.0, CoreTail(3), 2.5, 9.0),
    "whole": Whole(7, 1.7),
    "whole and large": Whole(10**15 + 1, 1e12),
    "gate": Gated(Coin(0.8), Noisy(0.0, 1.0, Laplace())),
    "runs": runs(),
    "choice": Picked("abc", np.arange(3.0), lambda: np.array([0.2, 0.5, 0.3]), lambda noise: 1),
}


def uniforms(law: Law, size: int = DRAWS) -> np.ndarray:
    """Return seeded uniforms for one simulation."""
    return np.random.default_rng(5).random((law.draws, size))


@pytest.mark.parametrize("name", LAWS)
def test_simulated_answers_follow_the_cdf(name: str) -> None:
    """At every probe the share of answers at or below it is the stated probability."""
    law = LAWS[name]
    answers = law.simulate(uniforms(law))
    probes = np.unique(law.quantile(np.linspace(0.02, 0.98, 25)))
    for probe, p in zip(probes, np.atleast_1d(law.cdf(probes)), strict=True):
        count = int(np.sum(answers <= probe + 1e-12))
        assert min(stats.binom.cdf(count, DRAWS, p), stats.binom.sf(count - 1, DRAWS, p)) > (FALSE_ALARM)


@pytest.mark.parametrize("name", LAWS)
def test_the_quantile_is_the_smallest_answer_with_enough_probability(name: str) -> None:
    """cdf(quantile(p)) is at least p, and just below the quantile it is less."""
    law = LAWS[name]
    p = np.linspace(0.001, 0.999, 500)
    y = law.quantile(p)
    given = 1 - law.refusal
    assert np.all(law.cdf(y) >= p * given - 1e-12)
    assert np.all(law.cdf(y - 1e-7) <= p * given + 1e-6)


def test_a_refusal_is_a_missing_number_with_its_chance() -> None:
    """A gate refuses as often as it says."""
    law = LAWS["gate"]
    refused = int(np.isnan(law.simulate(uniforms(law))).sum())
    assert law.refusal == pytest.approx(0.2)
    assert min(stats.binom.cdf(refused, DRAWS, 0.2), stats.binom.sf(refused - 1, DRAWS, 0.2)) > (FALSE_ALARM)


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan"), float("inf")])
def test_a_scale_that_would_release_the_exact_answer_is_refused(scale: float) -> None:
    """Scale zero never becomes a law (N8)."""
    with pytest.raises(ParameterError, match="scale"):
        Noisy(1.0, scale, Laplace())


def test_clipping_moves_the_tails_onto_the_bounds() -> None:
    """Post-processing keeps all probability inside the public range."""
    law = LAWS["clipped"]
    answers = law.simulate(uniforms(law))
    assert answers.min() == 2.5 and answers.max() == 9.0
    assert law.cdf(9.0) == 1.0 and law.cdf(2.4999) == 0.0


def test_the_runs_of_a_choice_have_their_exact_probabilities() -> None:
    """A run weighs its width times exp(-rate distance), shared evenly among its points."""
    weights = np.array([np.exp(-1.4), 3.0, 6 * np.exp(-0.7)])
    weights /= weights.sum()
    points = 10.0 + 0.5 * np.arange(10)
    each = np.repeat(weights / np.array([1, 3, 6]), [1, 3, 6])
    assert np.allclose(runs().cdf(points), np.cumsum(each))


def test_a_product_simulates_each_part_by_its_own_uniforms() -> None:
    """Components are independent."""
    law = Product((Noisy(0.0, 1.0, Laplace()), Noisy(5.0, 1.0, Laplace())))
    a, b = law.simulate(uniforms(law))
    assert abs(np.corrcoef(a, b)[0, 1]) < 6 / np.sqrt(DRAWS)
    assert np.median(b) - np.median(a) == pytest.approx(5, abs=0.2)


@pytest.mark.parametrize("centre", [0, 10**18 + 1, -(2**62) - 1])
@pytest.mark.parametrize("scale", [1e9, 1e18, 4.6e28])
def test_a_whole_law_is_right_for_large_scales_and_centres(centre: int, scale: float) -> None:
    """Its chances follow exp(-|z|/scale), where exp(-1/scale) itself is 1 as a double."""
    law = Whole(centre, scale)
    for share in (0.1, 1.0, 5.0):
        far = math.floor(share * scale)
        chance = math.exp(-far / scale) / 2
        assert float(law.cdf(float(centre - far))) == pytest.approx(chance, rel=1e-4)
        assert 1 - float(law.cdf(float(centre + far))) == pytest.approx(chance, rel=1e-4)
    assert np.allclose(law.cdf(law.quantile(GRID)), GRID, atol=1e-6)


@pytest.mark.parametrize("scale", [2.0**-40, 0.3, 5.0, 1e9, 1e18, 4.6e28])
def test_the_width_of_whole_noise_holds_at_every_scale(scale: float) -> None:
    """At most 5 % lie beyond it, and more than 5 % beyond one less, as exact fractions say."""
    width = whole_width(scale, 0.95)

    def beyond(h: float) -> float:
        return 2 * math.exp(-(h + 1) / scale) / (1 + math.exp(-1 / scale))

    assert beyond(width) <= 0.05 * (1 + 1e-12)
    assert width == 0 or beyond(width - max(1.0, 1e-12 * width)) > 0.05
