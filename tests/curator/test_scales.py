"""Every sampler draws what its law says at every scale that a declaration can produce.

No draw saturates, wraps or stops at a fixed end, however large the scale or the exact answer.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Sequence

import numpy as np
import opendp.prelude as dp
import pytest
from scipy import stats

from curator import ReleaseNoise, exact

DRAWS = 3_000
FALSE_ALARM = 1e-9  # chance that a right sampler fails one test
SCALES = [2.0**e for e in (-40, -3, 0, 3, 20, 31, 40, 52, 53, 54, 62, 63, 70, 100, 980)]
CENTRES = [0, 10**12, 10**18, -(2**63), 2**80]
Geometric = Callable[[Sequence[int], float], list[int]]


def geometric_fits(draw: Geometric, centre: int, scale: float) -> bool:
    """Say whether `answer - centre` follows geometric noise: zeros, signs, sizes, distinct values.

    Given z != 0, exp(-(|z| - 1) / scale) (1 - U (1 - exp(-1/scale))) is uniform for a uniform U.
    """
    z = [answer - centre for answer in draw([centre] * DRAWS, scale)]
    gap = -math.expm1(-1 / scale)
    values = [stats.binomtest(z.count(0), DRAWS, gap / (2 - gap)).pvalue]
    sizes = np.array([abs(one) - 1 for one in z if one], dtype=float)
    if sizes.size:
        dice = np.random.default_rng(1).random(sizes.size)
        values += [
            stats.binomtest(sum(one > 0 for one in z), sizes.size).pvalue,
            stats.kstest(np.exp(-sizes / scale) * (1 - dice * gap), "uniform").pvalue,
        ]
    distinct = scale < 2**52 or len(set(z)) == DRAWS
    return min(values) > FALSE_ALARM and distinct


def saturating(centres: Sequence[int], scale: float) -> list[int]:
    """The broken twin: 32-bit noise of the library, added to an exact answer."""
    kind = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    drawn = dp.m.make_laplace(*kind, scale)([0] * len(centres))
    return [centre + z for centre, z in zip(centres, drawn, strict=True)]


def rounding(centres: Sequence[int], scale: float) -> list[int]:
    """Another: the exact answer becomes a double first."""
    return ReleaseNoise().geometrics([int(float(centre)) for centre in centres], scale)


@pytest.mark.parametrize("scale", SCALES)
def test_geometric_noise_follows_its_law_at_every_scale_around_every_answer(scale: float) -> None:
    """From no noise at all to numbers of 300 digits."""
    for centre in CENTRES:
        assert geometric_fits(ReleaseNoise().geometrics, centre, scale), (centre, scale)


def test_samplers_that_saturate_or_round_the_answer_first_are_caught() -> None:
    """The same check accuses both broken twins, and both only where they are wrong."""
    assert geometric_fits(saturating, 10**12, 3.0)
    assert not geometric_fits(saturating, 10**12, 1e9)
    assert not geometric_fits(saturating, 10**12, 2.0**62)
    assert geometric_fits(rounding, 10**12, 3.0)
    assert not geometric_fits(rounding, 10**18 + 1, 3.0)


@pytest.mark.parametrize("bits", [31, 63])
def test_the_ends_of_machine_integers_are_no_ends(bits: int) -> None:
    """As much lies beyond 2^31 and 2^63 as the law says, and nothing on them."""
    drawn = ReleaseNoise().geometrics([0] * DRAWS, 2.0**bits)
    beyond = sum(abs(z) > 2**bits for z in drawn)
    assert stats.binomtest(beyond, DRAWS, math.exp(-1)).pvalue > FALSE_ALARM
    assert not {2**bits - 1, 2**bits, -(2**bits)} & set(drawn)


@pytest.mark.parametrize("scale", [0.3, 1.0, 2.5, 40.0])
def test_the_unbounded_sampler_is_right_at_ordinary_scales_too(scale: float) -> None:
    """It takes over beyond 2^53 only, but is the same law everywhere."""

    def drawn(centres: Sequence[int], scale: float) -> list[int]:
        return [centre + exact.geometric(secrets.randbits, scale) for centre in centres]

    def wider(centres: Sequence[int], scale: float) -> list[int]:
        return drawn(centres, 1.4 * scale)

    assert geometric_fits(drawn, 7, scale)
    assert not geometric_fits(wider, 7, scale)
