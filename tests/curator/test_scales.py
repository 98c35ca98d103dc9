"""Every sampler draws what its law says at every scale that a declaration can produce.

No draw saturates, wraps or stops at a fixed end, however large the scale or the exact answer.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import opendp.prelude as dp
import pytest
from scipy import stats
from support.soak import some

from discreet.curator import ReleaseNoise
from discreet.mechanisms.laws.law import CoreTail, Gaussian, Laplace, Shape, Student
from discreet.noise import samplers
from discreet.noise.protocol import Number

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
    sizes = np.array([abs(noise) - 1 for noise in z if noise], dtype=float)
    if sizes.size:
        dice = np.random.default_rng(1).random(sizes.size)
        values += [
            stats.binomtest(sum(noise > 0 for noise in z), sizes.size).pvalue,
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


@pytest.mark.soak
@pytest.mark.parametrize("scale", SCALES)
def test_geometric_noise_follows_its_law_at_every_scale_around_every_answer(scale: float) -> None:
    """From no noise at all to numbers of 300 digits; in `make test` around every second answer."""
    for centre in some(CENTRES, 2):
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
        return [centre + samplers.geometric(secrets.randbits, scale) for centre in centres]

    def wider(centres: Sequence[int], scale: float) -> list[int]:
        return drawn(centres, 1.4 * scale)

    assert geometric_fits(drawn, 7, scale)
    assert not geometric_fits(wider, 7, scale)


CONTINUOUS: dict[str, tuple[Callable[[Number, float], float], Shape]] = {
    "laplace": (lambda c, s: ReleaseNoise().laplace(c, s), Laplace()),
    "laplaces": (lambda c, s: float(ReleaseNoise().laplaces([c], s)[0]), Laplace()),
    "gaussian": (lambda c, s: ReleaseNoise().gaussian(c, s), Gaussian()),
    "core tail 1": (lambda c, s: ReleaseNoise().core_tail(c, s, 1), CoreTail(1)),
    "core tail 64": (lambda c, s: ReleaseNoise().core_tail(c, s, 64), CoreTail(64)),
    "student 3": (lambda c, s: ReleaseNoise().student(c, s, 3), Student(3)),
}


def follows(draw: Callable[[Number, float], float], shape: Shape, c: Number, s: float) -> bool:
    """Say whether (answer - centre) / scale follows a shape, in law and in distinct values."""
    drawn, centre, scale = [draw(c, s) for _ in range(1_000)], Fraction(c), Fraction(s)
    z = np.array([float((Fraction(y) - centre) / scale) for y in drawn])
    return bool(stats.kstest(z, shape.cdf).pvalue > FALSE_ALARM and len(set(drawn)) > 990)


@pytest.mark.soak
@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous_noise_follows_its_law_at_every_scale(name: str) -> None:
    """From 2^-990 to 2^990, and around answers up to 10^18 where a double can tell the noise.

    In `make test` both ends, and every second scale between.
    """
    draw, shape = CONTINUOUS[name]
    settings: list[tuple[Number, float]] = [
        (0, 2.0**-990),
        (0, 2.0**-40),
        (Fraction(1, 3), 1.0),
        (10**12, 3.0 * 2**31),
        (-(10**18), 2.0**62),
        (10**18 + 1, 2.0**63),
        (Fraction(1, 7), 2.0**990),
    ]
    for centre, scale in some(settings, 2):
        assert follows(draw, shape, centre, scale), (centre, scale)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_a_centre_between_two_doubles_is_not_rounded_before_the_noise(name: str) -> None:
    """Just past the middle of two doubles 1/8 apart: about as often down as the noise says.

    A centre that is rounded first, as the twin's, goes up every time.
    """
    draw, shape = CONTINUOUS[name]
    scale, past = 0.001, Fraction(1, 2000)
    centre = 10**15 + Fraction(1, 16) + past
    down = [draw(centre, scale) for _ in range(1_000)].count(1e15)
    chance = float(shape.cdf(-float(past) / scale))
    assert stats.binomtest(down, 1_000, chance).pvalue > FALSE_ALARM
    twin = [draw(float(centre), scale) for _ in range(1_000)].count(1e15)
    assert stats.binomtest(twin, 1_000, chance).pvalue < FALSE_ALARM


def test_choices_are_exact_between_counts_of_any_size() -> None:
    """Noisy maximum, permute-and-flip and exponential choice see the gap of two counts near 10^18.

    As doubles the two counts would be equal, and so would be their chances.
    """
    noise, scores, tries = ReleaseNoise(), [10**18, 10**18 + 2], 2_000
    gap = math.exp(-2.0)
    picks: dict[str, tuple[Callable[[], int], float]] = {
        "noisy max": (lambda: noise.noisy_max(scores, 1.0), 1 - gap),
        "permute and flip": (lambda: noise.permute_and_flip(scores, 1.0), 1 - gap / 2),
        "exponential": (lambda: noise.exponential([10**18 + 2, 10**18], [1, 1], 1.0), 1 / (1 + gap)),
    }
    for name, (pick, chance) in picks.items():
        wins = sum(pick() for _ in range(tries))
        assert stats.binomtest(wins, tries, chance).pvalue > FALSE_ALARM, name
        assert stats.binomtest(wins, tries, 0.5).pvalue < FALSE_ALARM, name


def test_the_rates_of_choices_may_be_as_small_and_as_large_as_declared() -> None:
    """Tiny rates choose evenly, huge ones surely; distances of 10^18 cost no time."""
    noise = ReleaseNoise()
    for rate in (2.0**-990, 1e-30):
        picks = [noise.exponential([0, 10**12], [3, 1], rate) for _ in range(1_000)]
        assert stats.binomtest(sum(picks), 1_000, 0.25).pvalue > FALSE_ALARM
        flips = [noise.permute_and_flip([0, 10**12], rate) for _ in range(1_000)]
        assert stats.binomtest(sum(flips), 1_000, 0.5).pvalue > FALSE_ALARM
    assert noise.exponential([10**18, 0], [2**62, 1], 50.0) == 1
    assert noise.permute_and_flip([10**18, 0], 50.0) == 0
    assert not noise.bernoulli(0.0) and not noise.bernoulli(5e-324) and noise.bernoulli(1.0)
    highest = [noise.below(2**80) for _ in range(1_000)]
    assert stats.kstest(np.array(highest, dtype=float) / 2.0**80, "uniform").pvalue > FALSE_ALARM
