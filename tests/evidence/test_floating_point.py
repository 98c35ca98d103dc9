"""Layer 4: the floating-point attack. It breaks NumPy's Laplace and none of our sources.

Mironov 2012: the doubles that a naive sampler can reach give the exact answer away. A single
release is attributed to the one of two exact answers from which its double can be reached at all.
The answers lie 0.001 scales apart: an honest release tells next to nothing about which it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from discreet.curator import ReleaseNoise
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.shapes import CoreTail, Gaussian, Shape, Student

RELEASES = 2_000
FALSE_ALARM = 1e-6  # chance that a source that gives nothing away is called broken
ANSWERS = (0.25, 0.251)
LATTICE = 2.0**-53  # uniforms of NumPy's generator are multiples of this
NEAR = np.arange(-24, 25)
Draw = Callable[[float], float]
Reach = Callable[[float, float], bool]


def laplace_reach(release: float, centre: float) -> bool:
    """Say whether centre -+ log(2U), U on the lattice, can be this release."""
    k = round(math.exp(-abs(release - centre)) / 2 / LATTICE)
    near = ((k + d) * LATTICE for d in range(-4, 5))
    noises = [math.log(u + u) for u in near if 0 < u <= 0.5]
    return any(release in (centre + noise, centre - noise) for noise in noises)


def quantile_reach(shape: Shape) -> Reach:
    """Return the same question for centre + quantile(U)."""

    def reach(release: float, centre: float) -> bool:
        k = np.round(shape.cdf(release - centre) / LATTICE) + NEAR
        uniforms = np.clip(k, 1, 2**53 - 1) * LATTICE + LATTICE / 2
        return bool(np.any(centre + shape.quantile(uniforms) == release))

    return reach


def attributed(reach: Reach, draw: Draw) -> int:
    """Return how many releases are attributed rightly; where both or none can be, toss a coin."""
    coins = np.random.default_rng(1).integers(0, 2, RELEASES)
    right = 0
    for i in range(RELEASES):
        truth = i % 2
        release = draw(ANSWERS[truth])
        first, second = (reach(release, answer) for answer in ANSWERS)
        right += int((coins[i] if first == second else int(second)) == truth)
    return right


def broken(reach: Reach, draw: Draw) -> bool:
    """Say whether the attack beats a coin beyond doubt."""
    test = stats.binomtest(attributed(reach, draw), RELEASES, 0.5, "greater")
    return bool(test.pvalue < FALSE_ALARM)


def naive(shape: Shape) -> Draw:
    """Return a sampler that adds a float quantile to a float."""
    noise = SimulationNoise(0)
    return lambda centre: float(centre + shape.quantile(noise.uniforms(1, 1)[0, 0]))


def numpy_laplace() -> Draw:
    """Return NumPy's own Laplace."""
    rng = np.random.default_rng(0)
    return lambda centre: float(centre + rng.laplace())


def test_a_single_release_of_numpys_laplace_gives_the_answer_away_most_of_the_time() -> None:
    """The attack works: more than seven of ten single releases are attributed rightly (R2)."""
    assert attributed(laplace_reach, numpy_laplace()) > 0.7 * RELEASES


@pytest.mark.parametrize("shape", [CoreTail(1), CoreTail(3), Gaussian(), Student(3)], ids=str)
def test_every_sum_of_floats_is_broken(shape: Shape) -> None:
    """Adding a quantile to an answer in floating point falls to the same attack."""
    assert broken(quantile_reach(shape), naive(shape))


OURS: dict[str, tuple[Callable[[ReleaseNoise, float], float], tuple[Reach, ...]]] = {
    "laplace": (lambda n, c: n.laplace(c, 1.0), (laplace_reach,)),
    "gaussian": (lambda n, c: n.gaussian(c, 1.0), (quantile_reach(Gaussian()), laplace_reach)),
    **{
        f"core tail {m}": (lambda n, c, m=m: n.core_tail(c, 1.0, m), (quantile_reach(CoreTail(m)), laplace_reach))
        for m in (1, 3, 64)
    },
    "student 3": (lambda n, c: n.student(c, 1.0, 3), (quantile_reach(Student(3)), laplace_reach)),
}


@pytest.mark.parametrize("name", OURS)
def test_our_sources_are_not_broken(name: str) -> None:
    """The attack does no better than a coin on every source of a release."""
    draw, attacks = OURS[name]
    noise = ReleaseNoise()
    assert not any(broken(reach, lambda centre: draw(noise, centre)) for reach in attacks)


def test_the_attack_ignores_what_an_honest_release_tells() -> None:
    """Two answers 0.001 scales apart cannot be told by more than a coin and a thousandth."""
    assert math.tanh(abs(ANSWERS[1] - ANSWERS[0]) / 2) < 1 / math.sqrt(RELEASES)
