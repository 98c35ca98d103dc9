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

from discreet.curator import ReleaseNoise
from discreet.evidence.attacks import (
    ANSWERS,
    RELEASES,
    Draw,
    Reach,
    attributed,
    broken,
    laplace_reach,
    naive,
    quantile_reach,
)
from discreet.mechanisms.laws.law import CoreTail, Gaussian, Shape, Student


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
