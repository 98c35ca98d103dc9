"""Noise: every sampler follows its distribution, checks its input, and cannot be seeded."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import opendp.prelude as dp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from discreet.budget.errors import ParameterError
from discreet.curator import ReleaseNoise
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.laws.law import CoreTail, Gaussian, Laplace, Student, Whole
from discreet.noise import source as noise
from discreet.noise.protocol import GRID, NoiseSource

DRAWS = 4_000
FALSE_ALARM = 1e-9  # chance that a right sampler fails one test
SOURCES: dict[str, Callable[[], NoiseSource]] = {"release": ReleaseNoise, "simulation": lambda: SimulationNoise(3)}
CONTINUOUS: dict[str, tuple[Callable[[NoiseSource, float], float], Any]] = {
    "laplace": (lambda s, scale: s.laplace(5.0, scale), Laplace()),
    "gaussian": (lambda s, scale: s.gaussian(5.0, scale), Gaussian()),
    **{f"core tail {m}": (lambda s, scale, m=m: s.core_tail(5.0, scale, m), CoreTail(m)) for m in (1, 2, 3, 16, 64)},
    **{f"student {nu}": (lambda s, scale, nu=nu: s.student(5.0, scale, nu), Student(nu)) for nu in (1, 2, 3, 6)},
}


def p_value(drawn: np.ndarray, shape: Any, scale: float) -> float:
    """Return the Kolmogorov-Smirnov p-value of draws around 5 against a shape."""
    return float(stats.kstest(drawn, lambda y: shape.cdf((y - 5.0) / scale)).pvalue)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", CONTINUOUS)
def test_draws_follow_the_stated_distribution(name: str, source: str) -> None:
    """The right scale is never accused; draws 1.6 times too wide or too narrow for what is stated are."""
    sampler, shape = CONTINUOUS[name]
    noise = SOURCES[source]()
    drawn = np.array([sampler(noise, 2.0) for _ in range(DRAWS)])
    assert p_value(drawn, shape, 2.0) > FALSE_ALARM
    assert p_value(drawn, shape, 2.0 / 1.6) < FALSE_ALARM
    assert p_value(drawn, shape, 2.0 * 1.6) < FALSE_ALARM


@pytest.mark.parametrize("source", SOURCES)
def test_many_draws_at_once_are_independent_draws_around_their_centres(source: str) -> None:
    """Laplace and geometric noise in one call follow the same distributions."""
    noise, centres = SOURCES[source](), [5.0, -7.0] * (DRAWS // 2)
    drawn = np.array(noise.laplaces(centres, 2.0), dtype=float) - np.array(centres)
    assert stats.kstest(drawn, lambda y: Laplace().cdf(y / 2.0)).pvalue > FALSE_ALARM
    assert abs(np.corrcoef(drawn[::2], drawn[1::2])[0, 1]) < 7 / np.sqrt(DRAWS / 2)
    whole = np.array(noise.geometrics([3, 9] * (DRAWS // 2), 1.5)) - np.array([3, 9] * (DRAWS // 2))
    chances = np.diff(Whole(0, 1.5).cdf(np.arange(-41, 41)))
    counts = np.array([np.sum(whole == z) for z in range(-40, 41)], dtype=float)
    assert chi_square(counts, chances) > FALSE_ALARM


def chi_square(counts: np.ndarray, chances: np.ndarray) -> float:
    """Return the p-value of counts against exact chances, rare cells put together."""
    order = np.argsort(chances)
    expected = chances[order] / chances.sum() * counts.sum()
    group = np.minimum((np.cumsum(expected) // 20).astype(int), 200)
    seen, hoped = np.bincount(group, counts[order]), np.bincount(group, expected)
    keep = hoped > 0
    return float(stats.chisquare(seen[keep], hoped[keep] * seen.sum() / hoped[keep].sum()).pvalue)


@pytest.mark.parametrize("source", SOURCES)
def test_geometric_noise_has_its_exact_probabilities(source: str) -> None:
    """Whole numbers fall off by exp(-1/scale); another scale is noticed."""
    noise = SOURCES[source]()
    for scale, fits in ((1.5, True), (2.1, False)):
        drawn = np.array([noise.geometric(7, scale) for _ in range(DRAWS)])
        edges = np.arange(-40, 60)
        chances = np.diff(Whole(7, 1.5).cdf(np.arange(-41, 60)))
        counts = np.array([np.sum(drawn == e) for e in edges], dtype=float)
        assert (chi_square(counts, chances) > FALSE_ALARM) == fits


@pytest.mark.parametrize("source", SOURCES)
def test_exponential_choice_has_its_exact_probabilities(source: str) -> None:
    """Index i comes up in proportion to widths[i] exp(-rate distances[i])."""
    noise = SOURCES[source]()
    distances = [abs(i - 30) for i in range(80)]
    widths = [1 + (7 * i) % 13 for i in range(80)]
    drawn = [noise.exponential(distances, widths, 0.08) for _ in range(DRAWS)]
    counts = np.bincount(drawn, minlength=80).astype(float)
    for rate, fits in ((0.08, True), (0.12, False)):
        chances = np.array(widths) * np.exp(-rate * np.array(distances))
        assert (chi_square(counts, chances) > FALSE_ALARM) == fits


def flip_chances(scores: list[int], rate: float) -> np.ndarray:
    """Return permute-and-flip's chances by going through every order of the candidates."""
    accept = np.exp(rate * (np.array(scores) - max(scores)))
    chances = np.zeros(len(scores))
    for order in permutations(range(len(scores))):
        left = 1.0
        for candidate in order:
            chances[candidate] += left * accept[candidate]
            left *= 1 - accept[candidate]
    return chances / math.factorial(len(scores))


@pytest.mark.parametrize("source", SOURCES)
def test_permute_and_flip_has_its_exact_probabilities(source: str) -> None:
    """Candidates come up as the definition says; the exponential mechanism is told apart."""
    noise, scores = SOURCES[source](), [24, 15, 9, 2]
    drawn = [noise.permute_and_flip(scores, 0.1) for _ in range(DRAWS)]
    counts = np.bincount(drawn, minlength=4).astype(float)
    assert chi_square(counts, flip_chances(scores, 0.1)) > FALSE_ALARM
    assert chi_square(counts, np.exp(0.1 * np.array(scores))) < FALSE_ALARM


@pytest.mark.parametrize("source", SOURCES)
def test_noisy_max_prefers_the_largest_as_much_as_it_should(source: str) -> None:
    """Two scores one scale apart: the larger wins with chance 1 - (1 + 1/2) exp(-1)/2."""
    noise = SOURCES[source]()
    wins = sum(noise.noisy_max([1, 0], 1.0) == 0 for _ in range(DRAWS))
    chance = 1 - 1.5 * math.exp(-1) / 2
    assert stats.binomtest(wins, DRAWS, chance).pvalue > FALSE_ALARM


@pytest.mark.parametrize("source", SOURCES)
def test_coins_dice_and_words_are_fair(source: str) -> None:
    """Probabilities, whole numbers and 62-bit words come up evenly."""
    noise = SOURCES[source]()
    heads = sum(noise.bernoulli(0.3) for _ in range(DRAWS))
    assert stats.binomtest(heads, DRAWS, 0.3).pvalue > FALSE_ALARM
    assert noise.bernoulli(1.0) and not noise.bernoulli(0.0)
    dice = np.bincount([noise.below(6) for _ in range(DRAWS)], minlength=6)
    assert stats.chisquare(dice).pvalue > FALSE_ALARM and noise.below(1) == 0
    words = noise.words(DRAWS)
    assert words.dtype == np.uint64 and int(words.max()) < 2**62
    assert stats.kstest(words / 2.0**62, "uniform").pvalue > FALSE_ALARM


@contextmanager
def overheard(far: int | None) -> Iterator[list[tuple[str, float, list[int]]]]:
    """Note each draw of the library: of which noise, of which scale, and what came; the first may be one far out."""
    heard = list[tuple[str, float, list[int]]]()

    def noting(name: str, made: Callable[..., Any]) -> Callable[..., Any]:
        def make(domain: Any, metric: Any, scale: float) -> Callable[[list[int]], list[int]]:
            real = made(domain, metric, scale)

            def draw(centres: list[int]) -> list[int]:
                assert not any(centres)
                drawn: list[int] = real(centres)
                drawn[:1] = drawn[:1] if far is None else [far]
                heard.append((name, scale, drawn))
                return drawn

            return draw

        return make

    with pytest.MonkeyPatch.context() as patched:
        for name in ("laplace", "gaussian"):
            patched.setattr(dp.m, f"make_{name}", noting(name, getattr(dp.m, f"make_{name}")))
        noise._measurement.cache_clear()
        yield heard
        noise._measurement.cache_clear()


def is_power_of_two(x: Fraction) -> bool:
    """Say whether a number is 2^k for a whole k."""
    return min(x.numerator, x.denominator) == 1 and max(x.numerator, x.denominator).bit_count() == 1


SCALES = st.floats(2.0**-200, 2.0**200) | st.floats(0.01, 100.0)
FAR = st.none() | st.integers(-(2**62), 2**62)


@given(SCALES, st.lists(st.floats(-1e30, 1e30) | st.fractions(-100, 100), min_size=1, max_size=9), FAR)
def test_the_library_draws_with_exactly_the_scale_that_was_asked_for(
    scale: float, centres: list[Any], far: int | None
) -> None:
    """In cells of a power of two no wider than the grid: what comes is the noise, but for half of a cell."""
    source = ReleaseNoise()
    for name, draw in (
        ("laplace", lambda: list(source.laplaces(centres, scale))),
        ("laplace", lambda: [source.laplace(centres[0], scale)]),
        ("gaussian", lambda: [source.gaussian(centres[0], scale)]),
    ):
        with overheard(far) as heard:
            answers = draw()
        ((kind, asked, drawn),) = heard
        cell = Fraction(scale) / Fraction(asked)
        assert kind == name and is_power_of_two(cell) and cell <= scale * Fraction(GRID)
        for centre, z, answer in zip(centres, drawn, answers, strict=False):
            low, high = (Fraction(centre) + (z + half) * cell for half in (Fraction(-1, 2), Fraction(1, 2)))
            assert low <= answer <= high if isinstance(answer, Fraction) else float(low) <= answer <= float(high)
        assert len(drawn) == len(answers)


@given(st.floats(0.01, 2.0**53), st.lists(st.integers(-(10**30), 10**30), min_size=1, max_size=9), FAR)
def test_whole_noise_has_exactly_the_scale_that_was_asked_for_too(
    scale: float, centres: list[int], far: int | None
) -> None:
    """One fresh number of it for each centre."""
    with overheard(far) as heard:
        answers = ReleaseNoise().geometrics(centres, scale)
    ((kind, asked, drawn),) = heard
    assert (kind, asked) == ("laplace", scale)
    assert answers == [centre + z for centre, z in zip(centres, drawn, strict=True)]


@pytest.mark.parametrize("scale", [0.0, -1.0, math.nan, math.inf, 5e-324, 1e-310])
def test_a_scale_that_hides_nothing_is_refused_before_a_bit_is_drawn(scale: float) -> None:
    """Zero, negative, missing, endless and subnormal scales raise (N8, S=0)."""
    noise = ReleaseNoise()
    for draw in (
        lambda: noise.laplace(1.0, scale),
        lambda: noise.gaussian(1.0, scale),
        lambda: noise.core_tail(1.0, scale, 3),
        lambda: noise.student(1.0, scale, 3),
        lambda: noise.geometric(1, scale),
        lambda: noise.laplaces([1.0], scale),
        lambda: noise.geometrics([1], scale),
        lambda: noise.noisy_max([1, 2], scale),
        lambda: noise.exponential([0], [1], scale),
    ):
        with pytest.raises(ParameterError, match="finite number above"):
            draw()


@pytest.mark.parametrize("centre", [math.nan, math.inf, -math.inf])
def test_a_centre_that_is_no_number_is_refused(centre: float) -> None:
    """A sampler would turn it into another number without a word."""
    noise = ReleaseNoise()
    for draw in (noise.laplace, noise.gaussian):
        with pytest.raises(ParameterError):
            draw(centre, 1.0)
    with pytest.raises(ParameterError):
        noise.core_tail(centre, 1.0, 3)


def test_the_release_source_cannot_be_seeded_and_two_never_agree() -> None:
    """No parameter takes a seed, and NumPy's global seed changes nothing (R1)."""
    assert not inspect.signature(ReleaseNoise).parameters
    drawn = []
    for _ in range(2):
        np.random.seed(0)
        drawn.append([ReleaseNoise().core_tail(0.0, 1.0, 3) for _ in range(5)])
    assert drawn[0] != drawn[1]


def test_simulation_repeats_with_its_seed() -> None:
    """Figures are reproducible."""
    assert np.array_equal(SimulationNoise(1).uniforms(2, 5), SimulationNoise(1).uniforms(2, 5))
    uniforms = SimulationNoise(1).uniforms(1, 100_000)
    assert uniforms.min() > 0 and uniforms.max() < 1
