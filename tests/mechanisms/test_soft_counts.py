"""The interval of a mean from two soft counts: exact for every dataset, and made of what is released."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from discreet.evidence.audit import divergence
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laws.law import Product
from discreet.mechanisms.laws.ratio import Measured, SoftCounts, shares, tail, tail_at
from discreet.mechanisms.normal_counts import NormalSoftCounts, both_below, normal_tail, normal_tail_at
from discreet.queries import Bounds, Column

UNIT = Bounds(0, 100, integer=True)
FALSE_ALARM = 1e-6


@pytest.mark.parametrize("share", [0.0, 1e-3, 0.2, 0.4999, 0.499999, 0.5, 0.500001, 0.7, 1.0])
@pytest.mark.parametrize("t", [0.0, 0.01, 0.5, 2.0, 10.0])
def test_the_tail_is_that_of_two_laplace_noises(share: float, t: float) -> None:
    """Against a quadrature of the characteristic function's closed form, split at the kink."""
    u, v = max(share, 1 - share), min(share, 1 - share)
    x = np.linspace(-60, 60, 400_001) * max(v, 1e-9)
    density = np.exp(-np.abs(x) / v) / (2 * v) if v else None
    far, near = np.exp(-np.abs(t - x) / u) / 2, np.exp(-np.abs(-t - x) / u) / 2
    above = np.where(t - x > 0, far, 1 - far)
    below = np.where(-t - x < 0, near, 1 - near)
    expected = math.exp(-t) if density is None else float(np.trapezoid((above + below) * density, x))
    assert float(tail(share, t)) == pytest.approx(expected, rel=2e-4, abs=1e-9)
    assert tail_at(share, t) == pytest.approx(float(tail(share, t)), rel=1e-12)


def counts(kind: str, n: int) -> tuple[float, float]:
    """Return the two soft counts of adversarial rows."""
    ticks = {
        "all low": np.zeros(n),
        "all high": np.ones(n),
        "all in the middle": np.full(n, 0.5),
        "two points": np.arange(n) % 2,
        "one far out": np.eye(1, n)[0] if n else np.zeros(0),
        "heavy tail": np.minimum(1, 0.01 / (1 - np.arange(n) / max(n, 1))),
    }[kind]
    return float(ticks.sum()), float(n - ticks.sum())


@pytest.mark.parametrize(
    "kind", ["all low", "all high", "all in the middle", "two points", "one far out", "heavy tail"]
)
@pytest.mark.parametrize("n", [1, 12, 1000])
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 4.0])
def test_the_interval_covers_the_mean_of_every_dataset(kind: str, n: int, epsilon: float) -> None:
    """Of 20,000 draws as many as 95 in 100 promise, but for a chance of one in a million; and no end cuts it off."""
    a, b = counts(kind, n)
    noise = np.random.default_rng(n).laplace(scale=1 / epsilon, size=(20_000, 2))
    share = a / (a + b)
    inside = tail(share, np.abs((1 - share) * (a + noise[:, 0]) - share * (b + noise[:, 1])) * epsilon) >= 0.05
    assert inside.sum() >= line(inside.size)
    for (x, y), covered in zip(noise[:100], inside, strict=False):
        low, high = shares(a + x, b + y, 1 / epsilon, 0.95)
        assert (low <= share <= high) or not covered


def line(draws: int) -> float:
    """Return how many of these draws a promise of 95 in 100 keeps to, but for a false alarm."""
    return 0.95 * draws - math.sqrt(draws * 0.05 * 0.95 * 2 * math.log(1 / FALSE_ALARM))


def test_a_narrower_interval_would_be_noticed() -> None:
    """A broken twin: with nine tenths of the promise the same count falls below its line."""
    a, b = counts("two points", 1000)
    noise = np.random.default_rng(1).laplace(scale=2.0, size=(1500, 2))
    covered = sum(low <= a / (a + b) <= high for low, high in (shares(a + x, b + y, 2.0, 0.85) for x, y in noise))
    assert covered < line(1500)


def test_few_rows_tell_nothing_and_many_tell_much() -> None:
    """No rows: nearly always the whole range. A million: a narrow interval around the share."""
    noise = np.random.default_rng(2).laplace(scale=1.0, size=(300, 2))
    whole = sum(shares(x, y, 1.0, 0.95) == (0.0, 1.0) for x, y in noise)
    assert whole > 200
    low, high = shares(400_000.0, 600_000.0, 1.0, 0.95)
    assert low < 0.4 < high and high - low < 1e-5


@pytest.mark.parametrize(
    ("a", "b"), [(-50.0, -50.0), (-50.0, 50.0), (50.0, -50.0), (0.0, 0.0), (3.0, -3.0), (1e300, 1.0)]
)
def test_whatever_is_drawn_has_an_interval_with_its_answer(a: float, b: float) -> None:
    """Within the range, in order, and around the mean that is shown."""
    law = TwoCounts(epsilon=1.0).law(Column.from_values(UNIT, [1, 2]))
    assert isinstance(law, SoftCounts)
    mean = law.measured(a, b)
    assert 0 <= mean.interval[0] <= mean <= mean.interval[1] <= 100 and mean.size == a + b


def test_what_is_audited_is_all_that_is_shown() -> None:
    """Both counts: their joint law loses epsilon and no more, which the mean alone may not show."""
    law, law_beside = (TwoCounts(epsilon=1.0).law(Column.from_values(UNIT, rows)) for rows in ([100] * 3, [100] * 4))
    assert isinstance(law.everything, Product)
    assert (
        divergence(law.everything, law_beside.everything, 1.0)
        <= 1e-9
        < divergence(law.everything, law_beside.everything, 0.99)
    )
    answer = law.draw(SimulationNoise(1))
    assert isinstance(answer, Measured) and answer.size == pytest.approx(3, abs=30)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.93, 1.0])
def test_the_tail_of_normal_noise_is_that_of_one_normal_number(share: float) -> None:
    """Of a million draws, within four deviations; and of two numbers as of many."""
    x, y = np.random.default_rng(3).normal(size=(2, 1_000_000))
    for t in (0.1, 1.0, 2.5):
        seen = np.mean(np.abs((1 - share) * x - share * y) > t)
        chance = float(normal_tail(share, t))
        assert abs(seen - chance) < 4 * math.sqrt(chance * (1 - chance) / x.size) + 1e-6
        assert normal_tail_at(share, t) == pytest.approx(chance, rel=1e-12)


@pytest.mark.parametrize("kind", ["all low", "all in the middle", "two points", "one far out"])
@pytest.mark.parametrize("n", [1, 12, 1000])
def test_the_interval_with_normal_noise_covers_too(kind: str, n: int) -> None:
    """The same promise and the same line."""
    a, b = counts(kind, n)
    share = a / (a + b)
    tails = NormalSoftCounts.tails
    noise = np.random.default_rng(n).normal(scale=4.0, size=(20_000, 2))
    inside = tails.many(share, np.abs((1 - share) * (a + noise[:, 0]) - share * (b + noise[:, 1])) / 4) >= 0.05
    assert inside.sum() >= line(inside.size)
    for (x, y), covered in zip(noise[:100], inside, strict=False):
        low, high = shares(a + x, b + y, 4.0, 0.95, tails)
        assert (low <= share <= high) or not covered


@pytest.mark.parametrize("h", [-1.5, -0.0, 0.0, 0.7])
@pytest.mark.parametrize("k", [-2.0, 0.0, 1.1])
@pytest.mark.parametrize("correlation", [-0.7, 0.0, 0.4])
def test_two_normal_numbers_are_both_below(h: float, k: float, correlation: float) -> None:
    """Against SciPy's integration, zeros included."""
    chance = both_below(np.array(h), np.array(k), np.array(correlation))
    expected = stats.multivariate_normal.cdf([h, k], cov=[[1, correlation], [correlation, 1]])
    assert float(chance) == pytest.approx(float(expected), abs=1e-6)
